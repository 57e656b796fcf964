/** The passes that write: each puts the repository into one state again, whatever disturbs it. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { armed, type Armed } from '../helpers/armed.ts'
import type { Repo, RepoSnapshot } from '../helpers/repo.ts'
import type { HookAnswer, HookRunOptions } from '../helpers/run-hook.ts'
import type { Session } from '../helpers/session.ts'
import type { World } from '../helpers/world.ts'
import { faultAt, listOperations, type Operation } from './file-faults.ts'

export interface WritingPass {
  readonly name: string
  start(world: World): Promise<Armed>
  /**
   * What the agent does before the pass that is disturbed.
   *
   * @param round makes contents that no earlier round had
   * @returns every content that must survive, by the path that it stands at
   */
  act(at: Armed, round: number): Readonly<Record<string, string>>
}

/** On a busy machine a disturbed check is to end by its fault, not by its deadline. */
export async function patient(world: World, shape = 'plain'): Promise<Armed> {
  world.env['GSTACK_SKILL_GATE_DEADLINE_MS'] = '20000'
  return await armed(world, shape)
}

/** Every kind of restore: a dirty file, a clean one, one that was absent, one that is staged, one that is deleted. */
export const PUT_BACK: WritingPass = {
  name: 'putting back',
  start: (world) => patient(world, 'dirty-start'),
  act: ({ repo }, round) => {
    const fix = (path: string) => `fix ${String(round)} of ${path}\n`
    const paths = ['src/edited.js', 'src/clean.js', 'src/deleted.js', 'src/both.js']
    for (const path of paths) repo.write(path, fix(path))
    repo.git('add', 'src/both.js')
    return Object.fromEntries(paths.map((path) => [path, fix(path)]))
  },
}

/** A commit with a fix, on the branch that is checked out. */
export const UNDO: WritingPass = {
  name: 'undoing',
  start: (world) => patient(world, 'dirty-start'),
  act: ({ repo }, round) => {
    const fix = `committed fix ${String(round)}\n`
    repo.write('src/clean.js', fix)
    repo.git('commit', '-q', '-m', 'fix', 'src/clean.js')
    return { 'src/clean.js': fix }
  },
}

/** A merge that was open when the gate armed, and that the agent concludes with a fix. */
export const CONCLUDE_MERGE: WritingPass = {
  name: 'opening a merge again',
  start: (world) => patient(world, 'merge-with-conflict'),
  act: ({ repo }, round) => {
    const conflicted = repo.git('diff', '--name-only', '--diff-filter=U').split('\n')
    const fix = (path: string) => `resolved ${String(round)} in ${path}\n`
    for (const path of conflicted) repo.write(path, fix(path))
    repo.git('commit', '-q', '-a', '-m', 'fix')
    return Object.fromEntries(conflicted.map((path) => [path, fix(path)]))
  },
}

/** What a pass has to bring back; the last commit's message may stay. */
export function stateOfRepo(repo: Repo): RepoSnapshot {
  const snapshot = repo.snapshot()
  const gitFolder = Object.entries(snapshot.gitFolder).filter(([path]) => path !== 'COMMIT_EDITMSG')
  return { ...snapshot, gitFolder: Object.fromEntries(gitFolder) }
}

/** Names of what two states have not in common. */
function differences(before: object, now: object): readonly string[] {
  const [old, found] = [before, now].map((each) => new Map<string, unknown>(Object.entries(each)))
  const names = [...new Set([...(old?.keys() ?? []), ...(found?.keys() ?? [])])]
  return names.flatMap((name) => {
    const values = [old?.get(name), found?.get(name)]
    if (JSON.stringify(values[0]) === JSON.stringify(values[1])) return []
    const [one, other] = values.map((value) =>
      typeof value === 'object' && value !== null ? value : undefined,
    )
    return one === undefined || other === undefined
      ? [name]
      : differences(one, other).map((inner) => `${name}.${inner}`)
  })
}

function uncheckedOf({ session }: Armed): number {
  const text = readFileSync(join(session.stateFolder, 'record.json'), 'utf8')
  const { gates } = JSON.parse(text) as { gates: Record<string, { unchecked: number }> }
  return gates['investigate-gate']?.unchecked ?? 0
}

/** Codes of the errors that an answer tells. */
export const codesOf = ({ markers }: HookAnswer): string[] =>
  markers.flatMap(({ fields }) => fields['code'] ?? [])

/** Contents that stand neither in the work tree nor in a file of the session. */
export function lostContents({ repo, session }: Armed, contents: readonly string[]): string[] {
  const files = [...filesBelow(repo.folder), ...filesBelow(session.stateFolder)]
  const texts = files.map((file) => readFileSync(file, 'utf8'))
  return contents.filter((content) => !texts.includes(content))
}

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('/.git/'))
    .map((entry) => join(entry.parentPath, entry.name))

/** The next check; on a busy machine one may end by its deadline, and the one after it goes on. */
export async function checkUntilDone(session: Session): Promise<HookAnswer> {
  for (let check = 0; ; check += 1) {
    const answer = await session.check('PostToolUse')
    if (!codesOf(answer).includes('GATE_TIMEOUT') || check === 5) return answer
  }
}

/**
 * Runs a pass that something disturbs, then one that nothing does.
 *
 * @param before what the repository has to be in the end
 * @returns what is wrong, in words; empty when every promise held
 */
async function disturb(
  at: Armed,
  {
    pass,
    before,
    round,
    run,
  }: { pass: WritingPass; before: RepoSnapshot; round: number; run: HookRunOptions },
): Promise<{ readonly wrong: readonly string[]; readonly answer: HookAnswer }> {
  const { repo, session } = at
  const contents = pass.act(at, round)
  const commit = repo.git('rev-parse', 'HEAD')
  const countedBefore = uncheckedOf(at)
  const answer = await session.hook('PostToolUse', { run })

  const wrong: string[] = []
  const expectThat = (holds: boolean, words: string) => {
    if (!holds) wrong.push(words)
  }
  const isKilled = answer.exitCode === undefined
  const isCounted = uncheckedOf(at) > countedBefore
  const isTold = answer.decision === 'block' || answer.systemMessage !== '' || isCounted
  expectThat(isKilled || answer.exitCode === 0, `exit code ${String(answer.exitCode)}: ${answer.stderr}`)
  expectThat(isKilled || isTold, `silent: ${answer.stderr}`)
  expectThat(!codesOf(answer).includes('GATE_UNEXPECTED'), answer.stderr)
  expectThat(lostContents(at, Object.values(contents)).length === 0, 'lost in the disturbed pass')

  const next = await checkUntilDone(session)
  const unlike = differences(before, stateOfRepo(repo))
  expectThat(unlike.length === 0, `not finished: ${unlike.join(', ')}: ${next.stdout}${next.stderr}`)
  expectThat(lostContents(at, Object.values(contents)).length === 0, 'lost in the next pass')
  expectThat(repo.git('fsck', '--no-dangling') === '', 'git fsck complains')
  expectThat(repo.git('rev-list', '--reflog', '--all').includes(commit), 'the commit is out of reach')
  const told = answer.reason + next.reason
  for (const path of Object.keys(contents)) expectThat(told.includes(path), `${path} is not named`)
  expectThat(
    repo.git('rev-parse', 'HEAD') === commit || told.includes(commit),
    'the undone commit is not named',
  )
  return { wrong, answer }
}

export interface Disturbance {
  /** What happens where, for whoever reads that it went wrong. */
  readonly name: string
  /** As `faultAt` takes it. */
  readonly fault: string
}

/**
 * Disturbs a pass once by each of some faults. What one of them left wrong is not carried into the next round.
 *
 * @param plan chooses them among the operations of a pass that nothing disturbs
 */
export async function disturbEach(
  world: World,
  pass: WritingPass,
  plan: (operations: readonly Operation[]) => readonly Disturbance[],
): Promise<{ readonly wrong: readonly string[]; readonly kills: number; readonly operations: number }> {
  let at = await pass.start(world)
  let before = stateOfRepo(at.repo)
  const operations = await listOperations(world, async (preload) => {
    await disturb(at, { pass, before, round: 1, run: { preload } })
  })
  const wrong: string[] = []
  let kills = 0
  for (const [round, { name, fault }] of plan(operations).entries()) {
    const run = { preload: faultAt(world, fault) }
    const found = await disturb(at, { pass, before, round: round + 2, run })
    if (found.answer.exitCode === undefined) kills += 1
    if (found.wrong.length === 0) continue
    wrong.push(`${name.replace(world.folder, '')}: ${found.wrong.join('; ')}`)
    at = await pass.start(world)
    before = stateOfRepo(at.repo)
  }
  return { wrong, kills, operations: operations.length }
}
