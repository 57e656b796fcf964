/** Operators of the shell: where one stands in a command line, and what a redirection reads from. */

export type Redirection = 'file' | 'input-file' | 'here-string' | 'here-document' | 'here-document-tabs'

const OPERATORS = ['&&', '||', ';;', '|&', ';', '&', '|', '(', ')']

/** The longest operator that starts there; undefined without one. */
export const operatorAt = (source: string, at: number): string | undefined =>
  OPERATORS.find((operator) => source.startsWith(operator, at))

/** Longest first; a file descriptor may stand before each. */
const REDIRECTIONS: readonly (readonly [operator: string, redirection: Redirection])[] = [
  ['<<<', 'here-string'],
  ['<<-', 'here-document-tabs'],
  ['<<', 'here-document'],
  ['&>>', 'file'],
  ['&>', 'file'],
  ['>>', 'file'],
  ['>&', 'file'],
  ['>|', 'file'],
  ['<&', 'file'],
  ['<>', 'input-file'],
  ['>', 'file'],
  ['<', 'input-file'],
]

/** A redirection that starts there, with its file descriptor; undefined without one. */
export function redirectionAt(
  source: string,
  at: number,
): { readonly length: number; readonly redirection: Redirection } | undefined {
  if (!/[<>&{\d]/.test(source.charAt(at))) return undefined
  const descriptor = /^(?:\d{1,4}|\{\w{1,64}\})(?=[<>])/.exec(source.slice(at, at + 67))?.[0].length ?? 0
  const found = REDIRECTIONS.find(([operator]) => source.startsWith(operator, at + descriptor))
  if (found === undefined || isProcessSubstitution(source, at + descriptor)) return undefined
  return { length: descriptor + found[0].length, redirection: found[1] }
}

/** `<(` and `>(` are words. */
export const isProcessSubstitution = (source: string, at: number): boolean =>
  (source[at] === '<' || source[at] === '>') && source[at + 1] === '('
