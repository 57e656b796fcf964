/** One answer for root causes, report labels and risks: does this value say anything? */

/**
 * A value that stands for one: `[...]`, `<...>`, `...`, TBD, TODO, or the words of a template such as
 * `DONE | BLOCKED`.
 */
export function isPlaceholder(value: string): boolean {
  const plain = plainValue(value)
  if (plain === '') return true
  if (!MAY_STAND_FOR_ONE.test(plain)) return false
  if (/^(?:\[[^\]]*\]|<[^>]*>|\{[^}]*\}|\(\s*\))[.!]?$/.test(plain)) return true
  if (/^(?:\.{2,}|…+|-+|–+|—+|_+|\?+|x{2,})$/i.test(plain)) return true
  if (
    /^(?:tbd|todo|to be (?:determined|decided|done|confirmed)|fixme|placeholder|none yet|pending)\b[\s.:!…-]*$/i.test(
      plain,
    )
  )
    return true
  return /^[A-Z][A-Z_]+(?:\s*\|\s*[A-Z][A-Z_]+)+$/.test(plain)
}

/** What each pattern begins with, or has in it: for most values none of them has to be compiled. */
const MAY_STAND_FOR_ONE = /^[[<{(.…\-–—_?xtfpn]|\|/i

/** A value that says its author does not know yet. */
export function isHedge(value: string): boolean {
  const plain = plainValue(value)
    .toLowerCase()
    .replace(/[\s.!…]+$/, '')
  if (/^(?:still |currently )?(?:unknown|unclear|investigating|not sure)(?:[,;:.]\s|\s+[-–—(])/.test(plain))
    return true
  return HEDGES.some((hedge) => hedge.test(plain))
}

const HEDGES = [
  /^(?:(?:still|currently|as yet|yet|so far) )?(?:unknown|unclear|undetermined|unidentified|uncertain|unsure|inconclusive)(?: (?:yet|so far|at this (?:point|time|stage)|for now|as of now|still))?$/,
  /^(?:not|isn't|is not) (?:yet |entirely |quite |fully )?(?:known|clear|sure|certain|determined|identified|established|found)(?: yet)?$/,
  /^(?:i )?(?:do not|don't|dont) know(?: yet)?$/,
  /^(?:i'm |i am |we're |we are )?(?:still |currently )?(?:investigating|looking(?: into (?:it|this))?|debugging|checking|working on it|under investigation|being investigated)$/,
  /^(?:under|needs?|requires?) (?:further |more )?investigation$/,
  /^(?:see|as|described|stated|given|explained) (?:below|above)$/,
  /^(?:n\/?a|none|nothing|no idea|not applicable|maybe|idk|same|wip)$/,
  /^to be (?:determined|found|investigated|confirmed|identified)$/,
]

/** Without the marks that people put around a value: quotes, code, bold. */
function plainValue(value: string): string {
  let plain = value.trim()
  for (;;) {
    if (!/^[*_`"'“‘]/.test(plain)) return plain
    const inner = /^(?:\*\*|__|[*_`"'“‘])+([\s\S]*?)(?:\*\*|__|[*_`"'”’])+$/.exec(plain)?.[1]?.trim()
    if (inner === undefined || inner === plain) return plain
    plain = inner
  }
}
