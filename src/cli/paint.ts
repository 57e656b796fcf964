import type { CliContext } from './command.ts'

/** Marks for text; each is the text itself where colours have no place. */
export interface Paint {
  readonly bold: (text: string) => string
  readonly dim: (text: string) => string
  readonly good: (text: string) => string
  readonly bad: (text: string) => string
  readonly mark: (text: string) => string
}

/** Colours on a terminal, unless NO_COLOR says otherwise (https://no-color.org). */
export function paintFor({ isTerminal, env }: Pick<CliContext, 'isTerminal' | 'env'>): Paint {
  const isColoured = isTerminal && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb'
  const sgr = (on: number, off: number) => (text: string) =>
    isColoured ? `\u001b[${String(on)}m${text}\u001b[${String(off)}m` : text
  return { bold: sgr(1, 22), dim: sgr(2, 22), good: sgr(32, 39), bad: sgr(31, 39), mark: sgr(36, 39) }
}
