import { expect, test } from 'vitest'
import { sessionKindOf } from '../../../src/core/session-kind.ts'

test.each([
  ['nothing is known', {}, 'interactive'],
  ['an orchestrator runs it', { OPENCLAW_SESSION: 'x', CONDUCTOR_PORT: '1' }, 'unattended'],
  ['it is declared headless', { GSTACK_HEADLESS: '1', CLAUDE_CODE_SESSION_ATTENDED: '1' }, 'headless'],
  [
    'Conductor shows it',
    { CONDUCTOR_WORKSPACE_PATH: '/w', CLAUDE_CODE_SESSION_ATTENDED: '0' },
    'interactive',
  ],
  ['the client says attended', { CLAUDE_CODE_SESSION_ATTENDED: '1', CI: 'true' }, 'interactive'],
  [
    'one prompt was given',
    { CLAUDE_CODE_SESSION_ATTENDED: '0', CLAUDE_CODE_ENTRYPOINT: 'sdk-cli' },
    'unattended',
  ],
  ['the entrypoint is not known', { CLAUDE_CODE_SESSION_ATTENDED: '0' }, 'unattended'],
  [
    'a host answers over the SDK',
    { CLAUDE_CODE_SESSION_ATTENDED: '0', CLAUDE_CODE_ENTRYPOINT: 'sdk-ts' },
    'interactive',
  ],
  ['a person started it on CI', { CLAUDE_CODE_ENTRYPOINT: 'cli', CI: 'true' }, 'interactive'],
  ['it runs on CI', { CI: 'true' }, 'headless'],
  ['it runs in an action', { GITHUB_ACTIONS: 'true' }, 'headless'],
  ['a name is set to nothing', { OPENCLAW_SESSION: '', GSTACK_HEADLESS: '', CI: '' }, 'interactive'],
])('when %s', (_, env, kind) => {
  expect(sessionKindOf(env)).toBe(kind)
})
