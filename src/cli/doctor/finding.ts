/** One thing that doctor looked at. A problem always says what to do. */
export type Finding =
  | { readonly check: string; readonly status: 'ok' | 'note'; readonly found: string }
  | { readonly check: string; readonly status: 'problem'; readonly found: string; readonly fix: string }

export const ok = (check: string, found: string): Finding => ({ check, status: 'ok', found })

export const note = (check: string, found: string): Finding => ({ check, status: 'note', found })

export const problem = (check: string, found: string, fix: string): Finding => ({
  check,
  status: 'problem',
  found,
  fix,
})

export const countOf = (count: number, noun: string): string =>
  `${String(count)} ${noun}${count === 1 ? '' : 's'}`
