import { GateError } from '../core/errors.ts'
import { native } from '../native/binding.ts'
import { readRegularFile } from '../native/regular-file.ts'
import { writeAtomic } from './atomic.ts'

/** @throws GateError GATE_STATE when the file is there and cannot be read */
export function readState(file: string): Buffer | undefined {
  try {
    return readRegularFile(file)
  } catch (cause) {
    throw new GateError('GATE_STATE', `cannot read ${file}`, { cause })
  }
}

/** As {@link readState}, for a large file that is replaced and never written to: of its bytes, what is looked at is read. */
export function mapState(file: string): Buffer | undefined {
  try {
    return native().mapFile(file)
  } catch {
    return readState(file)
  }
}

/** @throws GateError GATE_STATE when the file cannot be written; the old one stays */
export function writeState(file: string, content: string | Buffer): void {
  try {
    writeAtomic(file, content)
  } catch (cause) {
    throw new GateError('GATE_STATE', `cannot write ${file}`, { cause })
  }
}

/** @throws GateError GATE_STATE when the bytes are not a JSON object */
export function parseState(file: string, bytes: Buffer): object {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'))
    if (typeof value === 'object' && value !== null) return value
  } catch (cause) {
    throw new GateError('GATE_STATE', `this file is not JSON: ${file}`, { cause })
  }
  throw new GateError('GATE_STATE', `this file is not a JSON object: ${file}`)
}
