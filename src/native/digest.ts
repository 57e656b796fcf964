import { GateError, hasErrno } from '../core/errors.ts'
import { asSha256, type Sha256 } from '../core/ids.ts'
import { native } from './binding.ts'

/** The sha256 of bytes, one part behind the other. */
export function digestOf(...parts: readonly (Buffer | string)[]): Sha256 {
  const [first, ...others] = parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part))
  const bytes =
    first !== undefined && others.length === 0 ? first : Buffer.concat([first ?? Buffer.alloc(0), ...others])
  return asSha256(digest('sha256', bytes).toString('hex'))
}

/** A short name that stands for a text, 16 hex digits. */
export const digestName = (text: string): string => digestOf(text).slice(0, 16)

export const sha1Of = (bytes: Buffer): Buffer => digest('sha1', bytes)

/** For content that comes in pieces. To load the module costs 5 ms, and most calls need none. */
export const newHash = (name: 'sha1' | 'sha256') => process.getBuiltinModule('node:crypto').createHash(name)

/** Without the addon it takes longer, and is the same. */
function digest(name: 'sha1' | 'sha256', bytes: Buffer): Buffer {
  try {
    return native().digest(name, bytes)
  } catch (error) {
    if (!(error instanceof GateError) && !hasErrno(error, 'ENOSYS')) throw error
    return newHash(name).update(bytes).digest()
  }
}
