import { expect } from 'vitest'
import { test } from '../helpers/world.ts'

test.for([
  ['unattended', {}],
  ['interactive', { CLAUDE_CODE_SESSION_ATTENDED: '1' }],
  ['headless', { GSTACK_HEADLESS: '1' }],
] as const)('gstack-session-kind prints %s for %o', async ([word, env], { world }) => {
  Object.assign(world.env, env)

  expect(await world.program('gstack-session-kind')).toMatchObject({
    stdout: `${word}\n`,
    stderr: '',
    exitCode: 0,
  })
})
