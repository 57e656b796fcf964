import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect } from 'vitest'
import { gateSettings, type GateSettings } from '../../src/cli/settings.ts'
import { quoteForShell } from '../../src/core/registration.ts'
import { PACKAGE, test } from '../helpers/world.ts'

const commandsOf = ({ hooks }: GateSettings) =>
  Object.values(hooks).flatMap((entries) => entries.flatMap((entry) => entry.hooks))

test('the /investigate gate is registered for edits, Bash, loads and stops', async ({ world }) => {
  const ran = await world.program('gstack-skill-gates', 'settings', '--investigate')
  const settings = JSON.parse(ran.stdout) as GateSettings

  const matchers = Object.entries(settings.hooks).map(([event, entries]) => [
    event,
    entries.map((e) => e.matcher),
  ])
  expect(Object.fromEntries(matchers)).toEqual({
    PreToolUse: ['Edit|Write|MultiEdit|NotebookEdit|Bash|Skill'],
    PostToolUse: ['Bash'],
    PostToolUseFailure: ['Bash'],
    Stop: [undefined],
  })
  expect(settings.env).toEqual({ GSTACK_INVESTIGATE_GATE: 'on' })
})

test('the /plan-ceo-review gate is registered for stops of sessions and subagents', async ({ world }) => {
  const ran = await world.program('gstack-skill-gates', 'settings', '--ceo-review')
  const settings = JSON.parse(ran.stdout) as GateSettings

  expect(Object.keys(settings.hooks)).toEqual(['Stop', 'SubagentStop'])
  expect(settings.env).toEqual({ GSTACK_CEO_REVIEW_GATE: 'on' })
})

test('both gates share the Stop event, each with its own command', async ({ world }) => {
  const ran = await world.program('gstack-skill-gates', 'settings', '--investigate', '--ceo-review')
  const settings = JSON.parse(ran.stdout) as GateSettings

  expect(settings.hooks['Stop']).toHaveLength(2)
  expect(settings.env).toEqual({ GSTACK_INVESTIGATE_GATE: 'on', GSTACK_CEO_REVIEW_GATE: 'on' })
})

test('every registration outlives the gate: 25 seconds, as hook-timeout says', async ({ world }) => {
  const timeout = await world.program('gstack-skill-gates', 'hook-timeout')
  const settings = gateSettings('/opt/gates', ['investigate_gate', 'ceo_review_gate'])

  expect(timeout).toMatchObject({ exitCode: 0, stdout: '25\n' })
  expect(new Set(commandsOf(settings).map((hook) => hook.timeout))).toEqual(new Set([25]))
})

test('commands name this package by its absolute path and no switch', async ({ world }) => {
  const ran = await world.program('gstack-skill-gates', 'settings', '--investigate')

  for (const { command } of commandsOf(JSON.parse(ran.stdout) as GateSettings))
    expect(command).toBe(`${quoteForShell(`${PACKAGE}bin/gstack-hook`)} investigate-gate`)
})

describe('quoting', () => {
  const throughShell = (word: string) =>
    execFileSync('/bin/sh', ['-c', `printf %s ${quoteForShell(word)}`]).toString('utf8')

  test.for(['a b', "it's", '"q"', '$HOME', '`id`', '(v2)', 'a\\b', '', '*', '~', '#x', 'a\nb', '-n', 'ü'])(
    'a shell reads %j as one word',
    (word) => {
      expect(throughShell(word)).toBe(word)
    },
  )

  test('a shell reads any word as it was', () => {
    const word = fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0') && text.isWellFormed())

    fc.assert(
      fc.property(word, (text) => {
        expect(throughShell(text)).toBe(text)
      }),
    )
  })
})
