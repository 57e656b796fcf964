import path from 'node:path'
import type { Env } from '../core/env.ts'
import type { SessionId } from '../core/ids.ts'
import { DEFAULT_STATE_ROOT, SESSIONS_FOLDER, STATE_ROOT_NAMES } from '../core/state-names.ts'

/** Where our files live, all of them below one root. */
export interface StatePaths {
  /** Absolute. */
  readonly root: string
  readonly configFile: string
  /** One directory per session of the gates. */
  readonly sessions: string
  readonly logs: string
}

/**
 * The state root: the first of `GSTACK_STATE_ROOT`, `GSTACK_HOME`, `GSTACK_STATE_DIR` that is not empty, else `~/.gstack`.
 * A relative one is resolved against HOME, so that it does not move with the session's directory.
 */
export function stateRootFrom(env: Env, home: string): string {
  const named = STATE_ROOT_NAMES.map((name) => env[name]).find((value) => value !== undefined && value !== '')
  return path.resolve(home, named ?? DEFAULT_STATE_ROOT)
}

export function statePathsFrom(env: Env, home: string): StatePaths {
  const root = stateRootFrom(env, home)
  return {
    root,
    configFile: path.join(root, 'config.yaml'),
    sessions: path.join(root, SESSIONS_FOLDER),
    logs: path.join(root, 'hooks'),
  }
}

/** Claude Code's own directory: `CLAUDE_CONFIG_DIR`, else `~/.claude`. */
export const claudeConfigDir = (env: Env, home: string): string =>
  path.resolve(
    home,
    env['CLAUDE_CONFIG_DIR'] === undefined || env['CLAUDE_CONFIG_DIR'] === ''
      ? '.claude'
      : env['CLAUDE_CONFIG_DIR'],
  )

/** In a session's directory: what its calls decided. */
export const RECORD_FILE = 'record.json'

export const recordPathOf = (paths: StatePaths, session: SessionId): string =>
  path.join(sessionDirOf(paths, session), RECORD_FILE)

export const sessionDirOf = (paths: StatePaths, session: SessionId): string =>
  path.join(paths.sessions, session)
