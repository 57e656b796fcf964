import { createHash } from 'node:crypto'
import { asSha256, type Sha256 } from '../core/ids.ts'

export const digestOf = (bytes: Buffer): Sha256 => asSha256(createHash('sha256').update(bytes).digest('hex'))
