import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { armed } from '../helpers/armed.ts'
import { PACKAGE, test, type World } from '../helpers/world.ts'
import type { Session } from '../helpers/session.ts'

interface Counts {
  readonly errors: number
  readonly unchecked: number
}

async function report(world: World, session?: Session) {
  const named = session === undefined ? [] : ['--session', session.id]
  const { stdout, exitCode } = await world.program('gstack-skill-gates', 'report', '--json', ...named)
  const { sessions } = JSON.parse(stdout) as {
    sessions: { session: string; gates: Record<string, Counts> }[]
  }
  const { errors, unchecked } = sessions[0]?.gates['investigate-gate'] ?? {}
  return { exitCode, errors, unchecked, first: sessions[0]?.session }
}

/** The client's own note of a hook that it killed at its timeout. */
function noteTimeout(
  { transcript }: Session,
  {
    event,
    id,
    command = `${PACKAGE}bin/gstack-hook investigate-gate`,
  }: { event: string; id: string; command?: string },
): void {
  transcript.attachment({
    type: 'hook_cancelled',
    hookName: event,
    toolUseID: id,
    hookEvent: event,
    command,
    durationMs: 5,
    timedOut: true,
    timeoutMs: 25_000,
  })
}

/** A call after which no certificate is left: the last change that its check makes takes its own mark away. */
const JUDGED_EACH = { tool: 'Write', input: { file_path: 'scratch.txt', content: '' } }

async function lastChange(session: Session): Promise<string> {
  const { stderr } = await session.hook('PreToolUse', { ...JUDGED_EACH, run: { killPoint: 'count' } })
  return `change:${/changes (\d+)/.exec(stderr)?.[1] ?? ''}`
}

describe('what a killed check had put back', () => {
  test('is named with its copies by the next check, which blocks and says that it is late', async ({
    world,
  }) => {
    const { repo, session } = await armed(world)
    repo.append('src/cart.js', 'fix\n')
    repo.append('src/price.js', 'fix\n')
    await session.hook('PostToolUse', { run: { killPoint: 'replace-kept' } })

    const next = await session.check('PostToolUse')

    expect(next.decision, next.stderr).toBe('block')
    expect(next.reason).toMatch(/src\/cart\.js \(what it held is kept in \S+/)
    expect(next.reason).toContain('src/price.js')
    expect(next.reason).toContain('Found late')
    expect(next.systemMessage).toContain('put%20back%20src/cart.js')
    expect((await session.check('PreToolUse')).stdout).toBe('')
  })

  test('is told once, also when the check that tells it is killed', async ({ world }) => {
    const { repo, session } = await armed(world)
    repo.append('src/cart.js', 'fix\n')
    await session.hook('PostToolUse', { run: { killPoint: 'replace-kept' } })
    repo.append('src/price.js', 'fix\n')
    await session.hook('PostToolUse', { run: { killPoint: 'replace-kept' } })

    const next = await session.check('PostToolUse')

    expect(next.reason).toContain('src/cart.js')
    expect(next.reason).toContain('src/price.js')
    expect(await report(world, session)).toMatchObject({ exitCode: 3, errors: 2, unchecked: 2 })
  })

  test('is told to the person when the cause is stated meanwhile', async ({ world }) => {
    const { repo, session } = await armed(world)
    repo.append('src/cart.js', 'fix\n')
    await session.hook('PostToolUse', { run: { killPoint: 'replace-kept' } })
    session.reads('src/cart.js').says('Root cause: the total is rounded twice, src/cart.js:2')

    const next = await session.check('PreToolUse')

    expect(next.decision).toBeUndefined()
    expect(next.systemMessage).toMatch(
      /put back by a check that could not say so: src\/cart\.js \(what it held: /,
    )
  })

  test('waits for its own session when another one finds the kill', async ({ world }) => {
    const { repo, session } = await armed(world)
    repo.append('src/cart.js', 'fix\n')
    await session.hook('PostToolUse', { run: { killPoint: 'replace-kept' } })
    await world.session({ cwd: repo.folder }).loads('investigate').arm()

    const next = await session.check('PostToolUse')

    expect(next.reason).toContain('src/cart.js')
  })
})

describe('what a check that ended in an error had put back', () => {
  test('is named by the next check, and counts once', async ({ world }) => {
    const { repo, session } = await armed(world)
    repo.append('src/cart.js', 'fix\n')
    mkdirSync(join(session.stateFolder, 'kept.jsonl'))
    const failed = await session.check('PostToolUse')
    await world.run('rmdir', [join(session.stateFolder, 'kept.jsonl')])

    const next = await session.check('PostToolUse')

    expect(failed.markers).toMatchObject([{ event: 'error', fields: { code: 'GATE_STATE' } }])
    expect(next.reason).toContain('src/cart.js')
    expect(await report(world, session)).toMatchObject({ exitCode: 3, errors: 1, unchecked: 1 })
  })
})

describe('a hook that the client killed before it had begun', () => {
  test('counts as unchecked at the next hook, once', async ({ world }) => {
    const { session } = await armed(world)
    noteTimeout(session, { event: 'PreToolUse', id: 'toolu_gone' })

    const next = await session.check('PreToolUse')
    await session.check('PostToolUse')

    expect(next.markers).toMatchObject([{ event: 'error', fields: { code: 'GATE_KILLED' } }])
    expect(await report(world, session)).toMatchObject({ exitCode: 3, errors: 1, unchecked: 1 })
  })

  test('counts in report, although no hook has run since', async ({ world }) => {
    const { session } = await armed(world)
    noteTimeout(session, { event: 'Stop', id: 'b191fc7a-78df-4401-8706-75f09b1290c7' })

    expect(await report(world, session)).toMatchObject({ exitCode: 3, errors: 1, unchecked: 1 })
    expect(await report(world, session)).toMatchObject({ exitCode: 3, errors: 1, unchecked: 1 })
  })

  test('counts once when it had left a mark of its own, too', async ({ world }) => {
    const { repo, session } = await armed(world)
    repo.append('src/cart.js', 'fix\n')
    await session.hook('PreToolUse', { id: 'toolu_both', run: { killPoint: 'replace-kept' } })
    noteTimeout(session, { event: 'PreToolUse', id: 'toolu_both' })

    await session.check('PostToolUse')

    expect(await report(world, session)).toMatchObject({ errors: 1, unchecked: 1 })
  })

  test('does not count when it was the hook of somebody else, or of another gate', async ({ world }) => {
    const { session } = await armed(world)
    noteTimeout(session, { event: 'Stop', id: 'one', command: '/opt/lint/bin/check' })
    noteTimeout(session, { event: 'Stop', id: 'two', command: `${PACKAGE}bin/gstack-hook ceo-review-gate` })

    expect((await session.check('PreToolUse')).stdout).toBe('')
    expect(await report(world, session)).toMatchObject({ exitCode: 0, errors: 0, unchecked: 0 })
  })
})

describe('a hook that was killed by Esc', () => {
  test('is no error when its call did not run, and its work is told all the same', async ({ world }) => {
    const { repo, session } = await armed(world)
    repo.append('src/cart.js', 'fix\n')
    await session.hook('PreToolUse', { id: 'toolu_esc', run: { killPoint: 'replace-kept' } })
    session.transcript.toolResult('toolu_esc', "The user doesn't want to proceed with this tool use.", {
      is_error: true,
      toolUseResult: 'User rejected tool use',
    })

    const next = await session.check('PreToolUse')

    expect(next.reason).toContain('src/cart.js')
    expect(next.systemMessage).not.toContain('GATE_KILLED')
    expect(await report(world, session)).toMatchObject({ exitCode: 0, errors: 0, unchecked: 0 })
  })

  test('is an error when its call ran', async ({ world }) => {
    const { session } = await armed(world)
    const killed = await session.hook('PreToolUse', {
      ...JUDGED_EACH,
      id: 'toolu_ran',
      run: { killPoint: await lastChange(session) },
    })
    session.transcript.toolResult('toolu_ran', 'done')

    await session.check('PreToolUse')

    expect(killed.exitCode).toBeUndefined()
    expect(await report(world, session)).toMatchObject({ exitCode: 3, errors: 1, unchecked: 1 })
  })
})

describe('report', () => {
  test('says per gate how many calls went unchecked, and lists a session first whose last check failed', async ({
    world,
  }) => {
    const failing = async (name: string, healed: boolean) => {
      const repo = world.repo('plain')
      const session = world.session({ cwd: repo.folder, id: name }).loads('investigate')
      await session.arm()
      repo.append('src/cart.js', 'fix\n')
      await session.hook('PostToolUse', { run: { killPoint: 'replace-exchange' } })
      if (healed) await session.check('PostToolUse')
      return session
    }
    await failing('a-healed', true)
    await failing('b-failing', false)

    const text = await world.program('gstack-skill-gates', 'report')

    expect(text.exitCode).toBe(3)
    expect(text.stdout).toMatch(/^session b-failing/)
    expect(text.stdout.match(/investigate-gate: 1 gated call or stop went through unchecked/g)).toHaveLength(
      2,
    )
  })

  test('of a check that succeeded quietly after a kill no longer calls the next block late', async ({
    world,
  }) => {
    const { repo, session } = await armed(world)
    const killed = await session.hook('PreToolUse', {
      ...JUDGED_EACH,
      run: { killPoint: await lastChange(session) },
    })
    await session.check('PreToolUse')
    repo.append('src/cart.js', 'fix\n')

    const block = await session.check('PostToolUse')

    expect(killed.exitCode).toBeUndefined()
    expect(block.decision).toBe('block')
    expect(block.reason).not.toContain('Found late')
  })
})

test('an error that the record could not take is filed by the next pass', async ({ world }) => {
  const { repo, session } = await armed(world)
  repo.append('src/cart.js', 'fix\n')
  const record = join(session.stateFolder, 'record.json')
  const text = readFileSync(record, 'utf8')
  writeFileSync(record, '{')
  await session.check('PostToolUse')
  writeFileSync(record, text)

  const next = await session.check('PostToolUse')

  expect(next.decision, next.stderr).toBe('block')
  expect(await report(world, session)).toMatchObject({ exitCode: 3, errors: 1, unchecked: 1 })
})
