/** How well a prompt fits what a skill says it is for. No model, no network: the same prompt, the same answer. */

import {
  GAP,
  isContentWord,
  isFailureWord,
  isPartOfName,
  isQuestionWord,
  mergeFailureStems,
  stemOf,
  wordsOf,
} from './words.ts'

export interface SkillTriggers {
  readonly skill: string
  readonly triggers: readonly string[]
}

export interface Candidate {
  readonly skill: string
  /** Above 0, at most 1. */
  readonly score: number
  /** The trigger that scored, as its skill writes it. */
  readonly trigger: string
  /** How many content words of the trigger the prompt has. */
  readonly words: number
}

/** One element per word of the prompt; a stem is empty for a word without content. */
interface PromptWords {
  readonly inOrder: readonly string[]
  readonly stems: readonly string[]
  readonly stemsWithOneFailure: readonly string[]
}

/** A single content word of at least this many letters counts without its whole phrase. */
const LONE_WORD_LETTERS = 5

/** Words of a trigger that stand further apart than this in a prompt have nothing to do with each other. */
const SPAN_WORDS = 24

/**
 * Scores every skill by its best trigger.
 *
 * @returns skills that score at all; best first, then more matched words, then by name
 */
export function scoreSkills(prompt: string, skills: readonly SkillTriggers[]): readonly Candidate[] {
  const words = promptWords(prompt)
  return skills
    .flatMap(({ skill, triggers }) => {
      const scored = triggers.map((trigger) => ({ skill, trigger, ...scoreTrigger(words, trigger) }))
      return scored
        .filter(({ score }) => score > 0)
        .sort(byFit)
        .slice(0, 1)
    })
    .sort((a, b) => byFit(a, b) || compareText(a.skill, b.skill))
}

function promptWords(prompt: string): PromptWords {
  const inOrder = wordsOf(prompt)
  // "the build must fail when a link is broken" asks for a failure, it does not report one.
  let isRequirement = false
  const stems = inOrder.map((word, at) => {
    isRequirement = word === 'must' || (isRequirement && word !== GAP)
    const saysNothing = isRequirement ? isFailureWord(word) : isPartOfName(word, inOrder[at + 1])
    return isContentWord(word) && !saysNothing ? stemOf(word) : ''
  })
  return { inOrder, stems, stemsWithOneFailure: stems.map(mergeFailureStems) }
}

/** 1 for the whole phrase, else the share of its content words that the prompt has. */
function scoreTrigger(prompt: PromptWords, trigger: string): { score: number; words: number } {
  const phrase = wordsOf(trigger).filter((word) => word !== GAP)
  const content = phrase.filter(isContentWord)
  const stems = new Set(content.map(stemOf))
  if (holdsPhrase(prompt.inOrder, phrase)) return { score: 1, words: stems.size }

  const [first] = content
  if (first === undefined) return { score: 0, words: 0 }
  if (stems.size === 1) {
    const isTelling = [...first].length >= LONE_WORD_LETTERS && !isQuestionWord(first)
    return isTelling ? share(stems, prompt.stems) : { score: 0, words: 0 }
  }
  return share(new Set([...stems].map(mergeFailureStems)), prompt.stemsWithOneFailure)
}

function share(wanted: ReadonlySet<string>, found: readonly string[]): { score: number; words: number } {
  const hits = found.flatMap((stem, at) => (wanted.has(stem) ? [{ stem, at }] : []))
  const together = hits.map(({ at: start }) => {
    const near = hits.filter(({ at }) => at >= start && at < start + SPAN_WORDS)
    return new Set(near.map(({ stem }) => stem)).size
  })
  const words = Math.max(0, ...together)
  return { score: words / wanted.size, words }
}

function holdsPhrase(words: readonly string[], phrase: readonly string[]): boolean {
  if (phrase.length === 0) return false
  return words.some((_, at) => phrase.every((word, offset) => words[at + offset] === word))
}

const byFit = (a: Candidate, b: Candidate): number => b.score - a.score || b.words - a.words

/** By code units, so that the answer does not depend on a locale. */
const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
