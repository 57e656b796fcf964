/**
 * What counts as old, told without the product: text that a path had at the baseline or in a commit of before or of a
 * remote, and whatever git mixes from the lines of such texts. What the agent writes always has a line of its own.
 */
import { existsSync, lstatSync, readFileSync } from 'node:fs'
import type { Repo } from '../../helpers/repo.ts'
import { GATED } from './sequences.ts'

/** Of one path: undefined means absent, and `link` anything that is no file. */
export type Text = string | undefined

export interface Oracle {
  /** The paths whose work-tree text or index entries are not old, with what is wrong. */
  violations(): string[]
  /** Branches and HEAD that hold gated text which is not old; empty while git is in the middle of something. */
  badCommits(): string[]
}

const MARKER = /^(<{7}|={7}|>{7}|\|{7})/
const NOT_A_FILE = '\0not a file'

/** Trees and blobs never change, and the commits of the shape are the same in each sequence. */
const treeTexts = new Map<string, ReadonlyMap<string, string>>()

/** @param repo as it is when the gate arms */
export function createOracle(repo: Repo): Oracle {
  const before = { work: readWork(repo), index: readIndex(repo) }
  const pinned = revisions(repo, '--all', '--reflog', 'HEAD')

  const oldOf = (path: string) => {
    const commits = new Set([...pinned, ...revisions(repo, '--remotes')])
    const inCommits = [...commits].map((commit) => textsOf(repo, commit).get(path))
    const atBaseline = [before.work.get(path), ...(before.index.get(path) ?? [])]
    const texts = [...inCommits, ...atBaseline].filter((text) => text !== undefined)
    return {
      lines: new Set(texts.flatMap((text) => text.split('\n'))),
      mayBeAbsent:
        inCommits.includes(undefined) || (before.work.has(path) && before.work.get(path) === undefined),
    }
  }
  const isOld = ({ lines, mayBeAbsent }: ReturnType<typeof oldOf>, text: Text): boolean =>
    text === undefined ? mayBeAbsent : text.split('\n').every((line) => lines.has(line) || MARKER.test(line))

  return {
    violations: () => {
      const [work, index] = [readWork(repo), readIndex(repo)]
      return GATED.flatMap((path) => {
        const old = oldOf(path)
        const entries = index.get(path) ?? [undefined]
        return [
          ...(isOld(old, work.get(path)) ? [] : [`${path} holds ${JSON.stringify(work.get(path))}`]),
          ...entries
            .filter((text) => !isOld(old, text))
            .map((text) => `${path} is staged as ${JSON.stringify(text)}`),
        ]
      })
    },
    badCommits: () => {
      const made = revisions(repo, '--branches', 'HEAD', '--not', ...pinned, '--remotes')
      return made.filter((commit) =>
        GATED.some((path) => !isOld(oldOf(path), textsOf(repo, commit).get(path))),
      )
    },
  }
}

/** Multi-step operations during which no ref may move. */
export const isInOperation = (repo: Repo): boolean =>
  ['rebase-merge', 'rebase-apply', 'CHERRY_PICK_HEAD', 'REVERT_HEAD', 'sequencer', 'BISECT_LOG'].some(
    (name) => existsSync(repo.path(`.git/${name}`)),
  )

const revisions = (repo: Repo, ...args: string[]): string[] =>
  repo
    .git('rev-list', ...args)
    .split('\n')
    .filter((line) => line !== '')

function readWork(repo: Repo): ReadonlyMap<string, Text> {
  return new Map(
    GATED.map((path) => {
      const stat = lstatSync(repo.path(path), { throwIfNoEntry: false })
      if (stat === undefined) return [path, undefined]
      return [path, stat.isFile() ? readFileSync(repo.path(path), 'utf8') : NOT_A_FILE]
    }),
  )
}

/** Texts of all stages by path; a path without an entry is missing. */
function readIndex(repo: Repo): ReadonlyMap<string, readonly Text[]> {
  const texts = new Map<string, Text[]>()
  for (const [, oid = '', path = ''] of repo
    .git('ls-files', '-s', ...GATED)
    .matchAll(/^\d+ (\w+) \d\t(.*)$/gm))
    texts.set(path, [...(texts.get(path) ?? []), blobText(repo, oid)])
  return texts
}

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
