import { asSha256, type Sha256 } from '../core/ids.ts'

/** The sha256 of bytes, one part behind the other. */
export function digestOf(...parts: readonly (Buffer | string)[]): Sha256 {
  const hash = newHash('sha256')
  for (const part of parts) hash.update(part)
  return asSha256(hash.digest('hex'))
}

/** A short name that stands for a text, 16 hex digits. */
export const digestName = (text: string): string => digestOf(text).slice(0, 16)

export const sha1Of = (bytes: Buffer): Buffer => newHash('sha1').update(bytes).digest()

/** Taken when a first digest is: to load the module costs 5 ms, and most calls need none. */
export const newHash = (name: 'sha1' | 'sha256') => process.getBuiltinModule('node:crypto').createHash(name)
