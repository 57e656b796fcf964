import { readRegularFile } from '../native/regular-file.ts'

/** Tells one start of the machine from another; undefined where the system does not say. */
export const bootId = (): string | undefined =>
  process.platform === 'linux'
    ? readRegularFile('/proc/sys/kernel/random/boot_id')?.toString('latin1').trim()
    : undefined
