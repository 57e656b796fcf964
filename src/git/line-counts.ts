/** The lines of a text without their order, each with how often it is there. */

export type Lines = ReadonlyMap<string, number>

/** @param text any bytes; a line end at the end of the text makes no line */
export function linesOf(text: Buffer): Lines {
  const lines = new Map<string, number>()
  for (const line of text.toString('latin1').replace(/\n$/, '').split('\n'))
    lines.set(line, (lines.get(line) ?? 0) + 1)
  return lines
}

/** How many of the lines the others lack. */
export function notIn(lines: Lines, others: Lines): number {
  let missing = 0
  for (const [line, count] of lines) missing += Math.max(0, count - (others.get(line) ?? 0))
  return missing
}
