import { native } from '../native/binding.ts'
import { beginPass, type Pass } from '../store/in-flight.ts'
import { passStartOf, type HookCall } from './call.ts'
import { startWatchdog } from './watchdog.ts'

/** Begins a pass: its mark is left, and its end is certain. */
export function startPass(call: HookCall): Pass {
  const pass = beginPass(call.paths, passStartOf(call))
  startWatchdog(call, native())
  return pass
}
