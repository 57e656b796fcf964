import type { Native } from '../native/addon.ts'

/** What the end of a process takes when nothing hangs is a tenth of it. */
const LEAVE_MS = 250

let running: Pick<Native, 'startWatchdog' | 'stopWatchdog'> | undefined

/** Starts the end that a pass cannot give itself; see `pass.ts`. */
export function startWatchdog(native: Native, milliseconds: number, text: string): void {
  running = native
  native.startWatchdog(milliseconds, text)
}

/** Before an answer is written: only one of the two may be. */
export function stopWatchdog(): void {
  running?.stopWatchdog()
}

/** After the answer: Node's own end waits for every thread, and one may hang in a call to a slow disk. */
export function leaveInTime(): void {
  running?.startWatchdog(LEAVE_MS, '')
}
