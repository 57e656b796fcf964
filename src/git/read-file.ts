import { readFileSync } from 'node:fs'
import { isMissing } from '../core/errors.ts'

/** @returns undefined when there is no such file */
export function readIfThere(file: string | Buffer): Buffer | undefined {
  try {
    return readFileSync(file)
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}
