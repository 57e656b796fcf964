/**
 * Runs before every test file: HOME, the state root and git's configuration point at places that fail, so that a test
 * which forgot to choose its own (see `helpers/world.ts`) cannot touch the ones of the person who runs it.
 */
import { fileURLToPath } from 'node:url'

const unchosen = fileURLToPath(new URL('helpers/unchosen.gitconfig', import.meta.url))

process.env['HOME'] = `${unchosen}/home`
process.env['GSTACK_STATE_ROOT'] = `${unchosen}/state`
process.env['CLAUDE_CONFIG_DIR'] = `${unchosen}/claude`
process.env['GIT_CONFIG_GLOBAL'] = unchosen
process.env['GIT_CONFIG_SYSTEM'] = unchosen
process.env['TZ'] = 'UTC'

for (const name of Object.keys(process.env)) {
  const isOfASession = /^(CLAUDE|GSTACK|OPENCLAW|CONDUCTOR)_/.test(name)
  const isOurs =
    ['GSTACK_STATE_ROOT', 'CLAUDE_CONFIG_DIR'].includes(name) || /^GSTACK_(MODEL|TEST)_/.test(name)
  if (isOfASession && !isOurs) Reflect.deleteProperty(process.env, name)
}
