import {
  chmodSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { registrationsOf } from '../../src/core/registration.ts'
import { planRegistrations, settingsFileFrom } from '../../src/store/settings-file.ts'
import { findRegistrations } from '../../src/store/settings-text.ts'
import { ALL, makeSettings, ROOT } from './settings.ts'

/** Settings as tools and people leave them. */
const OTHERS: readonly (readonly [name: string, text: string])[] = [
  ['pretty', '{\n  "model": "opus",\n  "permissions": {\n    "deny": []\n  }\n}\n'],
  ['tabs', '{\n\t"model": "opus"\n}'],
  [
    'four blanks',
    '{\n    "hooks": {\n        "Stop": [\n            { "hooks": [ { "type": "command", "command": "a" } ] }\n        ]\n    }\n}\n',
  ],
  ['one line', '{ "model": "opus" }'],
  ['no blanks', '{"model":"opus","hooks":{"Stop":[{"hooks":[{"type":"command","command":"a"}]}]}}'],
  ['CRLF', '{\r\n  "model": "opus",\r\n  "hooks": {\r\n    "Stop": []\r\n  }\r\n}\r\n'],
  ['a byte order mark', '\ufeff{\n  "model": "opus"\n}\n'],
  ['empty', '{}'],
  ['empty with blanks', '{ \n\n }\n'],
  ['empty hooks', '{\n  "hooks": {}\n}\n'],
  ['empty events', '{\n  "hooks": { "Stop": [ ], "PreToolUse": [] }\n}\n'],
  [
    'another tool, mixed style',
    '{ "model": "opus", "permissions": { "deny": ["Read(./.env)"] },\n  "hooks": { "PreToolUse": [ { "matcher": "Edit", "hooks": [ { "type": "command", "command": "echo other-1" } ] } ],\n             "Stop": [ { "hooks": [ { "type": "command", "command": "echo other-2", "timeout": 7 } ] } ] } }\n',
  ],
  [
    'odd entries',
    '{\n  "hooks": {\n    "Stop": [null, 1, {}, { "hooks": [] }, { "hooks": "x" }, { "hooks": [ { "command": 1 } ] }]\n  }\n}\n',
  ],
  ['a lone surrogate and escapes', '{\n  "env": { "A": "\\ud800 \\u00e9 é" }\n}\n'],
]

describe.each(OTHERS)('settings that are %s', (_, text) => {
  test('keep all that is not ours', async () => {
    const { file, read, write, json, register } = makeSettings()
    write(text)
    const before = JSON.parse(text.replace(/^\ufeff/, '')) as { hooks?: Record<string, unknown[]> }

    await register(ALL)

    const { hooks, ...rest } = json()
    const { hooks: hooksBefore = {}, ...restBefore } = before
    expect(rest).toEqual(restBefore)
    for (const [event, entries] of Object.entries(hooksBefore))
      expect(hooks[event]?.slice(0, entries.length)).toEqual(entries)
    expect(findRegistrations(read(), file)).toHaveLength(8)
  })

  test('do not change a second time', async () => {
    const { read, write, register, backups } = makeSettings()
    write(text)
    await register(ALL)
    const once = read()

    const change = await register(ALL)

    expect(read()).toBe(once)
    expect(change.after).toBe(change.before)
    expect(backups()).toHaveLength(1)
  })

  test('are the same to the byte after removing', async () => {
    const { read, write, register } = makeSettings()
    write(text)
    await register(['investigate-gate'])
    await register(ALL)
    await register(['skill-route'])

    await register([])

    expect(read()).toBe(text)
  })

  test('lose nothing but ours when somebody else changed them in between', async () => {
    const { file, read, write, register } = makeSettings()
    write(text)
    await register(ALL)
    const changed = JSON.parse(read().replace(/^\ufeff/, '')) as Record<string, unknown>
    changed['added'] = { by: 'somebody else' }
    write(JSON.stringify(changed))

    await register([])

    const { hooks: _hooks, ...before } = JSON.parse(text.replace(/^\ufeff/, '')) as Record<string, unknown>
    const { hooks: _now, ...after } = JSON.parse(read()) as Record<string, unknown>
    expect(after).toEqual({ ...before, added: { by: 'somebody else' } })
    expect(findRegistrations(read(), file)).toEqual([])
  })
})

test('entries stand in the style of the file', async () => {
  const { read, write, register } = makeSettings()
  write('{\n    "hooks": {\n        "Stop": [\n            { "hooks": [] }\n        ]\n    }\n}\n')

  await register(['skill-contract'], '/opt/gates')

  expect(read()).toMatchInlineSnapshot(`
    "{
        "hooks": {
            "Stop": [
                { "hooks": [] },
                {
                    "hooks": [
                        {
                            "type": "command",
                            "command": "/opt/gates/bin/gstack-hook skill-contract",
                            "timeout": 25
                        }
                    ]
                }
            ]
        }
    }
    "
  `)
})

test('a missing file is made, private, and goes again', async () => {
  const { file, json, register } = makeSettings('new/settings.json')

  await register(['skill-route'])
  await register(['skill-route', 'skill-contract'])

  expect(statSync(file).mode % 0o1000).toBe(0o600)
  expect(Object.keys(json().hooks)).toEqual(['UserPromptSubmit', 'Stop'])

  await register([])

  expect(existsSync(file)).toBe(false)
})

test('removing from a missing file makes none', async () => {
  const { dir, register } = makeSettings()

  await register([])

  expect(readdirSync(dir)).toEqual([])
})

test('a link stays a link, its target keeps its mode', async () => {
  const { dir, file, register } = makeSettings()
  const target = join(dir, 'dotfiles.json')
  writeFileSync(target, '{}\n')
  chmodSync(target, 0o640)
  symlinkSync('dotfiles.json', file)

  await register(ALL)

  expect(lstatSync(file).isSymbolicLink()).toBe(true)
  expect(statSync(target).mode % 0o1000).toBe(0o640)
  expect(findRegistrations(readFileSync(target, 'utf8'), file)).toHaveLength(8)

  await register([])

  expect(readFileSync(target, 'utf8')).toBe('{}\n')
})

test('a backup holds the text of before, and the ten newest stay', async () => {
  const { file, write, register, backups } = makeSettings()
  write('{ "model": "opus" }')
  for (let round = 0; round < 7; round++) {
    await register(ALL)
    await register([])
  }

  expect(backups()).toHaveLength(10)
  const latest = readFileSync(`${file}.bak-latest`, 'utf8').trim()
  expect(latest).toMatch(/\/settings\.json\.bak\.20261120-100000\.\d+\.[0-9a-f]+$/)
  expect(statSync(latest).mode % 0o1000).toBe(0o600)
})

test('a plan writes nothing', () => {
  const { dir, file, read, write } = makeSettings()
  write('{}')

  const change = planRegistrations(file, registrationsOf(ROOT, ALL))

  expect(change.after).toContain('gstack-hook')
  expect(read()).toBe('{}')
  expect(readdirSync(dir)).toEqual(['settings.json'])
})

test('writers at once lose nothing', async () => {
  const { dir, file, read, write, register, backups } = makeSettings()
  write('{ "model": "opus" }')

  await Promise.all(Array.from({ length: 10 }, () => register(ALL)))

  expect(findRegistrations(read(), file)).toHaveLength(8)
  expect(readdirSync(dir).filter((name) => name.includes('lock'))).toEqual([])
  expect(backups()).toHaveLength(1)
})

test('the file is the one that is named, else Claude Code’s', () => {
  expect(settingsFileFrom({ GSTACK_SETTINGS_FILE: '/x/y.json' }, '/home/you')).toBe('/x/y.json')
  expect(settingsFileFrom({ CLAUDE_CONFIG_DIR: '/c' }, '/home/you')).toBe('/c/settings.json')
  expect(settingsFileFrom({}, '/home/you')).toBe('/home/you/.claude/settings.json')
})
