import { chmodSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { hookCommand } from '../../src/core/registration.ts'
import { sealedText } from '../../src/store/sealed.ts'
import { PACKAGE, test, type World } from '../helpers/world.ts'

interface Answer {
  readonly ok: boolean
  readonly findings: readonly { check: string; status: string; found: string; fix?: string }[]
}

function machine(world: World) {
  const { GSTACK_INVESTIGATE_GATE: _gate, ...env } = world.env
  const settings = join(world.configDir, 'settings.json')
  const gates = (args: string[], cwd = world.home) =>
    world.run(join(PACKAGE, 'bin/gstack-skill-gates'), args, { env, cwd })
  return {
    env,
    settings,
    setup: (...args: string[]) => gates(['setup', ...args]),
    /** @returns the problems, after checking that the exit code says the same */
    problems: async (cwd?: string) => {
      const ran = await gates(['doctor', '--json'], cwd)
      const answer = JSON.parse(ran.stdout) as Answer
      const problems = answer.findings.filter(({ status }) => status === 'problem')
      expect(answer.ok).toBe(problems.length === 0)
      expect(ran.exitCode).toBe(problems.length === 0 ? 0 : 1)
      for (const { fix } of problems) expect(fix).toMatch(/\.$/)
      return problems.map(({ check, found }) => `${check}: ${found}`)
    },
    doctor: () => gates(['doctor']),
    edit: (from: string | RegExp, to: string) => {
      writeFileSync(settings, readFileSync(settings, 'utf8').replace(from, to))
    },
  }
}

test('a machine on which all works: what was looked at, and how long a call takes', async ({ world }) => {
  const { setup, doctor } = machine(world)
  await setup('--skill-routing', '--investigate-gate')
  const before = readdirSync(world.stateRoot)

  const ran = await doctor()

  expect(ran).toMatchObject({ exitCode: 0, stderr: '' })
  expect(ran.stdout).toMatch(/ok +skill-route +skill_routing is on \(config\) and registered once/)
  expect(ran.stdout).toMatch(/note +skill-contract +skill_contracts is off \(default\)/)
  expect(ran.stdout).toMatch(/ok +addon +it loads/)
  expect(ran.stdout).toMatch(/ok +nodegit +it loads/)
  expect(ran.stdout).toMatch(/ok +skill-route +UserPromptSubmit answered 10 times, median \d+ ms/)
  expect(ran.stdout).toMatch(/ok +investigate-gate +\w+ answered 10 times, median \d+ ms/)
  expect(ran.stdout).toMatch(/\nall is well\n$/)
  expect(readdirSync(world.stateRoot)).toEqual(before)
})

test('a hook that a plugin registers as well is named, and no problem', async ({ world }) => {
  const { env, setup, doctor } = machine(world)
  await setup('--skill-routing')
  for (const plugin of [{}, { CLAUDE_PLUGIN_ROOT: PACKAGE }])
    await world.run(join(PACKAGE, 'bin/gstack-hook'), ['skill-route'], {
      env: { ...env, ...plugin },
      input: JSON.stringify({ session_id: 's1', hook_event_name: 'UserPromptSubmit', prompt: 'hello' }),
    })

  const ran = await doctor()

  expect(ran.exitCode).toBe(0)
  expect(ran.stdout).toMatch(/note +skill-route +it is registered a second time, as the plugin in \//)
})

test('a plugin that settings.json enables needs no registration there', async ({ world }) => {
  const { env, settings, problems } = machine(world)
  env['GSTACK_CEO_REVIEW_GATE'] = 'on'
  mkdirSync(world.configDir, { recursive: true })
  writeFileSync(settings, JSON.stringify({ enabledPlugins: { 'gstack-skill-gates@somewhere': true } }))

  expect(await problems()).toEqual([])
})

describe('registrations', () => {
  test('that are missing', async ({ world }) => {
    const { env, problems } = machine(world)
    env['GSTACK_CEO_REVIEW_GATE'] = 'on'

    expect(await problems()).toEqual([
      'ceo-review-gate: it is not registered for Stop',
      'ceo-review-gate: it is not registered for SubagentStop',
    ])
  })

  test('with a short timeout, with another matcher, twice', async ({ world }) => {
    const { setup, problems, edit } = machine(world)
    await setup('--investigate-gate')
    edit('"timeout": 25', '"timeout": 10')
    edit('"matcher": "Bash"', '"matcher": "Edit"')
    const stop = `{ "hooks": [{ "type": "command", "command": ${JSON.stringify(hookCommand(PACKAGE.replace(/\/$/, ''), 'investigate-gate'))}, "timeout": 25 }] }`
    edit('"Stop": [', `"Stop": [ ${stop},`)

    expect(await problems()).toEqual([
      'investigate-gate: its timeout for PreToolUse is 10, under 25 seconds',
      'investigate-gate: its matcher for PostToolUse is Edit',
      'investigate-gate: it is registered 2 times for Stop',
    ])
  })

  test('whose command is gone', async ({ world }) => {
    const { setup, problems, edit } = machine(world)
    await setup('--skill-routing')
    edit(hookCommand(PACKAGE.replace(/\/$/, ''), 'skill-route'), '/gone/bin/gstack-hook skill-route')

    expect(await problems()).toEqual([
      expect.stringMatching(/^skill-route: its command for UserPromptSubmit cannot be run: ENOENT/),
      expect.stringMatching(
        /^skill-route: a UserPromptSubmit call of \/gone\/bin\/gstack-hook skill-route ended with exit code 127/,
      ),
    ])
  })

  test('whose command answers what the client cannot read', async ({ world }) => {
    const { setup, problems, edit } = machine(world)
    await setup('--skill-routing')
    mkdirSync(join(world.folder, 'bin'))
    const program = join(world.folder, 'bin/gstack-hook')
    writeFileSync(program, '#!/bin/sh\necho hello\n')
    chmodSync(program, 0o755)
    edit(hookCommand(PACKAGE.replace(/\/$/, ''), 'skill-route'), `${program} skill-route`)

    expect(await problems()).toEqual([expect.stringContaining('printed something that is no JSON object')])
  })

  test('in a file that does not parse, or that turns all hooks off', async ({ world }) => {
    const { settings, problems } = machine(world)
    writeFileSync(settings, '{ "hooks": { }, }')
    expect(await problems()).toEqual([expect.stringMatching(/^settings.json: .*line 1, column 17/)])

    writeFileSync(settings, '{ "disableAllHooks": true }')
    expect(await problems()).toEqual(['settings.json: disableAllHooks is true'])
  })
})

describe('switches', () => {
  test('that no hook understands', async ({ world }) => {
    const { env, problems } = machine(world)
    env['GSTACK_SKILL_ROUTING'] = 'maybe'
    writeFileSync(join(world.stateRoot, 'config.yaml'), 'skill_contracts: perhaps\n')

    expect(await problems()).toEqual([
      'skill_routing: its value in GSTACK_SKILL_ROUTING is maybe, neither on nor off',
      'skill_contracts: its value in config.yaml is perhaps, neither on nor off',
    ])
  })

  test('in a config.yaml that cannot be read', async ({ world }) => {
    const { problems } = machine(world)
    symlinkSync('nowhere', join(world.stateRoot, 'config.yaml'))

    expect(await problems()).toEqual([expect.stringMatching(/^config.yaml: .* cannot be read/)])
  })
})

describe('the state root', () => {
  test('that is relative, or lies in the work tree', async ({ world }) => {
    const { env, problems } = machine(world)
    env['GSTACK_STATE_ROOT'] = 'state'
    mkdirSync(join(world.home, '.git'))

    expect(await problems()).toEqual([
      `state root: GSTACK_STATE_ROOT is relative, so it means ${join(world.home, 'state')}`,
      expect.stringMatching(/^state root: .* lies in the work tree/),
    ])
  })

  test('that cannot be written', async ({ world }) => {
    const { env, problems } = machine(world)
    writeFileSync(join(world.folder, 'a-file'), '')
    env['GSTACK_STATE_ROOT'] = join(world.folder, 'a-file')

    expect(await problems()).toEqual([expect.stringMatching(/^state root: .* is not writable: ENOTDIR/)])
  })
})

describe('the last sessions', () => {
  const NOW = new Date().toISOString()

  function record(world: World, session: string, at: string): void {
    const folder = join(world.stateRoot, 'skill-gates', session)
    mkdirSync(folder, { recursive: true })
    const errors = [{ at, code: 'GATE_TIMEOUT', why: 'no time left' }]
    const gates = { 'investigate-gate': { runs: [], errors, skipped: [], unchecked: 2 } }
    writeFileSync(join(folder, 'record.json'), sealedText({ version: 1, session, updated_at: at, gates }))
  }

  test('with errors and unchecked calls, but not those of long ago', async ({ world }) => {
    const { problems } = machine(world)
    record(world, 'new', NOW)
    record(world, 'old', '2020-01-01T00:00:00.000Z')

    expect(await problems()).toEqual([
      'sessions: session new: 2 calls unchecked, 1 error, the newest GATE_TIMEOUT: no time left',
    ])
  })

  test('with a hook that was killed', async ({ world }) => {
    const { problems } = machine(world)
    const marks = join(world.stateRoot, 'skill-gates/.in-flight')
    mkdirSync(marks, { recursive: true })
    const mark = { pid: 2 ** 22 + 1, startedAt: '1', session: 's1', hook: 'investigate-gate', event: 'Stop' }
    writeFileSync(join(marks, 'x.json'), JSON.stringify(mark))

    expect(await problems()).toEqual(['investigate-gate: a Stop call of session s1 was killed'])
  })

  test('with a call of ours that the client cancelled', async ({ world }) => {
    const { problems } = machine(world)
    const project = join(world.configDir, 'projects/-home-you-project')
    mkdirSync(project, { recursive: true })
    const cancelled = (command: string) =>
      JSON.stringify({
        type: 'attachment',
        attachment: { type: 'hook_cancelled', hookEvent: 'Stop', command, timedOut: true },
      })
    writeFileSync(
      join(project, 's1.jsonl'),
      `${cancelled('/other/tool')}\n${cancelled('/x/bin/gstack-hook skill-contract')}\n"hook_cancelled"\n{ "hook_cancelled"\n`,
    )

    expect(await problems()).toEqual([
      `sessions: the client cancelled 1 call, the first of skill-contract, in ${join(project, 's1.jsonl')}`,
    ])
  })

  test('with an error in the routing log', async ({ world }) => {
    const { problems } = machine(world)
    mkdirSync(join(world.stateRoot, 'hooks'))
    const line = `${NOW} session=s1 event=error code=SKILL_ROUTE_ERROR failures=1 message=x`
    writeFileSync(
      join(world.stateRoot, 'hooks/skill-route.log'),
      `2020-01-01T00:00:00.000Z session=s0 event=error \n${line}\n`,
    )

    expect(await problems()).toEqual([expect.stringMatching(/^skill-route: 1 error in .*failures=1/)])
  })
})
