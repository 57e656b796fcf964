import {
  chmodSync,
  existsSync,
  lstatSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { HOOK_NAMES, hookCommand, registrationsOf, type HookName } from '../../src/core/registration.ts'
import { planRegistrations, settingsFileFrom, writeRegistrations } from '../../src/store/settings-file.ts'
import { findRegistrations } from '../../src/store/settings-text.ts'
import { temporaryDir } from '../helpers/temporary-dir.ts'

const ROOT = '/opt/My Tools (v2) $HOME \'q\' "d"'
const NOW = new Date('2026-11-20T10:00:00Z')
const ALL = HOOK_NAMES

let dir: string
let file: string
beforeEach(() => {
  dir = temporaryDir()
  file = join(dir, 'settings.json')
})

const register = (hooks: readonly HookName[], root = ROOT) =>
  writeRegistrations(file, registrationsOf(root, hooks), NOW)
const read = () => readFileSync(file, 'utf8')
const write = (text: string) => {
  writeFileSync(file, text)
}
const json = () => JSON.parse(read().replace(/^\ufeff/, '')) as { hooks: Record<string, unknown[]> }
const backups = () => readdirSync(dir).filter((name) => name.includes('.bak.'))

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
    write(text)
    await register(ALL)
    const once = read()

    const change = await register(ALL)

    expect(read()).toBe(once)
    expect(change.after).toBe(change.before)
    expect(backups()).toHaveLength(1)
  })

  test('are the same to the byte after removing', async () => {
    write(text)
    await register(['investigate-gate'])
    await register(ALL)
    await register(['skill-route'])

    await register([])

    expect(read()).toBe(text)
  })

  test('lose nothing but ours when somebody else changed them in between', async () => {
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
  file = join(dir, 'new', 'settings.json')

  await register(['skill-route'])
  await register(['skill-route', 'skill-contract'])

  expect(statSync(file).mode % 0o1000).toBe(0o600)
  expect(Object.keys(json().hooks)).toEqual(['UserPromptSubmit', 'Stop'])

  await register([])

  expect(existsSync(file)).toBe(false)
})

test('removing from a missing file makes none', async () => {
  await register([])

  expect(readdirSync(dir)).toEqual([])
})

describe('a file that is refused', () => {
  test.each([
    ['a trailing comma', '{\n  "model": "opus",\n}', 'line 3, column 1'],
    ['a comment', '{\n  // mine\n  "model": "opus"\n}', 'line 2, column 3'],
    ['no bytes', '', 'line 1, column 1'],
    ['half a file', '{ "model": "op', 'line 1, column 12'],
    ['a list', '[]', 'line 1, column 1'],
    ['hooks that are a list', '{ "hooks": [] }', 'line 1, column 12'],
    ['an event that is no list', '{\n "hooks": { "Stop": {} } }', 'line 2, column 21'],
    ['two values', '{} {}', 'line 1, column 4'],
  ])('%s: nothing is written, and the message says where', async (_, text, where) => {
    write(text)
    chmodSync(file, 0o600)
    const stamp = () => [statSync(file).ino, statSync(file).mtimeMs, statSync(file).mode]
    const before = stamp()

    await expect(register(ALL)).rejects.toMatchObject({
      code: 'SETUP_FAILED',
      message: expect.stringMatching(new RegExp(`${file}.*${where}`)),
    })

    expect(read()).toBe(text)
    expect(stamp()).toEqual(before)
    expect(readdirSync(dir)).toEqual(['settings.json'])
  })

  test('bytes that are not UTF-8', async () => {
    writeFileSync(file, Buffer.from('{ "a": "\xff" }', 'latin1'))

    await expect(register(ALL)).rejects.toMatchObject({ code: 'SETUP_FAILED' })
    expect(readFileSync(file).toString('latin1')).toBe('{ "a": "\xff" }')
  })

  test('a link that leads nowhere', async () => {
    symlinkSync(join(dir, 'not-mounted.json'), file)

    await expect(register(ALL)).rejects.toThrow('leads nowhere')
    expect(readdirSync(dir)).toEqual(['settings.json'])
  })
})

test('a link stays a link, its target keeps its mode', async () => {
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

describe('entries of ours are healed', () => {
  const stop = (...entries: unknown[]) => {
    write(JSON.stringify({ hooks: { Stop: entries } }, undefined, 2))
  }
  const item = (command: string, timeout: unknown = 25) => ({ type: 'command', command, timeout })
  const contract = hookCommand(ROOT, 'skill-contract')

  test('an older timeout is raised, a longer one stays', async () => {
    stop({ hooks: [item('other', 10)] }, { hooks: [item(contract, 10)] })
    await register(['skill-contract'])
    expect(json().hooks['Stop']).toEqual([{ hooks: [item('other', 10)] }, { hooks: [item(contract, 25)] }])

    stop({ hooks: [item(contract, 60)] })
    await register(['skill-contract'])
    expect(json().hooks['Stop']).toEqual([{ hooks: [item(contract, 60)] }])
  })

  test('a timeout that is missing or no number is set', async () => {
    stop({ hooks: [{ type: 'command', command: contract }] })
    await register(['skill-contract'])
    expect(json().hooks['Stop']).toEqual([{ hooks: [item(contract)] }])

    stop({ hooks: [item(contract, '25')] })
    await register(['skill-contract'])
    expect(json().hooks['Stop']).toEqual([{ hooks: [item(contract)] }])
  })

  test.each([
    '/gone/bin/gstack-hook skill-contract',
    '"/old place/bin/gstack-hook" skill-contract',
    "bash '/old place/bin/gstack-hook' skill-contract",
    '/old\\ place/bin/gstack-hook  skill-contract ',
  ])('%s is pointed at this package', async (command) => {
    stop({ note: 'kept', hooks: [item(command)] })

    await register(['skill-contract'])

    expect(json().hooks['Stop']).toEqual([{ note: 'kept', hooks: [item(contract)] }])
  })

  test('duplicates go, foreign items beside them stay', async () => {
    stop(
      { hooks: [item('/gone/bin/gstack-hook skill-contract'), item('other')] },
      { hooks: [item(contract)] },
      { hooks: [item(contract)] },
    )

    await register(['skill-contract'])

    expect(json().hooks['Stop']).toEqual([{ hooks: [item('other')] }, { hooks: [item(contract)] }])
  })

  test('a matcher of an older version is replaced, unless the entry is shared', async () => {
    const gate = hookCommand(ROOT, 'investigate-gate')
    write(
      JSON.stringify({
        hooks: {
          PreToolUse: [{ matcher: 'Edit', hooks: [item(gate)] }],
          PostToolUse: [{ matcher: 'Edit', hooks: [item('other'), item(gate)] }],
        },
      }),
    )

    await register(['investigate-gate'])

    expect(json().hooks).toMatchObject({
      PreToolUse: [{ matcher: 'Edit|Write|MultiEdit|NotebookEdit|Bash|Skill', hooks: [item(gate)] }],
      PostToolUse: [
        { matcher: 'Edit', hooks: [item('other')] },
        { matcher: 'Bash', hooks: [item(gate)] },
      ],
    })
  })

  test('an event that is none of the hook goes', async () => {
    write(JSON.stringify({ hooks: { SessionStart: [{ hooks: [item(contract)] }] } }))

    await register(['skill-contract'])

    expect(json()).toEqual({ hooks: { Stop: [{ hooks: [item(contract)] }] } })
  })

  test.each([
    'gstack-hook skill-contract',
    '/x/bin/gstack-hook skill-contract; rm -rf /',
    '/x/bin/gstack-hook other-hook',
    '/x/bin/gstack-hook skill-contract extra',
    '/x/bin/gstack-verify-gate',
    '$HOME/bin/gstack-hook skill-contract',
  ])('%s is somebody else’s', async (command) => {
    stop({ hooks: [item(command, 10)] })
    const before = read()

    await register([])

    expect(read()).toBe(before)
  })
})

test('a backup holds the text of before, and the ten newest stay', async () => {
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
  write('{}')

  const change = planRegistrations(file, registrationsOf(ROOT, ALL))

  expect(change.after).toContain('gstack-hook')
  expect(read()).toBe('{}')
  expect(readdirSync(dir)).toEqual(['settings.json'])
})

test('writers at once lose nothing', async () => {
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
