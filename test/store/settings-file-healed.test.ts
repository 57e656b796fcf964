import { describe, expect, test } from 'vitest'
import { hookCommand } from '../../src/core/registration.ts'
import { makeSettings, ROOT } from './settings.ts'

describe('entries of ours are healed', () => {
  /** Settings, and a way to write them with these entries for a stop. */
  const makeStops = () => {
    const settings = makeSettings()
    return {
      ...settings,
      stop: (...entries: unknown[]) => {
        settings.write(JSON.stringify({ hooks: { Stop: entries } }, undefined, 2))
      },
    }
  }
  const item = (command: string, timeout: unknown = 25) => ({ type: 'command', command, timeout })
  const contract = hookCommand(ROOT, 'skill-contract')

  test('an older timeout is raised, a longer one stays', async () => {
    const { json, register, stop } = makeStops()
    stop({ hooks: [item('other', 10)] }, { hooks: [item(contract, 10)] })
    await register(['skill-contract'])
    expect(json().hooks['Stop']).toEqual([{ hooks: [item('other', 10)] }, { hooks: [item(contract, 25)] }])

    stop({ hooks: [item(contract, 60)] })
    await register(['skill-contract'])
    expect(json().hooks['Stop']).toEqual([{ hooks: [item(contract, 60)] }])
  })

  test('a timeout that is missing or no number is set', async () => {
    const { json, register, stop } = makeStops()
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
    const { json, register, stop } = makeStops()
    stop({ note: 'kept', hooks: [item(command)] })

    await register(['skill-contract'])

    expect(json().hooks['Stop']).toEqual([{ note: 'kept', hooks: [item(contract)] }])
  })

  test('duplicates go, foreign items beside them stay', async () => {
    const { json, register, stop } = makeStops()
    stop(
      { hooks: [item('/gone/bin/gstack-hook skill-contract'), item('other')] },
      { hooks: [item(contract)] },
      { hooks: [item(contract)] },
    )

    await register(['skill-contract'])

    expect(json().hooks['Stop']).toEqual([{ hooks: [item('other')] }, { hooks: [item(contract)] }])
  })

  test('a matcher of an older version is replaced, unless the entry is shared', async () => {
    const { write, json, register } = makeSettings()
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
    const { write, json, register } = makeSettings()
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
    const { read, register, stop } = makeStops()
    stop({ hooks: [item(command, 10)] })
    const before = read()

    await register([])

    expect(read()).toBe(before)
  })
})
