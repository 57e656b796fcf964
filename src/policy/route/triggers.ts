/** From the frontmatter of installed skills to what routing scores. */

import type { SkillFile } from '../../core/skill-file.ts'
import type { SkillTriggers } from './score.ts'

export interface BrokenSkill {
  readonly file: string
  readonly why: string
}

/** Tells skills that can be scored from those that a person has to repair. A skill without triggers is neither. */
export function readTriggers(skills: readonly SkillFile[]): {
  readonly triggers: readonly SkillTriggers[]
  readonly broken: readonly BrokenSkill[]
} {
  const triggers: SkillTriggers[] = []
  const broken: BrokenSkill[] = []
  for (const { name, file, frontmatter } of skills) {
    if (frontmatter.kind === 'none') continue
    if (frontmatter.kind === 'broken') {
      broken.push({ file, why: frontmatter.why })
      continue
    }
    const phrases = phrasesOf(frontmatter.fields['triggers'])
    if (phrases === undefined) broken.push({ file, why: 'triggers is not a list of phrases' })
    else if (phrases.length > 0) triggers.push({ skill: name, triggers: phrases })
  }
  return { triggers, broken }
}

/** One phrase may stand without a list. */
function phrasesOf(value: unknown): readonly string[] | undefined {
  if (value === undefined || value === null) return []
  const phrases: readonly unknown[] = Array.isArray(value) ? value : [value]
  return phrases.every((phrase) => typeof phrase === 'string') ? phrases : undefined
}
