import { statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { describe, expect } from 'vitest'
import { REPORT, story } from '../../helpers/contract-story.ts'
import { install, PROGRAM, recordFile, recordOf, stop } from '../../helpers/contract-world.ts'
import { test } from '../../helpers/world.ts'
import { blockedRun, outcomes, start, unmet } from './runs.ts'

const LINE = `SKILL_CONTRACT_UNMET investigate (contract v1): missing debug-report, repro-after-fix. Fix: debug-report: print the DEBUG REPORT with real values for Symptom, Root cause, Fix, Evidence; repro-after-fix: run the test or repro again after your last edit and show its result. If an item truly does not apply, run '${PROGRAM}' waive <item> --reason "<why>" (this session only; counted as a miss for follow). This blocks once.`

test('the worked example: blocked once with the exact line, then met_after_block', async ({ world }) => {
  install(world, 'investigate')

  const first = await stop(world, unmet())
  expect(first.json).toEqual({ decision: 'block', reason: LINE })
  expect(recordOf(world).runs).toMatchObject([
    { skill: 'investigate', outcome: 'blocked', missing: ['debug-report', 'repro-after-fix'] },
  ])

  const second = await stop(world, blockedRun().bash('bun test').says(REPORT), {
    payload: { stop_hook_active: true },
  })
  expect(second).toMatchObject({ stdout: '', stderr: '', exitCode: 0 })
  expect(outcomes(world)).toEqual(['investigate met_after_block'])
})

test('a second unmet stop goes through and is a miss', async ({ world }) => {
  install(world, 'investigate')
  await stop(world, unmet())

  const second = await stop(world, blockedRun().says('It is fixed.'), { payload: { stop_hook_active: true } })

  expect(second.stdout).toBe('')
  expect(outcomes(world)).toEqual(['investigate miss'])
})

test('the record is private, and its folder too', async ({ world }) => {
  install(world, 'investigate')

  await stop(world, unmet())

  const mode = (path: string) => (statSync(path).mode & 0o777).toString(8)
  expect([mode(recordFile(world)), mode(dirname(recordFile(world)))]).toEqual(['600', '700'])
})

test('a met run stays met when a later turn of the session edits something else', async ({ world }) => {
  install(world, 'investigate')
  const told = start().edits().bash('bun test').says(REPORT)
  await stop(world, told)

  const later = await stop(world, told.prompts('Now fix the README.').edits('README.md').says('Done.'))

  expect(later.stdout).toBe('')
  expect(outcomes(world)).toEqual(['investigate met'])
})

test('a new load is a run of its own, and may be blocked again', async ({ world }) => {
  install(world, 'investigate')
  await stop(world, unmet())

  const again = await stop(
    world,
    blockedRun().says('No.').prompts('Again.').loads('investigate').edits().says('Fixed.'),
  )

  expect(again.decision).toBe('block')
  expect(outcomes(world)).toEqual(['investigate blocked', 'investigate blocked'])
})

test('the last text is read from the payload when the transcript lacks it still', async ({ world }) => {
  install(world, 'investigate')
  const told = start().edits().bash('bun test')

  const answer = await stop(world, told, { payload: { last_assistant_message: REPORT } })

  expect(answer.stdout).toBe('')
  expect(outcomes(world)).toEqual(['investigate met'])
})

test('earlier blocks of the last message count beside the payload', async ({ world }) => {
  install(world, 'investigate')
  const told = start().edits().bash('bun test').says(REPORT, 'That is all. STATUS: DONE')

  const answer = await stop(world, told)

  expect(answer.stdout).toBe('')
})

test('the newest skill with a contract is the one that counts', async ({ world }) => {
  install(world, 'investigate')
  install(world, 'plain', null)

  const answer = await stop(world, start().edits().loads('plain').loads('not-installed').says('Done.'))

  expect(answer.reason).toContain('SKILL_CONTRACT_UNMET investigate')
})

test('a session without such a skill is left alone and leaves nothing behind', async ({ world }) => {
  install(world, 'plain', null)

  const answers = [
    await stop(world, story().prompts('Hi').says('Hello.')),
    await stop(world, story().loads('plain').edits().says('Done.')),
  ]

  expect(answers.map(({ stdout, stderr }) => stdout + stderr)).toEqual(['', ''])
  expect(() => recordOf(world)).toThrow()
})

test('with the switch off nothing happens', async ({ world }) => {
  install(world, 'investigate')

  const answer = await stop(world, unmet(), { env: { GSTACK_SKILL_CONTRACTS: 'off' } })

  expect(answer).toMatchObject({ stdout: '', stderr: '', exitCode: 0 })
})

describe('only a final turn counts', () => {
  const interactive = { CLAUDE_CODE_ENTRYPOINT: 'cli', CLAUDE_CODE_SESSION_ATTENDED: '1' }

  test('a question to a person is never blocked', async ({ world }) => {
    install(world, 'investigate')

    const answer = await stop(world, start().edits().says('Which database do you use?'), { env: interactive })

    expect(answer.stdout).toBe('')
    expect(world.log('skill-contract').at(-1)).toContain('event=allowed reason=not-final')
  })

  test('the same question where nobody answers is final', async ({ world }) => {
    install(world, 'investigate')

    expect((await stop(world, start().edits().says('Which database do you use?'))).decision).toBe('block')
  })
})

describe('stop_hook_active', () => {
  test('set by another hook: no block and no outcome, checked at the next final stop', async ({ world }) => {
    install(world, 'investigate')

    const continued = await stop(world, unmet(), { payload: { stop_hook_active: true } })
    expect(continued.stdout).toBe('')
    expect(() => recordOf(world)).toThrow()

    expect((await stop(world, unmet())).decision).toBe('block')
  })
})

test('another session with the same records that did not go on after that stop is none', async ({
  world,
}) => {
  install(world, 'investigate')
  await stop(world, unmet())

  expect((await stop(world, unmet(), { session: 's2' })).decision).toBe('block')
})

test('a forked session knows what became of the run that it copied', async ({ world }) => {
  install(world, 'investigate')
  const told = start().edits().bash('bun test').says(REPORT)
  await stop(world, told)
  const record = recordOf(world)
  const beforeTheFork = '2026-11-20T10:00:10.000Z'
  const runs = record.runs.map((run) => ({ ...run, recorded_at: beforeTheFork }))
  writeFileSync(recordFile(world), JSON.stringify({ ...record, runs }))

  const fork = await stop(world, told.prompts('Now the README.').edits('README.md').says('Done.'), {
    session: 's2',
  })

  expect(fork.stdout).toBe('')
})

test('each decision is one line in the log', async ({ world }) => {
  install(world, 'investigate')
  await stop(world, unmet())

  await stop(world, blockedRun().bash('bun test').says(REPORT), { payload: { stop_hook_active: true } })

  const lines = world.log('skill-contract').map((line) => line.replace(/^\S+ /, ''))
  expect(lines).toEqual([
    'session=s1 event=blocked skill=investigate missing=debug-report,repro-after-fix',
    'session=s1 event=met_after_block skill=investigate',
  ])
})

test('a subagent that stops is not held', async ({ world }) => {
  install(world, 'investigate')

  const answer = await stop(world, unmet(), { payload: { agent_id: 'a1' } })

  expect(answer).toMatchObject({ stdout: '', stderr: '' })
})
