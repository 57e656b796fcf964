import { readRegularFile } from '../native/regular-file.ts'
import { append } from './in-place.ts'

/** Appends values, a line each, mode 0600. */
export function appendJsonLines(file: string, values: readonly unknown[]): void {
  if (values.length === 0) return
  // The newline before them ends a line that a full disk cut off.
  append(file, `\n${jsonLines(values)}`)
}

export const jsonLines = (values: readonly unknown[]): string =>
  values.map((value) => `${JSON.stringify(value)}\n`).join('')

/** Oldest first; none when there is no file. A line that was cut off is left out. */
export function readJsonLines(file: string): readonly unknown[] {
  const text = readRegularFile(file)?.toString('utf8') ?? ''
  return text.split('\n').flatMap((line) => {
    try {
      return line === '' ? [] : [JSON.parse(line) as unknown]
    } catch (error) {
      if (error instanceof SyntaxError) return []
      throw error
    }
  })
}
