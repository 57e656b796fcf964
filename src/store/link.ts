import { lstatSync } from 'node:fs'
import { isMissing } from '../core/errors.ts'

/** Whether a symbolic link is there, wherever it leads. */
export function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink()
  } catch (error) {
    if (isMissing(error)) return false
    throw error
  }
}
