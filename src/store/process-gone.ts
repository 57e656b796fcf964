import { hasErrno } from '../core/errors.ts'

/** Whether no process has this id; one of somebody else's counts as there. */
export function isProcessGone(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return hasErrno(error, 'ESRCH')
  }
}
