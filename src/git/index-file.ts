import { mkdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { GateError, messageOf } from '../core/errors.ts'
import type { RepoPath } from '../core/ids.ts'
import { native } from '../native/binding.ts'
import { isSameStat, isYoungRow } from '../native/types.ts'
import { digestOf } from '../native/digest.ts'
import { writeFullCopy, type IndexPlumbing } from './index-plumbing.ts'
import { readIfThere } from './read-file.ts'

export interface IndexFile {
  /** Every entry, in git's format: the file's own bytes, or a full copy where the file is split or sparse. */
  readonly bytes: Buffer
  /** What the file itself holds; undefined when there is none. */
  readonly stored: Buffer | undefined
  readonly mtimeNs: bigint
  /** Stat row, in hex, at which the file holds these bytes and no others; undefined when that cannot be told. */
  readonly row?: string | undefined
}

/** As git takes a missing index: a version 2 header without entries, and its hash. */
const NO_INDEX: IndexFile = {
  bytes: Buffer.from('44495243000000020000000039d890139ee5356c7ef572216cebcd27aa41f9df', 'hex'),
  stored: undefined,
  mtimeNs: 0n,
}

const INDEX = 'index' as RepoPath

export const indexPathOf = (gitDir: string): string => path.join(gitDir, INDEX)

/**
 * Reads a work tree's index. A missing one is empty, as for git.
 *
 * @param using.known an index with every entry, which is returned itself when the file's is the same
 * @param using.knownRow as {@link IndexFile.row}, for `known`: a file that stands as it stood then is not read
 * @throws GateError GATE_GIT when it cannot be read, GATE_TIMEOUT
 */
export async function readIndexFile(
  gitDir: string,
  using: IndexPlumbing & { readonly known?: Buffer; readonly knownRow?: string | undefined },
): Promise<IndexFile> {
  try {
    const { known, knownRow } = using
    if (known !== undefined && knownRow !== undefined) {
      const { row, mtimeNs } = native().statRow(gitDir, INDEX)
      if (isSameStat(row, Buffer.from(knownRow, 'hex')))
        return { bytes: known, stored: known, mtimeNs, row: knownRow }
    }
    const file = readStored(gitDir)
    if (file === undefined) return NO_INDEX
    const { stored, mtimeNs } = file
    if (known?.equals(stored) === true) return { ...file, bytes: known, stored: known }
    const bytes = await wholeIndex(gitDir, stored, using)
    if (bytes === stored) return { ...file, bytes }
    return { bytes: known?.equals(bytes) === true ? known : bytes, stored, mtimeNs }
  } catch (error) {
    if (error instanceof GateError) throw error
    const file = indexPathOf(gitDir)
    throw new GateError('GATE_GIT', `git ls-files failed: ${messageOf(error)}: ${file}`, { cause: error })
  }
}

/** @returns undefined when git has to be asked for the entries, or the file cannot be read */
export function readPlainIndexFile(gitDir: string): IndexFile | undefined {
  try {
    const file = readStored(gitDir)
    if (file === undefined) return NO_INDEX
    return native().parseIndex(file.stored).needsPlumbing ? undefined : { bytes: file.stored, ...file }
  } catch {
    return undefined
  }
}

function readStored(gitDir: string): (Omit<IndexFile, 'bytes'> & { readonly stored: Buffer }) | undefined {
  const file = indexPathOf(gitDir)
  const before = native().statRow(gitDir, INDEX)
  const { mtimeNs } = statSync(file, { bigint: true, throwIfNoEntry: false }) ?? {}
  const stored = readLarge(file)
  if (stored === undefined || mtimeNs === undefined) return undefined
  const { kind, row } = native().statRow(gitDir, INDEX)
  const isSettled = kind === 'file' && !isYoungRow(row) && isSameStat(row, before.row)
  return { stored, mtimeNs, row: isSettled ? row.toString('hex') : undefined }
}

function readLarge(file: string): Buffer | undefined {
  try {
    return native().readFile(file)
  } catch {
    return readIfThere(file)
  }
}

/**
 * An index with all its entries. What git made of a split or sparse one stays in the scratch directory until another is
 * asked for, so that a check of an unchanged tree starts no process.
 *
 * @param stored the index as its file holds it
 * @returns `stored` itself when it is whole
 */
export async function wholeIndex(gitDir: string, stored: Buffer, using: IndexPlumbing): Promise<Buffer> {
  if (!native().parseIndex(stored).needsPlumbing) return stored
  const folder = path.join(using.scratch, `index-${digestOf(Buffer.from(gitDir)).slice(0, 16)}`)
  const copy = path.join(folder, digestOf(stored))
  const known = readIfThere(copy)
  if (known !== undefined) return known
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const made = `${copy}.new`
  await writeFullCopy(gitDir, { stored, to: made }, using)
  const bytes = readFileSync(made)
  if (native().parseIndex(bytes).needsPlumbing)
    throw new GateError('GATE_GIT', `git update-index did not expand the index: ${indexPathOf(gitDir)}`)
  renameSync(made, copy)
  return bytes
}
