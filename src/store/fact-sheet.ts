import { lstatSync, statfsSync, statSync } from 'node:fs'
import path from 'node:path'
import type { Fact, FileStat } from '../core/certificate.ts'
import { isMissing, isSystemError } from '../core/errors.ts'

type PathFact = Extract<Fact, { kind: 'path' }>

/** Facts of one pass. What is looked at has to be looked at before it is read, so that a later change is seen. */
export interface FactSheet {
  readonly add: (...facts: readonly Fact[]) => void
  /** Notes how a path stands now, and says so. */
  readonly look: (file: string | Buffer, compare: PathFact['compare']) => FileStat | undefined
  /** @returns undefined when one of the facts could change without being seen */
  readonly settled: () => readonly Fact[] | undefined
}

export function newFactSheet(stateRoot: string): FactSheet {
  const facts: Fact[] = []
  let isSettled = true
  return {
    add(...more) {
      facts.push(...more)
    },
    look(file, compare) {
      try {
        const found = statOf(file, compare)
        if (found !== undefined && (isLink(found) || (compare === 'all' && isYoung(file, found))))
          isSettled = false
        facts.push({ kind: 'path', compare, found, ...placeOf(file, stateRoot) })
        return found
      } catch (error) {
        // Whoever needs the path will say so; the certificate does not.
        if (!isSystemError(error)) throw error
        isSettled = false
        return undefined
      }
    },
    settled: () => (isSettled ? facts : undefined),
  }
}

/** As `native/stat_row.cc` has it: by then a file written twice has two times. */
const FINE_GRAIN_NS = 20_000_000n
const COARSE_GRAIN_NS = 2_000_000_000n
/** ext4, xfs, btrfs, tmpfs, overlayfs; numbers from linux/magic.h. */
const FINE_SYSTEMS: ReadonlySet<number> = new Set([0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x794c7630])

function isYoung(file: string | Buffer, { mtimeNs, ctimeNs }: FileStat): boolean {
  const latest = mtimeNs > ctimeNs ? mtimeNs : ctimeNs
  const age = BigInt(Date.now()) * 1_000_000n - latest
  if (age >= COARSE_GRAIN_NS) return false
  return age < FINE_GRAIN_NS || !isFine(file)
}

const isFine = (file: string | Buffer): boolean =>
  process.platform === 'linux' && FINE_SYSTEMS.has(statfsSync(file).type)

function statOf(file: string | Buffer, compare: PathFact['compare']): FileStat | undefined {
  try {
    const look = compare === 'followed-identity' ? statSync : lstatSync
    return look(file, { bigint: true })
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

/** What a link leads to can change without it. */
const isLink = ({ mode }: FileStat): boolean => (mode & 0o170000n) === 0o120000n

function placeOf(file: string | Buffer, stateRoot: string): Pick<PathFact, 'path' | 'inState'> {
  const relative = typeof file === 'string' ? path.relative(stateRoot, file) : '..'
  const isInside = relative !== '' && !relative.startsWith('..') && !path.isAbsolute(relative)
  return isInside ? { path: relative, inState: true } : { path: file }
}
