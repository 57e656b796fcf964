import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect } from 'vitest'
import { armed, CAUSE } from '../../helpers/armed.ts'
import { checkStep, expectStandard } from '../../helpers/standard.ts'
import { test } from '../../helpers/world.ts'

describe('a cause in the same message as the call', () => {
  test('counts when its record arrives while the hook runs', async ({ world }) => {
    const { repo, session } = await armed(world)
    session.reads('src/price.js')

    const running = session.edit(repo.path('src/price.js'), 'fixed\n', { recorded: false, id: 'toolu_late' })
    await sleep(120)
    session.says(`Root cause: ${CAUSE}`)
    session.transcript.toolUse('toolu_late', 'Edit', { file_path: repo.path('src/price.js') })

    expect((await running).decision).toBeUndefined()
  })

  test('counts at the latest when the same call is repeated', async ({ world }) => {
    const { repo, session } = await armed(world)
    session.reads('src/price.js')
    const first = await session.edit(repo.path('src/price.js'), 'fixed\n', { recorded: false })
    session.says(`Root cause: ${CAUSE}`)

    const second = await session.edit(repo.path('src/price.js'), 'fixed\n')

    expect([first.decision, second.decision]).toEqual(['deny', undefined])
  })

  test('does not count for a call that stands before it', async ({ world }) => {
    const { repo, session } = await armed(world)
    session.reads('src/price.js')
    session.transcript.toolUse('toolu_before', 'Edit', { file_path: repo.path('src/price.js') })
    session.says(`Root cause: ${CAUSE}`)

    const answer = await session.edit(repo.path('src/price.js'), 'fixed\n', {
      recorded: false,
      id: 'toolu_before',
    })

    expect(answer.decision).toBe('deny')
  })

  test('keeps a write that its PostToolUse finds', async ({ world }) => {
    const { repo, session } = await armed(world)
    session.reads('src/price.js')

    await session.hook('PreToolUse', {
      command: 'sed -i s/a/b/ src/price.js',
      recorded: false,
      id: 'toolu_sed',
    })
    repo.append('src/price.js', '// fixed\n')
    const running = session.hook('PostToolUse')
    await sleep(120)
    session.says(`Root cause: ${CAUSE}`)
    session.transcript.toolUse('toolu_sed', 'Bash', { command: 'sed -i s/a/b/ src/price.js' })

    expect((await running).decision).toBeUndefined()
    expect(repo.read('src/price.js')).toContain('// fixed')
  })

  test('is waited for only where a call would be denied', async ({ world }) => {
    const { session } = await armed(world)
    const recorded = Math.min(
      ...(await Promise.all([session.check('PreToolUse'), session.check('PreToolUse')])).map(({ ms }) => ms),
    )

    const late = await session.hook('PreToolUse', { recorded: false })

    expect(late.ms).toBeLessThan(recorded + 200)
  })
})

describe('a subagent', () => {
  test("that states a cause after a look of its own releases the run for everybody's calls", async ({
    world,
  }) => {
    const { session } = await armed(world)
    const subagent = session.subagent().reads('src/price.js').says(`Root cause: ${CAUSE}`)

    const its = await subagent.edit('src/price.js', 'fixed\n')
    const main = await session.edit('src/cart.js', 'fixed\n')

    expect(its.markers).toMatchObject([{ event: 'released' }])
    expect([its.decision, main.decision]).toEqual([undefined, undefined])
  })

  test('cannot lean on the look of another', async ({ world }) => {
    const { session } = await armed(world)
    session.reads('src/price.js')
    const subagent = session.subagent().says(`Root cause: ${CAUSE}`)

    expect((await subagent.edit('src/price.js', 'fixed\n')).decision).toBe('deny')
  })

  test('releases nothing for a call of the main session before it made one', async ({ world }) => {
    const { session } = await armed(world)
    session.subagent().reads('src/price.js').says(`Root cause: ${CAUSE}`)

    expect((await session.edit('src/price.js', 'fixed\n')).decision).toBe('deny')
  })

  test('that loads the skill arms nothing', async ({ world }) => {
    world.repo('plain')
    const session = world.session().prompts('Fix it.')
    const subagent = session.subagent().loads('investigate')

    const answers = [await subagent.edit('src/price.js', 'fixed\n'), await session.arm()]

    expect(answers.map(({ stdout }) => stdout)).toEqual(['', ''])
  })

  test('whose transcript does not exist yet is held like any other', async ({ world }) => {
    const { session } = await armed(world)

    const answer = await session.hook('PreToolUse', {
      tool: 'Edit',
      input: { file_path: 'src/price.js' },
      payload: { agent_id: 'a0000000000000000', agent_type: 'general-purpose' },
    })

    expect(answer).toMatchObject({ decision: 'deny', stderr: '' })
  })
})

describe('a session that', () => {
  test('was resumed by a new client pins anew and puts nothing back', async ({ world }) => {
    const { repo, session } = await armed(world)
    repo.append('src/cart.js', 'by the user, between two clients\n')
    world.env['CLAUDE_PID'] = '4242'
    const acted = repo.snapshot()

    const first = await session.check('PreToolUse')
    const second = await session.check('PostToolUse')

    expect([first.decision, second.stdout]).toEqual([undefined, ''])
    expect(repo.snapshot()).toEqual(acted)
    expect(world.log().filter((line) => line.includes('event=observed'))).toHaveLength(1)
    expect(world.log().filter((line) => line.includes('event=fired'))).toHaveLength(1)
  })

  test('was resumed is held against what it found', async ({ world }) => {
    const { repo, session } = await armed(world)
    repo.append('src/cart.js', 'by the user\n')
    world.env['CLAUDE_PID'] = '4242'
    await session.check('PreToolUse')

    const step = await checkStep({ world, repo, session, event: 'PostToolUse' }, () =>
      repo.append('src/cart.js', 'fix\n'),
    )

    await expectStandard(step, ['src/cart.js'])
  })

  test('was forked stays released where the old one was', async ({ world }) => {
    const { session } = await armed(world)
    session.reads('src/price.js').says(`Root cause: ${CAUSE}`)
    const fork = world.session()
    copyFileSync(session.transcript.file, fork.transcript.file)

    const answer = await fork.edit('src/price.js', 'fixed\n')

    expect(answer.decision).toBeUndefined()
  })

  test('was forked while held is held', async ({ world }) => {
    const { session } = await armed(world)
    const fork = world.session()
    copyFileSync(session.transcript.file, fork.transcript.file)

    expect((await fork.edit('src/price.js', 'fixed\n')).decision).toBe('deny')
  })

  test('was compacted is the same run, and the reminder of its skills is no load', async ({ world }) => {
    const { session } = await armed(world)
    session.reads('src/price.js').says(`Root cause: ${CAUSE}`)
    await session.check('PreToolUse')
    session.transcript.bare({
      type: 'system',
      subtype: 'compact_boundary',
      compactMetadata: { trigger: 'auto' },
    })
    session.transcript.user(
      'This session is being continued from a previous conversation. /investigate was loaded.',
      { isCompactSummary: true },
    )
    session.transcript.attachment({
      type: 'invoked_skills',
      skills: [{ name: 'investigate', path: 'userSettings:investigate', content: '# /investigate' }],
    })

    const answer = await session.edit('src/price.js', 'fixed\n')

    expect(answer.stdout).toBe('')
  })

  test('moves into a worktree is held there from the first call on', async ({ world }) => {
    const { repo, session } = await armed(world, 'worktree')
    const second = repo.path('../second')
    session.cwd = second
    await session.check('PreToolUse')
    writeFileSync(join(second, 'src/a.js'), 'fix\n')
    repo.write('src/a.js', 'fix\n')

    const answer = await session.check('PostToolUse')

    expect(answer.decision).toBe('block')
    expect(readFileSync(join(second, 'src/a.js'), 'utf8')).toBe('topic a\n')
    expect(repo.read('src/a.js')).toBe('main a\n')
  })
})
