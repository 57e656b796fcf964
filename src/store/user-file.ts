/**
 * Files that belong to the person, not to us: config.yaml and Claude Code's settings.json. Importing this file loads
 * `write-file-atomic`, so a hook never does.
 */

import { statSync } from 'node:fs'
import writeFileAtomic from 'write-file-atomic'

/**
 * Replaces a file as a whole: a reader, and a crash of the machine, sees the old content or the new one.
 *
 * A link is followed and stays one, mode and owner stay; a new file is 0600. On failure the old file is untouched.
 */
export async function replaceUserFile(path: string, bytes: Buffer): Promise<void> {
  const isNew = statSync(path, { throwIfNoEntry: false }) === undefined
  await writeFileAtomic(path, bytes, isNew ? { mode: 0o600 } : {})
}
