import { LONG_PAUSE_MS } from '../../core/limits.ts'

/**
 * Whether the client was restarted since the trees were pinned: another client than the one that armed, or the same after
 * a long pause. What changed since may be its user's work.
 *
 * @param pinnedPid `CLAUDE_PID` of the client that the last check ran under, `pid` of the one now; undefined when unknown
 * @param sinceCheckMs since the last check; undefined when there was none
 */
export function wasRestarted(
  { pinnedPid, pid }: { readonly pinnedPid: string | undefined; readonly pid: string | undefined },
  sinceCheckMs: number | undefined,
): boolean {
  if (pid !== undefined && pinnedPid !== undefined && pid !== pinnedPid) return true
  return sinceCheckMs !== undefined && sinceCheckMs > LONG_PAUSE_MS
}
