import fc from 'fast-check'
import { expect, test } from 'vitest'
import { HOOK_NAMES, hookCommand, hooksBlock, parseHookCommand } from '../../../src/core/registration.ts'

test('a command line is read back, wherever the package lies', () => {
  const root = fc.string({ unit: 'grapheme' }).map((text) => `/${text.replaceAll('\0', '')}`)

  fc.assert(
    fc.property(root, fc.constantFrom(...HOOK_NAMES), (packageRoot, hook) => {
      expect(parseHookCommand(hookCommand(packageRoot, hook))).toEqual({
        program: `${packageRoot}/bin/gstack-hook`,
        hook,
      })
    }),
  )
})

test('command lines of other versions of gstack’s quoting are read', () => {
  const read = { program: '/a $b/bin/gstack-hook', hook: 'skill-route' }

  expect(parseHookCommand('"/a \\$b/bin/gstack-hook" skill-route')).toEqual(read)
  expect(parseHookCommand('bash "/a \\$b/bin/gstack-hook" skill-route')).toEqual(read)
  expect(parseHookCommand("/a\\ \\$b/bin/gstack-hook 'skill-route'")).toEqual(read)
})

test.each([
  '',
  'skill-route',
  'gstack-hook skill-route',
  '/bin/gstack-hook',
  '/bin/gstack-hook nothing',
  '/bin/gstack-hook skill-route more',
  '/bin/gstack-hook skill-route && true',
  '"$HOME/bin/gstack-hook" skill-route',
  "'/bin/gstack-hook skill-route",
  '/bin/other skill-route',
])('%j is none of ours', (command) => {
  expect(parseHookCommand(command)).toBeUndefined()
})

test('every hook has the timeout of 25 seconds, and no command names a switch', () => {
  const entries = Object.values(hooksBlock('/opt/gates', HOOK_NAMES)).flat()

  expect(entries).toHaveLength(8)
  for (const { hooks } of entries) {
    expect(hooks[0].timeout).toBe(25)
    expect(hooks[0].command).not.toMatch(/GSTACK|_gate|=on/)
  }
})
