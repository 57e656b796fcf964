import type { Env } from './env.ts'

/** Whether a person answers in this session. */
export type SessionKind = 'interactive' | 'headless' | 'unattended'

/**
 * The first rule that fits decides; without one it is interactive, since holding a session that waits for its user is
 * the worse mistake. A terminal proves nothing: a Conductor session has none and is answered.
 *
 * A nested client can inherit `CLAUDE_CODE_SESSION_ATTENDED`, and hosts that answer over the SDK set it to 0 too, so 0
 * counts only where the client itself was started for one prompt.
 */
export function sessionKindOf(env: Env): SessionKind {
  const has = (name: string) => (env[name] ?? '') !== ''
  const attended = env['CLAUDE_CODE_SESSION_ATTENDED']
  const entrypoint = env['CLAUDE_CODE_ENTRYPOINT'] ?? ''

  if (has('OPENCLAW_SESSION')) return 'unattended'
  if (has('GSTACK_HEADLESS')) return 'headless'
  if (has('CONDUCTOR_WORKSPACE_PATH') || has('CONDUCTOR_PORT')) return 'interactive'
  if (attended === '1') return 'interactive'
  if (attended === '0' && (entrypoint === 'sdk-cli' || entrypoint === '')) return 'unattended'
  if (entrypoint === 'cli') return 'interactive'
  if (has('CI') || has('GITHUB_ACTIONS')) return 'headless'
  return 'interactive'
}
