/**
 * What counts as a word of a prompt or of a trigger. Code, paths, links and options are not words of a request: "run
 * eslint --fix" asks for no fix, and `src/review/code.ts` for no review.
 */

import { stemmer } from 'stemmer'

/** Stands where two neighbours belong to no common phrase: between sentences, and instead of code. */
export const GAP = ''

const COMMON_WORDS: ReadonlySet<string> = new Set(
  `a an the this that these those it its i im me my mine we us our ours you your yours he him his she her they them
  their there here is are was were be been being am do does did doing done have has had having can could will would
  shall should may might must to of in on at by for from with without into onto about as and or but if then than so
  not no nor please just also too very up down out off over again still now some any all each`.split(/\s+/),
)

const QUESTION_WORDS: ReadonlySet<string> = new Set('who whom whose what when where which why how'.split(' '))

/** One stem for all the ways to say that something does not work. */
const FAILURE_STEM = 'fail'
const FAILURE_WORDS: ReadonlySet<string> = new Set(
  ['bug', 'fail', 'failure', 'error', 'crash', 'broken'].map((word) => stemmer(word)),
)

/** Behind a failure word or `debug`: a thing that a program has, not a failure that somebody met. */
const THINGS: ReadonlySet<string> = new Set(
  `handling handler handlers message messages page pages code codes class classes boundary boundaries log logs logging
  level mode build builds flag output symbols state states counter counters type types tracker trackers bounty bounties
  reporter reporters report reports rate rates budget response responses line lines field fields`.split(
    /\s+/,
  ),
)

/** Scripts that put no blanks between words: each character stands alone, so that phrases are found inside a run. */
const RUN_TOGETHER = '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}]'

/** Made when a first word needs them: to compile classes of Unicode takes longer than all else that a prompt costs. */
let unicode: { readonly words: RegExp; readonly runTogether: RegExp } | undefined
const unicodePatterns = (): { readonly words: RegExp; readonly runTogether: RegExp } =>
  (unicode ??= {
    words: new RegExp(`${RUN_TOGETHER}|(?:(?!${RUN_TOGETHER})[\\p{L}\\p{M}\\p{N}])+(?:['’]\\p{L}+)?`, 'gu'),
    runTogether: new RegExp(`^${RUN_TOGETHER}$`, 'u'),
  })

const isAscii = (text: string): boolean => /^[ -~]*$/.test(text)

/** @returns lower-case words in order, with `GAP`s between them */
export function wordsOf(text: string): string[] {
  return withoutCode(text.normalize('NFKC').toLowerCase())
    .split(/\s+/u)
    .flatMap((chunk) => wordsOfChunk(chunk))
}

/** Words that carry the meaning of a phrase; a character of a run-together script carries none by itself. */
export function isContentWord(word: string): boolean {
  if (word === GAP || COMMON_WORDS.has(word)) return false
  return isAscii(word) || !unicodePatterns().runTogether.test(word)
}

export const isFailureWord = (word: string): boolean => FAILURE_WORDS.has(stemOf(word))

/** "error handling", "crash reporter", "debug mode" */
export function isPartOfName(word: string, next: string | undefined): boolean {
  return (isFailureWord(word) || stemOf(word) === 'debug') && next !== undefined && THINGS.has(next)
}

export const isQuestionWord = (word: string): boolean => QUESTION_WORDS.has(word)

/** The word without its inflection. Agent nouns keep their ending: a debugger is not a debug, nor a reviewer a review. */
export function stemOf(word: string): string {
  const known = stems.get(word)
  if (known !== undefined) return known
  const stem = findStem(word)
  stems.set(word, stem)
  return stem
}

/** A prompt's words are asked about several times, and each takes the stemmer a dozen patterns. */
const stems = new Map<string, string>()

function findStem(word: string): string {
  if (!/^[a-z]+$/.test(word)) return word
  if (/ers?$/.test(word)) return word.replace(/s$/, '')
  return stemmer(word)
}

export const mergeFailureStems = (stem: string): string => (FAILURE_WORDS.has(stem) ? FAILURE_STEM : stem)

const withoutCode = (text: string): string =>
  // Most prompts have none, and need no patterns compiled.
  !text.includes('`') && !text.includes('~~~')
    ? text
    : text
        .replace(/^(```+|~~~+)[^\n]*\n[^]*?(?:^\1[^\n]*$|$(?![^]))/gm, ' \n.\n ')
        .replace(/`[^`\n]*`/g, ' . ')

function wordsOfChunk(chunk: string): string[] {
  // Most are this plain, and no pattern below says otherwise of them; to compile those costs a prompt a millisecond.
  const [, plain, marks = ''] = /^([a-z0-9]+)([.,!?;:]*)$/.exec(chunk) ?? []
  if (plain !== undefined) return /[.!?;:]/.test(marks) ? [plain, GAP] : [plain]
  if (isCode(chunk)) return [GAP]
  const found = isAscii(chunk) ? chunk.match(/[a-z0-9]+(?:'[a-z]+)?/g) : chunk.match(unicodePatterns().words)
  const words = (found ?? []).map((word) => word.replace(/['’].*$/u, ''))
  const isEnd = isAscii(chunk) ? /[.!?;:][^a-z]*$/.test(chunk) : /[.!?;:。！？；：]\P{L}*$/u.test(chunk)
  return isEnd ? [...words, GAP] : words
}

/** Links, options, paths, file names, identifiers, calls, and names joined by several hyphens. */
function isCode(chunk: string): boolean {
  const core = chunk.replace(/^["'“‘([{<*]+|["'”’\])}>*.,;:!?]+$/gu, '')
  return (
    /^[a-z][a-z0-9+.-]*:\/\//.test(core) ||
    /^--?[a-z]/.test(core) ||
    /\w_\w/.test(core) ||
    /\w\(\)/.test(chunk) ||
    /^[~.]{0,2}[/\\]|[/\\][^/\\]*[/\\]|[/\\].*\.[a-z]/.test(core) ||
    /^[\w-]+(?:\.[\w-]+)*\.[a-z]{1,5}$/.test(core) ||
    /^\w+-\w+-[\w-]+$/.test(core)
  )
}
