/** @returns undefined for bytes that are no text in UTF-8 */
export function decodeText(bytes: Buffer): string | undefined {
  const text = bytes.toString('utf8')
  return !bytes.includes(0) && Buffer.from(text, 'utf8').equals(bytes) ? text : undefined
}

/** Lines around a change that are shown with it. */
const CONTEXT = 3

type Line = readonly [sign: ' ' | '-' | '+', text: string]

/** Beyond so many pairs of lines, what lies between the first and the last difference is shown as changed as a whole. */
const MOST_PAIRS = 4_000_000

/**
 * A unified diff of two texts, for a person to read; empty when they are equal.
 *
 * @param nameAfter the same name when not given
 */
export function unifiedDiff(before: string, after: string, name: string, nameAfter = name): string {
  if (before === after) return ''
  const lines = compare(splitLines(before), splitLines(after))
  return [`--- ${name}`, `+++ ${nameAfter}`, ...hunksOf(lines), ''].join('\n')
}

const NO_NEWLINE = '\n\\ No newline at end of file'

/** A last line without its newline is another line than the same with it. */
function splitLines(text: string): string[] {
  if (text === '') return []
  return text.endsWith('\n') ? text.slice(0, -1).split('\n') : `${text}${NO_NEWLINE}`.split(/\n(?!\\ No)/)
}

/** Equal lines at both ends are left out of the comparison, whose cost is the product of what remains. */
function compare(before: readonly string[], after: readonly string[]): Line[] {
  const most = Math.min(before.length, after.length)
  let head = 0
  while (head < most && before[head] === after[head]) head++
  let tail = 0
  while (tail < most - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++

  const same = (text: string): Line => [' ', text]
  const old = before.slice(head, before.length - tail)
  const fresh = after.slice(head, after.length - tail)
  return [
    ...before.slice(0, head).map(same),
    ...(old.length * fresh.length > MOST_PAIRS ? replaced(old, fresh) : align(old, fresh)),
    ...before.slice(before.length - tail).map(same),
  ]
}

const replaced = (before: readonly string[], after: readonly string[]): Line[] => [
  ...before.map((text): Line => ['-', text]),
  ...after.map((text): Line => ['+', text]),
]

/** Longest common subsequence, filled from the end. */
function align(before: readonly string[], after: readonly string[]): Line[] {
  const width = after.length + 1
  const common = new Uint32Array((before.length + 1) * width)
  const commonAt = (row: number, column: number) => common[row * width + column] ?? 0
  for (let row = before.length - 1; row >= 0; row--)
    for (let column = after.length - 1; column >= 0; column--)
      common[row * width + column] =
        before[row] === after[column]
          ? commonAt(row + 1, column + 1) + 1
          : Math.max(commonAt(row + 1, column), commonAt(row, column + 1))

  const lines: Line[] = []
  let [row, column] = [0, 0]
  while (row < before.length || column < after.length) {
    const [old, fresh] = [before[row], after[column]]
    if (old !== undefined && old === fresh) {
      lines.push([' ', old])
      row++
      column++
    } else if (
      old !== undefined &&
      (fresh === undefined || commonAt(row + 1, column) >= commonAt(row, column + 1))
    ) {
      lines.push(['-', old])
      row++
    } else if (fresh !== undefined) {
      lines.push(['+', fresh])
      column++
    }
  }
  return lines
}

function hunksOf(lines: readonly Line[]): string[] {
  const isShown = lines.map((_, at) =>
    lines.slice(Math.max(0, at - CONTEXT), at + CONTEXT + 1).some(([sign]) => sign !== ' '),
  )
  const shown: string[] = []
  let [oldLine, newLine] = [1, 1]
  lines.forEach(([sign, text], at) => {
    if (isShown[at] === true && isShown[at - 1] !== true) {
      const end = isShown.indexOf(false, at)
      const hunk = lines.slice(at, end === -1 ? undefined : end)
      const count = (other: string) => hunk.filter(([hunkSign]) => hunkSign !== other).length
      shown.push(`@@ -${range(oldLine, count('+'))} +${range(newLine, count('-'))} @@`)
    }
    if (isShown[at] === true) shown.push(`${sign}${text.replace(/\r$/, '')}`)
    if (sign !== '+') oldLine++
    if (sign !== '-') newLine++
  })
  return shown
}

/** A side without lines is named by the line before it. */
const range = (line: number, count: number): string => `${count === 0 ? line - 1 : line},${count}`
