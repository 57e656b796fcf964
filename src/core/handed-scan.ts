import type { Env } from './env.ts'

/** The front's word to Node: it looks at a tree on, and where that arrives; `<descriptor>:<pid>`. */
export const SCAN_NAME = 'GSTACK_HOOK_SCAN'

export interface ScanArrival {
  /** The end of a pipe. */
  readonly pipe: number
  /** The process that writes to it. */
  readonly scanner: number
}

export function scanArrivalFrom(env: Env): ScanArrival | undefined {
  const [, pipe, scanner] = /^(\d{1,9}):(\d{1,9})$/.exec(env[SCAN_NAME] ?? '') ?? []
  return pipe === undefined || scanner === undefined
    ? undefined
    : { pipe: Number(pipe), scanner: Number(scanner) }
}
