/**
 * What a transcript says about the skills that gates hold, as a value that can be saved and resumed. `fold-facts.ts` adds
 * new events to it. Nothing here decides; `policy/` reads these facts.
 */

import type { GateHook } from '../core/marker.ts'
import { NO_MESSAGE, type LastMessage } from './last-message.ts'
import type { TimedOutHook } from './timed-out.ts'

export const GATED_SKILLS = ['investigate', 'plan-ceo-review'] as const
export type GatedSkill = (typeof GATED_SKILLS)[number]

export const FACTS_VERSION = 2

export interface SessionFacts {
  readonly version: typeof FACTS_VERSION
  /** Number of the next line. */
  readonly line: number
  /** Lines that are turns of a known shape; 0 in a non-empty file means that the parser does not know it. */
  readonly turns: number
  readonly unknownLines: number
  /** Per skill, in order of their loads: the last load that holds, then loads whose result is still open. */
  readonly runs: Readonly<Partial<Record<GatedSkill, readonly SkillRun[]>>>
  /** Load calls whose result was an error or a refusal; the last 50. */
  readonly failedLoads: readonly string[]
  /** Calls whose result has not come, by id. */
  readonly open: Readonly<Record<string, OpenCall>>
  /** The last calls of the session, oldest first, for the order of a hook's own call among the replies. */
  readonly recentCalls: readonly { readonly callId: string; readonly line: number }[]
  readonly lastMessage: LastMessage
  /** Hooks that the client killed at their timeout; the last 200. */
  readonly timedOutHooks: readonly TimedOutHook[]
}

/** One run of a skill: its load and what followed it. */
export interface SkillRun {
  readonly skill: GatedSkill
  /** Tells loads apart: the call's id, or `line:<n>` for a typed one. */
  readonly key: string
  readonly line: number
  readonly atMs: number | undefined
  readonly via: 'skill-tool' | 'typed' | 'read'
  /** Line of the first result of a Read, Grep, Glob or Bash since the load. */
  readonly lookedAtLine: number | undefined
  /** Replies that mention a root cause, reduced to the lines that matter; the last 20. */
  readonly statements: readonly Statement[]
  /** Files written by Write, Edit or MultiEdit, oldest first, each once. */
  readonly written: readonly TouchedFile[]
  /** Markdown files read, oldest first, each once. */
  readonly markdownRead: readonly TouchedFile[]
}

export interface Statement {
  readonly line: number
  readonly text: string
}

/** A path as the model wrote it; relative ones belong to `cwd`. */
export interface TouchedFile {
  readonly path: string
  readonly cwd: string | undefined
}

export interface OpenCall {
  readonly line: number
  readonly messageId: string | undefined
  readonly tool: string
  readonly file: TouchedFile | undefined
  /** Set when the call is a load. */
  readonly loads: GatedSkill | undefined
}

export const NO_FACTS: SessionFacts = {
  version: FACTS_VERSION,
  line: 0,
  turns: 0,
  unknownLines: 0,
  runs: {},
  failedLoads: [],
  open: {},
  recentCalls: [],
  lastMessage: NO_MESSAGE,
  timedOutHooks: [],
}

/** The run that counts now: the newest load that has not failed. */
export const currentRun = (facts: SessionFacts, skill: GatedSkill): SkillRun | undefined =>
  facts.runs[skill]?.at(-1)

/** Hooks of a gate that the client killed in a run. */
export const timedOutSince = (facts: SessionFacts, run: SkillRun, hook: GateHook): readonly TimedOutHook[] =>
  facts.timedOutHooks.filter((killed) => killed.line > run.line && killed.hook === hook)

/** Whether a load's result is still to come. */
export const hasOpenLoad = (facts: SessionFacts, skill: GatedSkill): boolean =>
  Object.values(facts.open).some(({ loads }) => loads === skill)

/** Line of a call's own record; undefined while its message is not in the file. */
export const lineOfCall = (facts: SessionFacts, callId: string): number | undefined =>
  facts.recentCalls.findLast((call) => call.callId === callId)?.line
