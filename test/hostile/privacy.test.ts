import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { CAUSE } from '../helpers/armed.ts'
import { PACKAGE, test, type World } from '../helpers/world.ts'

/** Everything below a folder that group or others could read, write or enter, with its mode. */
function openToOthers(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isSymbolicLink())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => (lstatSync(path).mode & 0o077) !== 0)
    .map((path) => `${path.slice(folder.length + 1)} ${(lstatSync(path).mode & 0o777).toString(8)}`)
}

/** A folder of ours keeps others out of everything below it. */
const reachable = (paths: readonly string[], closed: readonly string[]): string[] =>
  paths.filter((path) => !closed.some((folder) => path.startsWith(`${folder}/`)))

/** The registered hook under a umask that hides nothing. */
async function runOpenly(world: World, payload: object): Promise<void> {
  const hook = join(PACKAGE, 'bin/gstack-hook')
  await world.run('sh', ['-c', `umask 000 && exec '${hook}' investigate-gate`], {
    cwd: world.home,
    input: JSON.stringify(payload),
  })
}

test('others can read nothing of a session, whatever the umask', async ({ world }) => {
  const repo = world.repo('dirty-start')
  const session = world.session({ cwd: repo.folder }).loads('investigate')
  const payload = (event: string, more: object = {}) => ({
    session_id: session.id,
    transcript_path: session.transcript.file,
    cwd: repo.folder,
    hook_event_name: event,
    tool_name: 'Bash',
    tool_use_id: 'toolu_1',
    tool_input: { command: ':' },
    ...more,
  })

  await runOpenly(world, payload('PreToolUse'))
  repo.append('src/clean.js', 'fix\n')
  repo.append('src/edited.js', 'fix\n')
  repo.mode('src/clean.js', 0o666)
  await runOpenly(world, payload('PostToolUse'))
  repo.append('src/clean.js', 'fix\n')
  repo.git('commit', '-qam', 'fix')
  await runOpenly(world, payload('PostToolUse'))
  session.reads('src/clean.js').says(`Root cause: ${CAUSE}`)
  await runOpenly(world, payload('Stop', { last_assistant_message: `Root cause: ${CAUSE}` }))

  const kept = readdirSync(join(session.stateFolder, 'kept'))
  expect(kept.length).toBeGreaterThan(0)
  const closed = ['skill-gates', 'hooks', 'skill-contracts'].filter((name) =>
    readdirSync(world.stateRoot).includes(name),
  )
  expect(closed.map((name) => lstatSync(join(world.stateRoot, name)).mode & 0o777)).toEqual(
    closed.map(() => 0o700),
  )
  expect(reachable(openToOthers(world.stateRoot), closed)).toEqual([])
  // What we write ourselves is closed by its own mode, too; a displaced file keeps the mode its owner gave it.
  expect(openToOthers(world.stateRoot).filter((path) => !path.includes('/kept/'))).toEqual([])
})
