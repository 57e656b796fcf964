/** The client runs a hook once for each place that registers it: a settings file, and a plugin. */

import { expect } from 'vitest'
import { armed, CAUSE } from '../../helpers/armed.ts'
import type { HookCall } from '../../helpers/session.ts'
import { PACKAGE, test } from '../../helpers/world.ts'

/** The same call, asked by the plugin's registration. */
const asPlugin = (call: HookCall): HookCall => ({
  ...call,
  recorded: false,
  run: { env: { CLAUDE_PLUGIN_ROOT: PACKAGE } },
})

test('a change is put back, told and counted by one of them', async ({ world }) => {
  const { repo, session } = await armed(world)
  const call = { id: 'toolu_two', command: 'true' }
  repo.append('src/cart.js', '// fix\n')

  const answers = await Promise.all([
    session.hook('PreToolUse', asPlugin(call)),
    session.hook('PreToolUse', call),
  ])

  expect(answers.map(({ decision }) => decision).sort()).toEqual(['deny', undefined])
  expect(repo.status()).toBe('')
  expect(world.log().filter((line) => line.includes('event=blocked'))).toHaveLength(1)
})

test('each stop is held by one of them', async ({ world }) => {
  const { repo, session } = await armed(world)

  for (const round of ['one', 'two']) {
    repo.append('src/cart.js', `// ${round}\n`)
    const first = await session.stop('Done.', { run: { env: { CLAUDE_PLUGIN_ROOT: PACKAGE } } })
    repo.append('src/cart.js', `// ${round}, again\n`)
    const second = await session.stop('Done.')

    expect([first.decision, second.decision]).toEqual(['block', undefined])
    await session.bash('git checkout -q src/cart.js')
  }
})

test('a release holds for both', async ({ world }) => {
  const { repo, session } = await armed(world)
  session.reads(repo.path('src/cart.js')).says(`Root cause: ${CAUSE}`)
  const call = { id: 'toolu_two', command: 'true' }

  const answers = [await session.hook('PreToolUse', call), await session.hook('PreToolUse', asPlugin(call))]

  expect(answers.map(({ markers }) => markers.map(({ event }) => event))).toEqual([['released'], []])
})
