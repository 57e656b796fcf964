/** A settings.json to register hooks in. */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { HOOK_NAMES, registrationsOf, type HookName } from '../../src/core/registration.ts'
import { writeRegistrations } from '../../src/store/settings-file.ts'
import { temporaryDir } from '../helpers/temporary-dir.ts'

export const ROOT = '/opt/My Tools (v2) $HOME \'q\' "d"'
export const ALL = HOOK_NAMES

const NOW = new Date('2026-11-20T10:00:00Z')

/** A settings file that is not there yet, in a folder of its own; `name` may lie in a folder that is not there either. */
export function makeSettings(name = 'settings.json') {
  const dir = temporaryDir()
  const file = join(dir, name)
  const read = () => readFileSync(file, 'utf8')
  return {
    dir,
    file,
    read,
    write: (text: string) => {
      writeFileSync(file, text)
    },
    json: () => JSON.parse(read().replace(/^\ufeff/, '')) as { hooks: Record<string, unknown[]> },
    register: (hooks: readonly HookName[], root = ROOT) =>
      writeRegistrations(file, registrationsOf(root, hooks), NOW),
    backups: () => readdirSync(dir).filter((found) => found.includes('.bak.')),
  }
}
