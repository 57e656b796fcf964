/**
 * What counts as old, told without the product: text that a path had at the baseline or in a commit of before or of a
 * remote, and whatever git mixes from the lines of such texts. What the agent writes always has a line of its own.
 */
import { existsSync, lstatSync, readFileSync } from 'node:fs'
import type { Repo } from '../../helpers/repo.ts'
import { ancestors, commitsBelow, type Asked, type History } from './asked.ts'
import { GATED } from './sequences.ts'

export interface Oracle {
  /** A conflict is what a check first sees of it: to be called right before each check. */
  noteConflicts(): void
  /** A conflict that is there after a check is none that the next one sees first: to be called right after each check. */
  noteChecked(): void
  /** The paths whose work-tree text or index entries are not old, with what is wrong. */
  violations(): string[]
  /** Commits of branches and of HEAD that hold gated text which is not old. */
  badCommits(): string[]
  /** Paths whose entry is neither as it was nor the user's own text of the work tree. */
  restaged(): string[]
  /** Texts that the user had staged, and that the index has no more. */
  unstaged(): string[]
  /** Whether there is nothing but what git made of old texts; a conflict, solved or not, is another matter. */
  isAllOld(): boolean
}

/** Of one path: undefined means absent. */
type Text = string | undefined

interface OldTexts {
  readonly lines: ReadonlySet<string>
  readonly mayBeAbsent: boolean
}

interface Conflict {
  readonly path: string
  readonly stages: string
  readonly text: Text
}

const REMOTE = /^refs\/remotes\//
const MARKER = /^(<{7}|={7}|>{7}|\|{7})/
const NOT_A_FILE = '\0not a file'

/** @param repo as it is when the gate arms */
export function createOracle(repo: Repo, asked: Asked): Oracle {
  const readIndex = () => readEntries(repo, asked.index())
  const before = { work: readWork(repo), index: readIndex() }
  const pinned = new Set(asked.history().keys())
  const roots = [...pinned].filter((id) => isRoot(asked.history(), id))
  const conflicts: Conflict[] = []
  let stagesChecked = new Map<string, string>()
  const ungated = new Set<string>()
  const letPass = new Set<string>()
  let revertsRoot = false

  const oldCommits = () => new Set([...pinned, ...commitsBelow(asked.history(), REMOTE)])
  const madeCommits = (): string[] => {
    const old = oldCommits()
    return [...commitsBelow(asked.history(), /^(HEAD$|refs\/heads\/)/)].filter((id) => !old.has(id))
  }
  const head = (): string =>
    [...asked.history()].flatMap(([id, { refs }]) => (refs.includes('HEAD') ? [id] : []))[0] ?? ''
  /**
   * A path that was pushed as deleted is nobody's any more, until HEAD or the index has it: the gate follows HEAD there. What a
   * check had let pass before that stays the session's.
   */
  const isInCommit = (commit: string, path: string): boolean => {
    const old = oldCommits()
    let at: string | undefined = commit
    while (at !== undefined && (letPass.has(at) || !old.has(at))) at = asked.history().get(at)?.parents[0]
    return at === undefined || textsOf(repo, at).has(path)
  }

  /** HEAD stands on no commit of before, so that git cannot have mixed what its commits hold. */
  const isOrphan = (): boolean => ![...ancestors(asked.history(), [head()])].some((id) => pinned.has(id))

  const readOld = (): ((path: string, text: Text) => boolean) => {
    const commits = [...oldCommits()]
    const old = new Map(GATED.map((path) => [path as string, oldTextsOf(path, commits)]))
    return (path, text) => isOld(old.get(path), text)
  }
  const oldTextsOf = (path: string, commits: readonly string[]): OldTexts => {
    const inCommits = commits.map((commit) => textsOf(repo, commit).get(path))
    const staged = before.index.get(path)?.texts ?? [undefined]
    const texts = [...inCommits, before.work.get(path), ...staged]
    return {
      lines: new Set(texts.flatMap((text) => text?.split('\n') ?? [])),
      mayBeAbsent: revertsRoot || texts.includes(undefined),
    }
  }

  /** Commits that were made since and hold gated text that is not old. */
  const newCommits = (): string[] => {
    const isOldAt = readOld()
    return madeCommits().filter((commit) =>
      GATED.some((path) => isInCommit(commit, path) && !isOldAt(path, textsOf(repo, commit).get(path))),
    )
  }

  const oracle: Oracle = {
    noteConflicts: () => {
      // Before the first commit there was no file: git's own revert of it deletes them all.
      revertsRoot ||=
        roots.includes(readIfThere(repo.path('.git/REVERT_HEAD')).trim()) ||
        [...asked.history().values()].some(({ message }) =>
          roots.some((root) => message.includes(`This reverts commit ${root}`)),
        )
      const [work, index] = [readWork(repo), readIndex()]
      for (const path of GATED) {
        const stages = index.get(path)?.stages ?? ''
        if (stages !== (stagesChecked.get(path) ?? '')) conflicts.push({ path, stages, text: work.get(path) })
      }
    },
    noteChecked: () => {
      for (const commit of madeCommits()) letPass.add(commit)
      const index = readIndex()
      stagesChecked = new Map([...index].map(([path, { stages }]) => [path, stages]))
      for (const path of GATED)
        if (index.has(path) || isInCommit(head(), path)) ungated.delete(path)
        else ungated.add(path)
    },
    violations: () => {
      const [work, index, isOldAt] = [readWork(repo), readIndex(), readOld()]
      const mayLack = isOrphan()
      const isGatedNow = (path: string) =>
        isInCommit(head(), path) && (index.has(path) || !(mayLack || ungated.has(path)))
      return GATED.filter(isGatedNow).flatMap((path) => {
        const text = work.get(path)
        const { texts, stages } = index.get(path) ?? { texts: [undefined], stages: '' }
        const isConflict =
          stages !== '' &&
          conflicts.some((seen) => seen.path === path && seen.stages === stages && seen.text === text)
        return [
          ...(isConflict || isOldAt(path, text) ? [] : [`${path} holds ${JSON.stringify(text)}`]),
          ...texts
            .filter((staged) => !isOldAt(path, staged))
            .map((staged) => `${path} is staged as ${JSON.stringify(staged)}`),
        ]
      })
    },
    badCommits: () => {
      const history = asked.history()
      // A branch that grows from no old commit stays.
      return newCommits().filter((commit) =>
        [...ancestors(history, [commit])].some((id) => isRoot(history, id) && pinned.has(id)),
      )
    },
    restaged: () => {
      const index = readIndex()
      return GATED.filter((path) => {
        const [then, now] = [before.index, index].map((entries) => entries.get(path)?.texts ?? [undefined])
        const isSame = JSON.stringify(now) === JSON.stringify(then)
        return !isSame && JSON.stringify(now) !== JSON.stringify([before.work.get(path)])
      }).map((path) => `the user’s entry of ${path} is ${JSON.stringify(index.get(path))}`)
    },
    unstaged: () => {
      const index = readIndex()
      const lacks = (path: string, text: string) => index.get(path)?.texts.includes(text) !== true
      return [...before.index].flatMap(([path, { texts }]) =>
        texts.filter((text) => text !== undefined).filter((text) => lacks(path, text)),
      )
    },
    isAllOld: () => {
      const index = [...readIndex().values()]
      const texts = [...readWork(repo).values(), ...index.flatMap((entry) => entry.texts)]
      const hasConflict = texts.some((text) => text?.includes('<<<<<<<') === true)
      const isUnmerged = index.some(({ stages }) => stages !== '')
      // A revert of the first commit may delete files, and so may the agent.
      // Where HEAD has just come to lack a file, or to have it again, it is for this check to say what is new there.
      const hasTurned = GATED.some((path) => ungated.has(path) === isInCommit(head(), path))
      const isOpen =
        hasConflict || isUnmerged || hasTurned || isOrphan() || (revertsRoot && texts.includes(undefined))
      return !isOpen && oracle.violations().length === 0 && newCommits().length === 0
    },
  }
  return oracle
}

/** Multi-step operations during which no ref may move. */
export const isInOperation = (repo: Repo): boolean =>
  ['rebase-merge', 'rebase-apply', 'CHERRY_PICK_HEAD', 'REVERT_HEAD', 'sequencer', 'BISECT_LOG'].some(
    (name) => existsSync(repo.path(`.git/${name}`)),
  )

const isRoot = (history: History, id: string): boolean => history.get(id)?.parents.length === 0

const readIfThere = (file: string): string => (existsSync(file) ? readFileSync(file, 'utf8') : '')

function isOld(old: OldTexts | undefined, text: Text): boolean {
  if (old === undefined) return true
  if (text === undefined) return old.mayBeAbsent
  return text.split('\n').every((line) => old.lines.has(line) || MARKER.test(line))
}

function readWork(repo: Repo): ReadonlyMap<string, Text> {
  return new Map(
    GATED.map((path) => {
      const stat = lstatSync(repo.path(path), { throwIfNoEntry: false })
      if (stat === undefined) return [path, undefined]
      return [path, stat.isFile() ? readFileSync(repo.path(path), 'utf8') : NOT_A_FILE]
    }),
  )
}

/** Texts of all entries of gated paths; a path without an entry is missing. */
function readEntries(
  repo: Repo,
  index: string,
): ReadonlyMap<string, { readonly texts: readonly Text[]; readonly stages: string }> {
  const entries = new Map<string, { texts: Text[]; stages: string }>()
  for (const [, oid = '', stage = '', path = ''] of index.matchAll(/. \d+ (\w+) (\d)\t([^\0]*)\0/g)) {
    if (!isGated(path)) continue
    const { texts, stages } = entries.get(path) ?? { texts: [], stages: '' }
    const added = stage === '0' ? '' : `${stage}:${oid} `
    entries.set(path, { texts: [...texts, blobText(repo, oid)], stages: stages + added })
  }
  return entries
}

const isGated = (path: string): boolean => (GATED as readonly string[]).includes(path)

/** Trees and blobs never change, and the commits of the shape are the same in each sequence. */
const treeTexts = new Map<string, ReadonlyMap<string, string>>()

function textsOf(repo: Repo, commit: string): ReadonlyMap<string, string> {
  const known = treeTexts.get(commit)
  if (known !== undefined) return known
  const entries = repo.git('ls-tree', '-r', commit, ...GATED).matchAll(/^\d+ blob (\w+)\t(.*)$/gm)
  const texts = new Map([...entries].map(([, oid = '', path = '']) => [path, blobText(repo, oid)] as const))
  treeTexts.set(commit, texts)
  return texts
}

const blobTexts = new Map<string, string>()

function blobText(repo: Repo, oid: string): string {
  const text = blobTexts.get(oid) ?? `${repo.git('cat-file', 'blob', oid)}\n`
  blobTexts.set(oid, text)
  return text
}
