/** Plays one sequence, and says which promise of the gate it broke. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { readGitFolder, readWorkTree, type FileStates } from '../../helpers/file-states.ts'
import { GIT_ENV } from '../../helpers/git.ts'
import type { Repo } from '../../helpers/repo.ts'
import type { Session } from '../../helpers/session.ts'
import type { World } from '../../helpers/world.ts'
import { sessionInProcess } from './in-process.ts'
import { createOracle, isInOperation, type Oracle } from './oracle.ts'
import { GATED, isPlainEdit, type Sequence } from './sequences.ts'

interface Played {
  readonly world: World
  readonly repo: Repo
  readonly session: Session
  readonly oracle: Oracle
  /** Index entries of gated files when the gate armed. */
  readonly staged: string
}

/** @throws Error that names the broken promise, and the shell lines that led there */
export async function play(world: World, { setup, rounds }: Sequence): Promise<void> {
  const repo = world.repo('history')
  for (const script of setup) act(repo, script)
  const session = sessionInProcess(world, repo.folder).prompts('The total is wrong.').loads('investigate')
  const oracle = createOracle(repo)
  const staged = entriesOf(repo)
  await session.arm()

  const done: string[] = []
  const played = { world, repo, session, oracle, staged }
  for (const [round, { acts, event }] of rounds.entries()) {
    for (const [index, script] of acts.entries()) {
      const line = script.replaceAll('TOKEN', `t${String(round)}-${String(index)}`)
      act(repo, line)
      done.push(line)
    }
    const broken = await check(played, { event, isPlain: done.every(isPlainEdit) })
    done.push(`# check at ${event}`)
    if (broken.length > 0)
      throw new Error([`# ${repo.folder}`, ...setup, '# arm', ...done, '# broken:', ...broken].join('\n'))
  }
  // Thousands of sequences share one world.
  for (const folder of [dirname(repo.folder), session.stateFolder]) rmSync(folder, { recursive: true })
}

/** Many of the lines cannot run where they stand: then git says so, and that is that. */
function act(repo: Repo, script: string): void {
  repo.sh(`export GIT_EDITOR=true GIT_MERGE_AUTOEDIT=no; { ${script}; } >/dev/null 2>&1 </dev/null || true`)
}

async function check(
  { world, repo, session, oracle, staged }: Played,
  { event, isPlain }: { event: Parameters<Session['check']>[0]; isPlain: boolean },
): Promise<string[]> {
  const before = { ...readState(repo), commits: allCommits(repo), isAllOld: oracle.isAllOld() }
  oracle.noteConflicts()
  const first = await session.check(event)
  const after = readState(repo)

  const broken = [
    ...oracle.violations(),
    ...(isInOperation(repo) ? [] : oracle.badCommits().map((id) => `commit ${id} stays`)),
  ]
  if (first.stderr !== '') broken.push(`the check failed: ${first.stderr}`)
  broken.push(...lostFiles(before.workTree, after.workTree, { world, repo, session }))
  const reachable = allCommits(repo)
  broken.push(...[...before.commits].filter((id) => !reachable.has(id)).map((id) => `commit ${id} is lost`))
  if (isPlain && entriesOf(repo) !== staged)
    broken.push(`the user’s staged work is ${entriesOf(repo)}, was ${staged}`)
  if (before.isAllOld) {
    if (first.decision !== undefined) broken.push(`all was old, and yet: ${first.reason}`)
    broken.push(...differences(before, after).map((part) => `all was old, and the check changed ${part}`))
  }
  if (first.stdout !== '') broken.push(...fsck(repo))
  broken.push(...leftovers(repo, world))

  const second = await session.check('PostToolUse')
  if (second.stdout + second.stderr !== '')
    broken.push(`the second check says: ${second.stdout}${second.stderr}`)
  broken.push(...differences(after, readState(repo)).map((part) => `the second check changed ${part}`))
  return broken
}

const entriesOf = (repo: Repo): string => repo.git('ls-files', '-s', ...GATED)

const allCommits = (repo: Repo): ReadonlySet<string> =>
  new Set(repo.git('rev-list', '--all', '--reflog', 'HEAD').split('\n'))

/** Files whose bytes are neither in the tree, nor in a kept copy, nor in reach of git. */
function lostFiles(
  before: FileStates,
  after: FileStates,
  { repo, session }: Pick<Played, 'world' | 'repo' | 'session'>,
): string[] {
  const contentOf = (state: string) => state.replace(/^file \d+ /, '')
  const inTree = new Set(Object.values(after).map(contentOf))
  const missing = Object.entries(before).filter(([, state]) => !inTree.has(contentOf(state)))
  if (missing.length === 0) return []
  const kept = new Set(Object.values(readWorkTree(session.stateFolder)).map(contentOf))
  const lost = missing.filter(([, state]) => !kept.has(contentOf(state)))
  if (lost.length === 0) return []
  const inGit = reachableContents(repo)
  return lost.filter(([, state]) => !inGit.has(contentOf(state))).map(([path]) => `${path} is lost`)
}

function reachableContents(repo: Repo): ReadonlySet<string> {
  const objects = repo
    .git('rev-list', '--objects', '--all', '--reflog', '--indexed-objects', 'HEAD')
    .split('\n')
  return new Set(
    objects.map((line) => {
      const oid = line.slice(0, 40)
      if (repo.git('cat-file', '-t', oid) !== 'blob') return oid
      return createHash('sha256')
        .update(`${repo.git('cat-file', 'blob', oid)}\n`)
        .digest('hex')
    }),
  )
}

function fsck(repo: Repo): string[] {
  try {
    repo.git('fsck', '--no-dangling', '--no-progress', '--strict')
    return []
  } catch (error) {
    return [`git fsck: ${error instanceof Error ? error.message : ''}`]
  }
}

const leftovers = (repo: Repo, world: World): string[] => [
  ...readdirSync(repo.path('.git'))
    .filter((name) => /\.lock$|^gstack-gate/.test(name))
    .map((name) => `.git/${name} is left`),
  ...readdirSync(world.temporary).map((name) => `TMPDIR/${name} is left`),
  ...(existsSync(GIT_ENV.HOME) ? ['a home was made'] : []),
]

/** Like a snapshot of the repository, with one process instead of five. */
interface State {
  readonly index: string
  readonly workTree: FileStates
  readonly gitFolder: FileStates
}

const readState = (repo: Repo): State => ({
  index: repo.index(),
  workTree: readWorkTree(repo.folder),
  gitFolder: readGitFolder(repo.path('.git')),
})

const differences = (before: State, after: State): string[] =>
  (['index', 'workTree', 'gitFolder'] as const).filter(
    (part) => JSON.stringify(before[part]) !== JSON.stringify(after[part]),
  )
