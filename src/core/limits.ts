/** Limits that more than one layer keeps; the front takes them from the header that the build makes of them. */

/** A longer transcript is not read at all. */
export const TRANSCRIPT_LIMIT_BYTES = 32 * 1024 * 1024

/** What a payload may hold once its long strings are cut. */
export const PAYLOAD_SHAPE_LIMIT_BYTES = 1024 * 1024

/** A session that nothing checked for so long was left, and its user went on without it. */
export const LONG_PAUSE_MS = 12 * 60 * 60 * 1000
