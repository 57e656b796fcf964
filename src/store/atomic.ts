import { closeSync, constants, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { uniqueName } from './unique-name.ts'

/**
 * Writes a state file of ours, mode 0600, so that a reader sees the old content or the new one and never a part.
 *
 * By hand rather than with `write-file-atomic`, whose import costs every hook call 15 ms: state files are never links,
 * and a crash of the machine may lose the last write but not tear it.
 */
export function writeAtomic(path: string, content: string | Buffer): void {
  const temporary = `${path}.${uniqueName()}.tmp`
  const bytes = typeof content === 'string' ? Buffer.from(content, 'utf8') : content
  const file = openSync(
    temporary,
    constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW,
    0o600,
  )
  try {
    for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  } finally {
    closeSync(file)
  }
  renameSync(temporary, path)
}
