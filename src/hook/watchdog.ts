import type { Native } from '../native/binding.ts'

let running: Pick<Native, 'stopWatchdog'> | undefined

/** Starts the end that a pass cannot give itself; see `pass.ts`. */
export function startWatchdog(native: Native, milliseconds: number, text: string): void {
  running = native
  native.startWatchdog(milliseconds, text)
}

/** Before an answer is written: only one of the two may be. */
export function stopWatchdog(): void {
  running?.stopWatchdog()
}
