/** How the state root is found, and what lies in it. */

/** The first that is not empty counts. */
export const STATE_ROOT_NAMES = ['GSTACK_STATE_ROOT', 'GSTACK_HOME', 'GSTACK_STATE_DIR'] as const

/** In HOME, where the environment names no other. */
export const DEFAULT_STATE_ROOT = '.gstack'

/** One directory per session of the gates, and what all sessions share under names that no session can have. */
export const SESSIONS_FOLDER = 'skill-gates'

/** In the sessions' folder: marks of passes that are at work. */
export const IN_FLIGHT_FOLDER = '.in-flight'

/** In the sessions' folder: certificates for the front. */
export const FRONT_FOLDER = '.front'
