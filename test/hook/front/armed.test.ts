/** When the front answers for a session that holds a run. Needs the build. */

import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect } from 'vitest'
import { armed, armIn, CAUSE, type Armed } from '../../helpers/armed.ts'
import { lonelyFront, whoAnswers } from '../../helpers/lonely-front.ts'
import type { Session } from '../../helpers/session.ts'
import { test, type World } from '../../helpers/world.ts'

/** State files and refs are trusted once they are older than a tick. */
const AGE_MS = 60

/** An armed session of which Node has seen a call with nothing changed, some time after everything was written. */
async function standing(world: World, shape = 'plain'): Promise<Armed> {
  const found = await armed(world, shape)
  await sleep(AGE_MS)
  await found.session.check('PostToolUse')
  await sleep(AGE_MS)
  await found.session.check('PreToolUse')
  return found
}

const certificate = (world: World, session: Session) =>
  join(world.stateRoot, 'skill-gates/.front', `investigate-gate~${session.id}`)

describe('nothing changed', () => {
  test('the front answers Bash calls and stops, and leaves no mark of its pass', async ({ world }) => {
    const { session } = await standing(world)

    expect(await whoAnswers(world, session, 'PreToolUse')).toBe('front')
    expect(await whoAnswers(world, session, 'PostToolUse')).toBe('front')
    expect(await whoAnswers(world, session, 'Stop')).toBe('front')
    expect(readdirSync(join(world.stateRoot, 'skill-gates/.in-flight'))).toEqual([])
  })

  test('edits, Skill calls and what a subagent does are for Node', async ({ world }) => {
    const { session } = await standing(world)

    for (const tool of ['Edit', 'Write', 'NotebookEdit', 'Skill'])
      expect(await whoAnswers(world, session, 'PreToolUse', { tool, input: {} })).toBe('node')
    expect(await whoAnswers(world, session, 'PreToolUse', { payload: { agent_id: 'a1' } })).toBe('node')
  })

  test('it counts as a check', async ({ world }) => {
    const { session } = await standing(world)
    utimesSync(certificate(world, session), 1, Date.now() / 1000 - 3600)

    expect(await whoAnswers(world, session)).toBe('front')
    expect(Date.now() - statSync(certificate(world, session)).mtimeMs).toBeLessThan(60_000)
  })

  test('a pause of the front alone does not count as a restart', async ({ world }) => {
    const { repo, session } = await standing(world)
    const longAgo = Date.now() / 1000 - 13 * 3600
    utimesSync(join(session.stateFolder, 'last-check'), longAgo, longAgo)
    expect(await whoAnswers(world, session)).toBe('front')
    writeFileSync(join(repo.folder, 'src/price.js'), 'fixed\n')

    const answer = await session.check('PostToolUse')

    expect(answer.decision).toBe('block')
  })
})

describe('any change is for Node', () => {
  test.for<readonly [string, string]>([
    ['a file', 'echo x >> src/price.js'],
    [
      'a file with its old time',
      'touch -r src/price.js ../t && echo x >> src/price.js && touch -r ../t src/price.js',
    ],
    ['a mode', 'chmod 600 src/price.js'],
    ['a missing file', 'rm src/price.js'],
    ['a folder that is a link', 'mv src ../src && ln -s ../src src'],
    ['the index', 'git rm -q --cached src/price.js'],
    ['a new branch', 'git branch new'],
    ['a branch that is overwritten in place', 'git rev-parse HEAD > .git/refs/heads/main'],
    ['packed refs', 'git pack-refs --all'],
    ['HEAD', 'git checkout -q --detach'],
    ['a stash', 'echo x > new && git add new && git stash -q'],
    ['an operation', 'mkdir .git/rebase-merge'],
    ['a remote', 'git update-ref refs/remotes/origin/main HEAD'],
    ['another git directory', 'cp -r .git ../g && rm -r .git && mv ../g .git'],
  ])('%s', async ([, command], { world }) => {
    const { repo, session } = await standing(world)
    expect(await whoAnswers(world, session)).toBe('front')

    await world.run('bash', ['-ec', command], { cwd: repo.folder })

    expect(await whoAnswers(world, session)).toBe('node')
  })

  test('a cause in the transcript, in any letter case and with any blank', async ({ world }) => {
    for (const text of ['root cause', 'ROOT   Cause', 'Root\ncause', 'root\u00a0cause']) {
      const { session } = await standing(world)
      session.says(`The ${text}: ${CAUSE}`)
      expect(await whoAnswers(world, session)).toBe('node')
    }
  })

  test('a cause in the last message only', async ({ world }) => {
    const { session } = await standing(world)
    const says = (last_assistant_message: string) => ({ payload: { last_assistant_message } })

    expect(await whoAnswers(world, session, 'Stop', says('The cause of the root.'))).toBe('front')
    expect(await whoAnswers(world, session, 'Stop', says(`Root\tCause: ${CAUSE}`))).toBe('node')
  })

  test('another client', async ({ world }) => {
    const { session } = await standing(world)

    for (const CLAUDE_PID of ['1', undefined])
      expect(await whoAnswers(world, session, 'PreToolUse', { run: { env: { CLAUDE_PID } } })).toBe('node')
  })

  test('another directory, and a repository that appears above the old one', async ({ world }) => {
    const { repo, session } = await standing(world)
    session.cwd = join(repo.folder, 'src')
    expect(await whoAnswers(world, session)).toBe('node')

    await session.check('PreToolUse')
    expect(await whoAnswers(world, session)).toBe('front')
    mkdirSync(join(repo.folder, 'src/.git'))
    expect(await whoAnswers(world, session)).toBe('node')
  })

  test('a check that is over twelve hours ago, or in the future', async ({ world }) => {
    const { session } = await standing(world)
    for (const seconds of [-13 * 3600, 3600]) {
      const at = Date.now() / 1000 + seconds
      utimesSync(certificate(world, session), at, at)
      expect(await whoAnswers(world, session)).toBe('node')
    }
  })

  test('a pass at work, whose mark stays', async ({ world }) => {
    const { session } = await standing(world)
    const mark = join(world.stateRoot, 'skill-gates/.in-flight/1-1.json')
    writeFileSync(mark, '{}')

    expect(await whoAnswers(world, session)).toBe('node')
    expect(readFileSync(mark, 'utf8')).toBe('{}')
    rmSync(mark)
    expect(await whoAnswers(world, session)).toBe('front')
  })

  test('pins that are gone', async ({ world }) => {
    const { session } = await standing(world)
    rmSync(join(session.stateFolder, 'roots'), { recursive: true })

    expect(await whoAnswers(world, session)).toBe('node')
  })
})

test('a file that the user took out of the index before, and that comes back, is for Node', async ({
  world,
}) => {
  const repo = world.repo('plain')
  repo.git('rm', '-q', 'src/price.js')
  const { session } = await armIn(world, repo)
  await sleep(AGE_MS)
  await session.check('PostToolUse')
  await sleep(AGE_MS)
  await session.check('PreToolUse')
  expect(await whoAnswers(world, session)).toBe('front')
  repo.write('src/price.js', 'fixed\n')

  const answer = await session.check('PostToolUse')

  expect(answer.decision).toBe('block')
  expect(answer.reason).toContain('src/price.js')
})

test('a file that the session staged anew and changes again keeps no call from the front', async ({
  world,
}) => {
  const { session } = await standing(world)
  await session.bash('echo 1 > repro.js && git add repro.js')
  await session.bash('echo 2 > repro.js')
  await sleep(AGE_MS)
  await session.check('PostToolUse')
  await sleep(AGE_MS)
  await session.check('PreToolUse')

  expect(await whoAnswers(world, session)).toBe('front')
})

const HAS_STRACE = spawnSync('strace', ['-V']).status === 0

test.skipIf(!HAS_STRACE)(
  'the mark that it leaves while it looks says which call that is',
  async ({ world }) => {
    const { repo, session } = await standing(world)
    // It is killed as it is about to take its mark away.
    const odd = 'toolu_"\\\n'
    const script = `strace -qq -f -e trace=unlinkat -e inject=unlinkat:signal=KILL -o /dev/null '${lonelyFront(world)}' investigate-gate`
    const payload = {
      session_id: session.id,
      transcript_path: session.transcript.file,
      cwd: repo.folder,
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
      tool_use_id: odd,
    }
    await world.run('bash', ['-c', script], { input: JSON.stringify(payload) })

    const marks = join(world.stateRoot, 'skill-gates/.in-flight')
    const [name = ''] = readdirSync(marks)
    expect(JSON.parse(readFileSync(join(marks, name), 'utf8'))).toMatchObject({
      session: session.id,
      hook: 'investigate-gate',
      event: 'PreToolUse',
      call: { id: odd, transcript: session.transcript.file },
    })
  },
)
