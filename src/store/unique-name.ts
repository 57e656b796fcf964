let names = 0

/**
 * A part of a file name that no other process and no other call has, in letters, digits and hyphens.
 *
 * From the process and its clock rather than from `node:crypto`, whose import costs every hook call 5 ms: who creates
 * the file asks for a new one (`O_EXCL`), so a name that is taken is an error and nothing worse.
 */
export function uniqueName(): string {
  names += 1
  return `${process.pid.toString(36)}-${process.hrtime.bigint().toString(36)}-${names.toString(36)}`
}
