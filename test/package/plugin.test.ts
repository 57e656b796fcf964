/** The plugin's files say what the code says; `npm run docs` writes the hooks anew. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { HOOK_NAMES, parseHookCommand, pluginHooks } from '../../src/core/registration.ts'
import { PACKAGE } from '../helpers/world.ts'

const read = (file: string) =>
  JSON.parse(readFileSync(join(PACKAGE, file), 'utf8')) as Record<string, unknown>

test('hooks.json registers what setup registers, from the folder of the plugin', async () => {
  const text = `${JSON.stringify({ hooks: pluginHooks() }, undefined, 2)}\n`

  await expect(text).toMatchFileSnapshot(join(PACKAGE, 'hooks/hooks.json'))
})

test('each command of it is one that doctor and uninstall know, once the folder stands in it', () => {
  const commands = Object.values(pluginHooks()).flatMap((entries) =>
    entries.map(({ hooks: [{ command }] }) => command.replace('${CLAUDE_PLUGIN_ROOT}', '/home/you/a folder')),
  )

  expect(new Set(commands.map((command) => parseHookCommand(command)?.hook))).toEqual(new Set(HOOK_NAMES))
})

test('plugin.json has the name, version and description of the package', () => {
  const { name, version, description, license } = read('package.json')

  expect(read('.claude-plugin/plugin.json')).toEqual({ name, version, description, license })
})

test('every dependency is bundled, since npm heeds our overrides nowhere else', () => {
  const { dependencies, bundleDependencies } = read('package.json')

  expect(bundleDependencies).toEqual(Object.keys(dependencies as object))
})
