import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect } from 'vitest'
import { newFactSheet } from '../../../src/store/fact-sheet.ts'
import { statePathsFrom } from '../../../src/store/paths.ts'
import { EXAMPLE_CONTRACT } from '../../helpers/contract-story.ts'
import { install, installText, recordFile, stop, stopAt, transcriptOf } from '../../helpers/contract-world.ts'
import { test } from '../../helpers/world.ts'
import { start, unmet } from './runs.ts'

describe('fail open', () => {
  const failure = (path: string, cause: string) =>
    `gstack-skill-contract: SKILL_CONTRACT_STATE_ERROR ${path}: ${cause}; stop allowed, miss not recorded (see docs/skill-routing-and-contracts.md#state-error)\n`

  test('a missing transcript', async ({ world }) => {
    install(world, 'investigate')

    const answer = await stopAt(world, '/nowhere/s1.jsonl')

    expect(answer).toMatchObject({
      stdout: '',
      exitCode: 0,
      stderr: failure('/nowhere/s1.jsonl', 'the transcript is missing'),
    })
  })

  test('a transcript over 32 MiB, or one that is no file', async ({ world }) => {
    const file = transcriptOf(world, 'x'.repeat(32 * 1024 * 1024 + 1))

    expect((await stopAt(world, file)).stderr).toBe(failure(file, 'the transcript is over 32 MiB'))
    expect((await stopAt(world, world.home)).stderr).toBe(
      failure(world.home, 'the transcript is not a regular file'),
    )
  })

  test('an unknown shape, which the canary counts', async ({ world }) => {
    const file = transcriptOf(world, '{"type":"user","message":{"content":7}}\n')

    await stopAt(world, file)
    const { stderr } = await stopAt(world, file)

    expect(stderr).toBe(failure(file, 'it is no transcript of a known shape'))
    const canary = readFileSync(join(world.stateRoot, 'hooks/skill-contract.canary.json'), 'utf8')
    expect(JSON.parse(canary)).toMatchObject({ count: 2 })
  })

  test('a corrupt record, which stays as it is', async ({ world }) => {
    install(world, 'investigate')
    mkdirSync(dirname(recordFile(world)), { recursive: true })
    writeFileSync(recordFile(world), '{"version":1,"runs":[{}]}')

    const answer = await stop(world, unmet())

    expect(answer).toMatchObject({
      stdout: '',
      stderr: failure(recordFile(world), 'it is not a session record'),
    })
    expect(readFileSync(recordFile(world), 'utf8')).toBe('{"version":1,"runs":[{}]}')
  })

  test('a record that cannot be written: no block', async ({ world }) => {
    install(world, 'investigate')
    writeFileSync(join(world.stateRoot, 'skill-contracts'), '')

    const answer = await stop(world, unmet())

    expect(answer.stdout).toBe('')
    expect(answer.stderr).toMatch(
      /^gstack-skill-contract: SKILL_CONTRACT_STATE_ERROR .*skill-contracts.*; stop allowed/,
    )
  })

  test('a state root that is not writable', async ({ world }) => {
    install(world, 'investigate')
    const transcript = transcriptOf(world, unmet())

    const answer = await stopAt(world, transcript, { env: { GSTACK_STATE_ROOT: '/proc/nowhere' } })

    expect(answer.stdout).toBe('')
    expect(answer.stderr).toMatch(/SKILL_CONTRACT_STATE_ERROR \/proc\/nowhere/)
  })

  test('an invalid contract names its file, field and problem', async ({ world }) => {
    const file = install(world, 'investigate', { version: 2, items: EXAMPLE_CONTRACT.items })

    const { stdout, stderr } = await stop(world, unmet())

    expect(stdout).toBe('')
    expect(stderr).toBe(failure(file, 'contract.version: 2 is not supported, only 1 is'))
  })

  test('a broken SKILL.md of another skill hides no contract', async ({ world }) => {
    install(world, 'investigate')
    installText(world, 'broken', '---\nname: broken\ntriggers: [a\n---\n')
    installText(world, 'binary', Buffer.from([0, 159, 146, 150]))

    const answer = await stop(world, start().edits().loads('broken').says('Done.'))

    expect(answer.decision).toBe('block')
  })

  test('a pattern that would run for years', async ({ world }) => {
    install(world, 'investigate', {
      version: 1,
      items: [{ id: 'a', kind: 'agent_dispatch', match: '(a+)+$' }],
    })

    const answer = await stop(
      world,
      start()
        .agent(`${'a'.repeat(60)}!`)
        .says('Done.'),
    )

    expect(answer.stdout).toBe('')
    expect(answer.stderr).toContain('took over')
    expect(answer.ms).toBeLessThan(5_000)
  })

  test.each([
    ['no JSON', '{'],
    ['no session', '{}'],
    ['an unsafe session', '{"session_id":"../x","transcript_path":"/x"}'],
  ])('hook input with %s', async (_, input) => {
    const { runContractHook } = await import('../../../src/hook/contract.ts')
    const payload = input === '{' ? {} : (JSON.parse(input) as Record<string, unknown>)
    const env = { GSTACK_STATE_ROOT: '/proc/nowhere' }

    const answer = await runContractHook({
      payload,
      env,
      home: '/nowhere',
      paths: statePathsFrom(env, '/nowhere'),
      now: new Date(),
      deadline: { totalMs: 1, remaining: () => 1, check: () => undefined },
      packageRoot: '/opt/gstack',
      sheet: newFactSheet('/proc/nowhere'),
    })

    expect(answer.stdout).toBeUndefined()
    expect(answer.stderr).toContain('hook input: session_id is missing or no safe file name')
  })
})

test('a deadline that has passed fails open', async ({ world }) => {
  install(world, 'investigate')

  const { stdout, stderr } = await stop(world, unmet(), { env: { GSTACK_SKILL_GATE_DEADLINE_MS: '1' } })

  expect(stdout).toBe('')
  expect(stderr).toMatch(/no time left for .*; stop allowed/)
})
