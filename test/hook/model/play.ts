/** Plays one sequence, and says which promise of the gate it broke. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readGitFolder, readWorkTree, type FileStates } from '../../helpers/file-states.ts'
import { GIT_ENV } from '../../helpers/git.ts'
import { PROJECT } from '../../helpers/recipe.ts'
import { openRepo, type Repo } from '../../helpers/repo.ts'
import type { Session } from '../../helpers/session.ts'
import type { World } from '../../helpers/world.ts'
import { sessionInProcess } from './in-process.ts'
import { createAsked, type Asked } from './asked.ts'
import { lostFiles, lostTexts } from './lost.ts'
import { createOracle, isInOperation, type Oracle } from './oracle.ts'
import { isPlainEdit, type Sequence } from './sequences.ts'

interface Played {
  readonly world: World
  readonly repo: Repo
  readonly session: Session
  readonly asked: Asked
  readonly oracle: Oracle
}

/**
 * @param template folder that {@link makeTemplate} made
 * @throws Error that names the broken promise, and the shell lines that led there
 */
export async function play(world: World, template: string, { setup, rounds }: Sequence): Promise<void> {
  const base = mkdtempSync(join(world.folder, 'sequence-'))
  execFileSync('cp', ['-a', `${template}/.`, base])
  const repo = openRepo(join(base, PROJECT))
  act(repo, ['git update-index -q --refresh', ...setup])
  const asked = createAsked(repo)
  const oracle = createOracle(repo, asked)
  const session = sessionInProcess(world, repo.folder).prompts('The total is wrong.').loads('investigate')
  const arming = await session.arm()
  if (arming.stderr !== '') throw new Error(`not armed: ${arming.stderr}`)

  const done: string[] = []
  const played = { world, repo, asked, session, oracle }
  for (const [round, { acts, event }] of rounds.entries()) {
    const lines = acts.map((script, index) =>
      script.replaceAll('TOKEN', `t${String(round)}-${String(index)}`),
    )
    act(repo, lines)
    done.push(...lines)
    const broken = await check(played, { event, isPlain: done.every(isPlainEdit) })
    done.push(`# check at ${event}`)
    if (broken.length > 0)
      throw new Error([`# ${repo.folder}`, ...setup, '# arm', ...done, '# broken:', ...broken].join('\n'))
  }
  // Thousands of sequences share one world.
  for (const folder of [base, session.stateFolder]) rmSync(folder, { recursive: true })
}

/** A copy of the `history` shape with a quarter of its files: copying is a third of what a sequence costs. */
export function makeTemplate(world: World): string {
  const repo = world.repo('history')
  const template = dirname(repo.folder)
  // Neither is of interest here, and each commit would start a process for it.
  repo.sh('git config maintenance.auto false; git config gc.auto 0')
  repo.sh(
    'rm -rf ../colleague .git/hooks ../upstream/hooks; git repack -adkq; git -C ../upstream repack -adkq',
  )
  return template
}

/** Many of the lines cannot run where they stand: then git says so, and that is that. */
function act(repo: Repo, scripts: readonly string[]): void {
  const lines = scripts.map((script) => `{ ${script}; } >/dev/null 2>&1 </dev/null || true`)
  repo.sh(['export GIT_EDITOR=true GIT_MERGE_AUTOEDIT=no', ...lines].join('\n'))
}

async function check(
  played: Played,
  { event, isPlain }: { event: Parameters<Session['check']>[0]; isPlain: boolean },
): Promise<string[]> {
  const { world, repo, session, oracle } = played
  const before = { ...readState(played), commits: allCommits(played), isAllOld: oracle.isAllOld() }
  oracle.noteConflicts()
  const first = await session.check(event)
  oracle.noteChecked()
  const after = readState(played)

  const broken = [
    ...oracle.violations(),
    ...(isInOperation(repo) ? [] : oracle.badCommits().map((id) => `commit ${id} stays`)),
  ]
  if (first.stderr !== '') broken.push(`the check failed: ${first.stderr}`)
  broken.push(...lostFiles(before.workTree, after.workTree, played))
  const reachable = allCommits(played)
  broken.push(...[...before.commits].filter((id) => !reachable.has(id)).map((id) => `commit ${id} is lost`))
  broken.push(...lostTexts(oracle.unstaged(), played).map((text) => `the user’s staged ${text} is lost`))
  if (isPlain) broken.push(...oracle.restaged())
  if (before.isAllOld) {
    if (first.decision !== undefined) broken.push(`all was old, and yet: ${first.reason}`)
    broken.push(...differences(before, after).map((part) => `all was old, and the check changed ${part}`))
  }
  if (first.stdout !== '') broken.push(...fsck(repo))
  broken.push(...leftovers(repo, world))

  const second = await session.check('PostToolUse')
  if (second.stdout + second.stderr !== '')
    broken.push(`the second check says: ${second.stdout}${second.stderr}`)
  broken.push(...differences(after, readState(played)).map((part) => `the second check changed ${part}`))
  return broken
}

const allCommits = ({ asked }: Played): ReadonlySet<string> => new Set(asked.history().keys())

function fsck(repo: Repo): string[] {
  try {
    // There are no such files, and git would start a process for each.
    const without = ['-c', 'core.commitGraph=false', '-c', 'core.multiPackIndex=false']
    repo.git(...without, 'fsck', '--no-dangling', '--no-progress', '--strict')
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

const readState = ({ repo, asked }: Played): State => ({
  index: asked.index(),
  workTree: readWorkTree(repo.folder),
  gitFolder: readGitFolder(repo.path('.git')),
})

const differences = (before: State, after: State): string[] =>
  (['index', 'workTree', 'gitFolder'] as const).filter(
    (part) => JSON.stringify(before[part]) !== JSON.stringify(after[part]),
  )
