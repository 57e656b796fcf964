import { statSync } from 'node:fs'
import path from 'node:path'
import { GateError, isMissing, messageOf } from '../core/errors.ts'
import { native } from '../native/binding.ts'
import { readIfThere } from './read-file.ts'

export interface IndexFile {
  readonly bytes: Buffer
  readonly mtimeNs: bigint
}

/** An index without entries: a version 2 header and its hash. */
const NO_ENTRIES = Buffer.from('44495243000000020000000039d890139ee5356c7ef572216cebcd27aa41f9df', 'hex')

export const indexPathOf = (gitDir: string): string => path.join(gitDir, 'index')

/**
 * Reads a work tree's index. A missing one is empty, as for git.
 *
 * @throws GateError GATE_GIT when it cannot be read or has a shape that is not supported
 */
export function readIndexFile(gitDir: string): IndexFile {
  const file = indexPathOf(gitDir)
  try {
    const { mtimeNs } = statSync(file, { bigint: true })
    const bytes = readIfThere(file) ?? NO_ENTRIES
    const { needsPlumbing } = native().parseIndex(bytes)
    if (needsPlumbing) throw new GateError('GATE_GIT', `split and sparse indexes are not supported: ${file}`)
    return { bytes, mtimeNs }
  } catch (error) {
    if (isMissing(error)) return { bytes: NO_ENTRIES, mtimeNs: 0n }
    if (error instanceof GateError) throw error
    throw new GateError('GATE_GIT', `git ls-files failed: ${messageOf(error)}: ${file}`, { cause: error })
  }
}
