import { native } from '../native/binding.ts'
import type { GitHandle } from '../native/types.ts'

/** @param key section and name in lower case, as in `core.bare` */
export const settingOf = (git: GitHandle, key: string): string | undefined =>
  new Map(native().configuration(git, `^${key.replaceAll('.', '[.]')}$`)).get(key)

/** Whether git takes a setting for true. */
export const isSwitchedOn = (git: GitHandle, key: string): boolean =>
  /^(?:true|yes|on|[1-9]\d*)$/i.test(settingOf(git, key) ?? '')
