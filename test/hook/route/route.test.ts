import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { runHook } from '../../../src/hook/run.ts'
import { temporaryDir } from '../../helpers/temporary-dir.ts'

const NOW = new Date('2026-11-20T10:00:00Z')

let home: string
let env: Record<string, string>
beforeEach(() => {
  home = temporaryDir()
  env = { GSTACK_SKILL_ROUTING: 'on' }
  install(
    'investigate',
    'triggers:\n  - fix this bug\n  - why is this failing\n',
    '## Phase 1: Look at the code\n',
  )
  install('review', 'triggers:\n  - review my diff\n  - code review\n')
  install('other', 'triggers:\n  - deploy the app\n')
})

function install(name: string, fields: string, body = ''): void {
  const file = join(home, '.claude', 'skills', name, 'SKILL.md')
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `---\nname: ${name}\n${fields}---\n${body}`)
}

async function ask(prompt: unknown, payload: Record<string, unknown> = {}): Promise<string | undefined> {
  const call = { session_id: 's1', hook_event_name: 'UserPromptSubmit', prompt, ...payload }
  const answer = await runHook({
    args: ['skill-route'],
    stdin: Buffer.from(JSON.stringify(call)),
    env,
    home,
    now: () => NOW,
    packageRoot: '/opt/gstack',
    elapsedMs: () => 0,
  })
  if (answer.stdout === undefined) return undefined
  const output = JSON.parse(answer.stdout) as {
    hookSpecificOutput: { hookEventName: string; additionalContext: string }
  }
  expect(output.hookSpecificOutput.hookEventName).toBe('UserPromptSubmit')
  return output.hookSpecificOutput.additionalContext
}

const log = () => readFileSync(join(home, '.gstack', 'hooks', 'skill-route.log'), 'utf8')

test('a fitting prompt gets one line that names the skill', async () => {
  const context = await ask('this test fails, fix the bug please')

  expect(context).toContain('Run /investigate with the Skill tool before you start.')
  expect(log()).toBe('2026-11-20T10:00:00.000Z session=s1 event=routed skill=investigate score=1.00\n')
})

test.each([
  ['preview the diff viewer page', 'no-match'],
  ['deploy the app', 'no-match'],
  ['Почини этот баг', 'no-match'],
  ['/review my diff', 'slash'],
  ['<task-notification> fix this bug', 'task-notification'],
  [`fix this bug ${'x'.repeat(8_000)}`, 'too-long'],
  ['\u200b', 'empty'],
])('%j gets nothing', async (prompt, reason) => {
  expect(await ask(prompt)).toBeUndefined()
  expect(log()).toBe(`2026-11-20T10:00:00.000Z session=s1 event=no-route reason=${reason}\n`)
})

test('the log never holds prompt text', async () => {
  await ask('sesame why is this failing')
  await ask('sesame')
  await ask(['sesame'])

  expect(log().split('\n')).toHaveLength(4)
  expect(log()).not.toContain('sesame')
})

describe('the switch', () => {
  test('off by default, then nothing is read or logged', async () => {
    env = {}

    expect(await ask('fix this bug')).toBeUndefined()
    expect(() => log()).toThrow('ENOENT')
  })

  test('config turns it on', async () => {
    env = {}
    mkdirSync(join(home, '.gstack'))
    writeFileSync(join(home, '.gstack', 'config.yaml'), 'skill_routing: yes\n')

    expect(await ask('fix this bug')).toBeDefined()
  })

  test('an unreadable config is off', async () => {
    env = {}
    mkdirSync(join(home, '.gstack', 'config.yaml'), { recursive: true })

    expect(await ask('fix this bug')).toBeUndefined()
  })
})

describe('the wording', () => {
  test('adds the first step', async () => {
    env['GSTACK_SKILL_ROUTE_HINT'] = 'step'

    expect(await ask('fix this bug')).toContain('Its first step: Look at the code.')
  })

  test('adds the contract', async () => {
    env['GSTACK_SKILL_ROUTE_HINT'] = 'contract'
    install(
      'review',
      'triggers: [code review]\ncontract: { version: 1, items: [{ id: findings, kind: report_labels }] }\n',
    )

    expect(await ask('code review')).toContain('It is done when these exist: findings.')
  })
})

describe('errors', () => {
  test('a payload without a prompt is silent and counted', async () => {
    expect(await ask(undefined)).toBeUndefined()
    expect(await ask(1)).toBeUndefined()
    await ask(1, { session_id: 's2' })

    expect(log().match(/session=\S+ event=error code=\S+ failures=\d+/g)).toEqual([
      'session=s1 event=error code=SKILL_ROUTE_ERROR failures=1',
      'session=s1 event=error code=SKILL_ROUTE_ERROR failures=2',
      'session=s2 event=error code=SKILL_ROUTE_ERROR failures=1',
    ])
  })

  test('a broken SKILL.md is named in the log and stops no other', async () => {
    install('broken', '\ttriggers: [x\n')

    expect(await ask('fix this bug')).toBeDefined()
    expect(log()).toMatch(
      /event=error code=SKILL_ROUTE_ERROR failures=1 file=\S+\/broken\/SKILL\.md message=/,
    )
  })

  test('a session id that could leave its field is not repeated', async () => {
    await ask('fix this bug', { session_id: '../x\ny' })

    expect(log()).toContain('session=unknown ')
  })

  test('a state root that is a file costs the log, never the prompt', async () => {
    writeFileSync(join(home, '.gstack'), '')

    expect(await ask('fix this bug')).toBeUndefined()
  })
})
