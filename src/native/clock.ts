/** Milliseconds since this process started, never going back. `performance` would do, but takes 2 ms to load. */
export const elapsedMs = (): number => process.uptime() * 1_000
