/** Whether a prompt is sent to a skill, and why not. */

import { scoreSkills, type Candidate, type SkillTriggers } from './score.ts'

/** Both words of a two-word trigger, or two of three. */
export const DEFAULT_THRESHOLD = 0.66

/** Other skills' triggers are too wide to act on; `--explain` still shows what they would score. */
const ROUTED_SKILLS: ReadonlySet<string> = new Set(['investigate', 'review', 'qa', 'verify'])

/** Longer prompts are pasted logs. In characters as people count them: code points, not UTF-16 units or bytes. */
const LONGEST_PROMPT = 8_000

export type NoRouteReason = 'empty' | 'slash' | 'task-notification' | 'too-long' | 'no-match'

export interface RouteDecision {
  /** Every skill that reaches the threshold, best first, routed or not. */
  readonly candidates: readonly Candidate[]
  readonly route: Candidate | { readonly skill: undefined; readonly reason: NoRouteReason }
}

/**
 * Decides where a prompt goes.
 *
 * @param skills each with its directory's name; a `gstack-` prefix changes nothing
 */
export function decideRoute(
  prompt: string,
  skills: readonly SkillTriggers[],
  threshold = DEFAULT_THRESHOLD,
): RouteDecision {
  const reason = reasonNotToScore(prompt)
  if (reason !== undefined) return { candidates: [], route: { skill: undefined, reason } }

  const candidates = scoreSkills(prompt, skills).filter(({ score }) => score >= threshold)
  const route = candidates.find(({ skill }) => isRouted(skill))
  return { candidates, route: route ?? { skill: undefined, reason: 'no-match' } }
}

/** Whether prompts may be sent to the skill of this name. */
export const isRouted = (skill: string): boolean => ROUTED_SKILLS.has(skill.replace(/^gstack-/, ''))

function reasonNotToScore(prompt: string): NoRouteReason | undefined {
  const text = prompt.trimStart()
  if (text.startsWith('/')) return 'slash'
  if (text.startsWith('<task-notification>')) return 'task-notification'
  if (prompt.length > LONGEST_PROMPT && [...prompt].length > LONGEST_PROMPT) return 'too-long'
  // The short class first: the one of Unicode takes half a millisecond to compile.
  if (!/[a-z0-9]/i.test(text) && !/[\p{L}\p{N}]/u.test(text)) return 'empty'
  return undefined
}
