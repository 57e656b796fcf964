/**
 * A certificate: facts under which a hook of a session has nothing to do. The Node side writes one after a pass that did
 * nothing; the front checks the facts and decides nothing. docs/native.md describes the bytes.
 */

import type { HookName } from './registration.ts'
import type { SessionId } from './ids.ts'

export const CERTIFICATE_MAGIC = 'gsfc'
export const CERTIFICATE_VERSION = 2
/** One that would be longer is not written: its facts cost more to check than Node costs to start. */
export const CERTIFICATE_LIMIT_BYTES = 4 * 1024 * 1024
export const CERTIFICATE_HEADER_BYTES = 16
const SHA1_BYTES = 20

/** An armed one holds a scan, leaves a mark while it is checked, and counts as a check when it holds. */
export const CERTIFICATE_KINDS = { idle: 0, armed: 1 } as const
export type CertificateKind = keyof typeof CERTIFICATE_KINDS

export const FACT_TYPES = { variable: 1, field: 2, path: 3, transcript: 4, boot: 5, tree: 6 } as const

export const PATH_FLAGS = {
  /** Below the state root, and no part of it a link. */
  inState: 1,
  /** Only device, inode and type count. */
  identity: 2,
  /** Links are followed. */
  followed: 4,
  absent: 8,
} as const

/** No words of a root cause may follow, in the transcript or in the payload. */
export const FORBIDS_CAUSE = 1

/** A file's stat data as far as they tell that it is the same and unwritten. */
export interface FileStat {
  readonly dev: bigint
  readonly ino: bigint
  readonly size: bigint
  readonly mtimeNs: bigint
  readonly ctimeNs: bigint
  readonly mode: bigint
}

export type Fact =
  | { readonly kind: 'variable'; readonly name: string; readonly value: string | undefined }
  /** A field of the payload; null counts as absent. */
  | { readonly kind: 'field'; readonly name: string; readonly value: string | undefined }
  | {
      readonly kind: 'path'
      /** Absolute, or relative to the state root. */
      readonly path: string | Buffer
      readonly inState?: boolean
      readonly compare: 'all' | 'identity' | 'followed-identity'
      readonly found: FileStat | undefined
    }
  | {
      readonly kind: 'transcript'
      readonly path: string
      readonly dev: bigint
      readonly ino: bigint
      /** Read up to here. */
      readonly offset: number
      readonly headBytes: number
      readonly headSha1: Buffer
      /** None of these stands behind the offset. */
      readonly words: readonly string[]
      readonly forbidsCause: boolean
    }
  | { readonly kind: 'boot'; readonly id: string }
  | {
      readonly kind: 'tree'
      readonly root: string
      /** Pinned index and table, relative to the state root. */
      readonly index: string
      readonly table: string
      /** The patch of the table; empty when there is none. */
      readonly patch: string
      /** Paths of that index that do not count, in latin1, sorted. */
      readonly outside: readonly string[]
    }

/** File of a hook's certificate for a session; neither name holds a tilde. */
export const certificateName = (hook: HookName, session: SessionId): string => `${hook}~${session}`

/**
 * A certificate without the SHA-1 of itself that stands behind it.
 *
 * @returns undefined when it would be too long to be worth it
 */
export function encodeCertificate(kind: CertificateKind, facts: readonly Fact[]): Buffer | undefined {
  const body = Buffer.concat(facts.map(encodeFact))
  const header = Buffer.alloc(CERTIFICATE_HEADER_BYTES)
  const size = header.length + body.length + SHA1_BYTES
  if (size > CERTIFICATE_LIMIT_BYTES) return undefined
  header.write(CERTIFICATE_MAGIC, 'latin1')
  header.writeUInt8(CERTIFICATE_VERSION, 4)
  header.writeUInt8(CERTIFICATE_KINDS[kind], 5)
  header.writeUInt32LE(facts.length, 8)
  header.writeUInt32LE(size, 12)
  return Buffer.concat([header, body])
}

/** The kind that a file's first bytes name; undefined when they are of no certificate of this version. */
export function certificateKind(header: Buffer): CertificateKind | undefined {
  if (header.length < CERTIFICATE_HEADER_BYTES || header.toString('latin1', 0, 4) !== CERTIFICATE_MAGIC)
    return undefined
  if (header.readUInt8(4) !== CERTIFICATE_VERSION) return undefined
  const kinds = Object.keys(CERTIFICATE_KINDS) as CertificateKind[]
  return kinds.find((kind) => CERTIFICATE_KINDS[kind] === header.readUInt8(5))
}

function encodeFact(fact: Fact): Buffer {
  switch (fact.kind) {
    case 'variable':
    case 'field':
      return frame(FACT_TYPES[fact.kind], fact.value === undefined ? 0 : 1, [
        text(fact.name),
        ...(fact.value === undefined ? [] : [text(fact.value)]),
      ])
    case 'path':
      return frame(FACT_TYPES.path, pathFlags(fact), [
        text(fact.path),
        ...(fact.found === undefined ? [] : [encodeStat(fact.found)]),
      ])
    case 'transcript':
      return frame(FACT_TYPES.transcript, fact.forbidsCause ? FORBIDS_CAUSE : 0, [
        text(fact.path),
        u64(fact.dev),
        u64(fact.ino),
        u64(BigInt(fact.offset)),
        u32(fact.headBytes),
        fact.headSha1,
        u32(fact.words.length),
        ...fact.words.map(text),
      ])
    case 'boot':
      return frame(FACT_TYPES.boot, 0, [text(fact.id)])
    case 'tree':
      return frame(FACT_TYPES.tree, 0, [
        text(fact.root),
        text(fact.index),
        text(fact.table),
        text(fact.patch),
        u32(fact.outside.length),
        ...fact.outside.map((path) => text(Buffer.from(path, 'latin1'))),
      ])
  }
}

function pathFlags(fact: Extract<Fact, { kind: 'path' }>): number {
  return (
    (fact.inState === true ? PATH_FLAGS.inState : 0) |
    (fact.compare === 'all' ? 0 : PATH_FLAGS.identity) |
    (fact.compare === 'followed-identity' ? PATH_FLAGS.followed : 0) |
    (fact.found === undefined ? PATH_FLAGS.absent : 0)
  )
}

const encodeStat = ({ dev, ino, size, mtimeNs, ctimeNs, mode }: FileStat): Buffer =>
  Buffer.concat([dev, ino, size, mtimeNs, ctimeNs, mode].map(u64))

/** Type, flags and the body's length in front of the body. */
function frame(type: number, flags: number, parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  return Buffer.concat([Buffer.from([type, flags, 0, 0]), u32(body.length), body])
}

function text(value: string | Buffer): Buffer {
  const bytes = typeof value === 'string' ? Buffer.from(value, 'utf8') : value
  return Buffer.concat([u32(bytes.length), bytes])
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

function u64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt.asUintN(64, value))
  return bytes
}
