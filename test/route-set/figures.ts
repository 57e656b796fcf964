/** How well routing does on the labelled prompts of this folder. */

import { readFileSync } from 'node:fs'
import { decideRoute } from '../../src/policy/route/decide.ts'

export interface LabelledPrompt {
  /** Rules were chosen while looking at `tuned` only. */
  readonly part: 'tuned' | 'held-back'
  /** The skill that a person would want here; null for none. */
  readonly fits: string | null
  readonly prompt: string
}

export interface Figures {
  readonly prompts: number
  /** Fitting prompts that went to their own skill. */
  readonly right: number
  /** Fitting prompts that went to another skill, and non-fitting ones that went to any. */
  readonly wrong: readonly (LabelledPrompt & { readonly route: string })[]
  readonly missed: readonly LabelledPrompt[]
  readonly nonFits: number
  readonly falseRoutes: number
  readonly precision: number
  readonly recall: number
}

export function readLabelledPrompts(folder: string): readonly LabelledPrompt[] {
  const lines = readFileSync(`${folder}/prompts.jsonl`, 'utf8').trimEnd().split('\n')
  return lines.map((line) => JSON.parse(line) as LabelledPrompt)
}

/** @param folder holds `triggers.json`: what the routed skills say they are for */
export function figuresOf(folder: string, prompts: readonly LabelledPrompt[]): Figures {
  const triggers = JSON.parse(readFileSync(`${folder}/triggers.json`, 'utf8')) as Record<string, string[]>
  const skills = Object.entries(triggers).map(([skill, phrases]) => ({ skill, triggers: phrases }))
  const routed = prompts.map((labelled) => ({
    ...labelled,
    route: decideRoute(labelled.prompt, skills).route.skill,
  }))

  const right = routed.filter(({ fits, route }) => fits !== null && fits === route).length
  const wrong = routed.flatMap((labelled) => {
    const { fits, route } = labelled
    return route === undefined || route === fits ? [] : [{ ...labelled, route }]
  })
  const fitting = prompts.filter(({ fits }) => fits !== null).length
  return {
    prompts: prompts.length,
    right,
    wrong,
    missed: routed.filter(({ fits, route }) => fits !== null && route === undefined),
    nonFits: prompts.length - fitting,
    falseRoutes: wrong.filter(({ fits }) => fits === null).length,
    precision: right / (right + wrong.length),
    recall: right / fitting,
  }
}
