/** Facts so far + new events = facts (`facts.ts`). */

import type { EventOf, TranscriptEvent } from './event.ts'
import {
  GATED_SKILLS,
  type GatedSkill,
  type OpenCall,
  type SessionFacts,
  type SkillRun,
  type TouchedFile,
} from './facts.ts'
import { hear } from './last-message.ts'
import { skillOfCall, skillOfPath, typedSkill } from './skill-load.ts'
import { timedOutHook } from './timed-out.ts'

const KEPT_STATEMENTS = 20
const KEPT_FILES = 500
const KEPT_CALLS = 200
const KEPT_OPEN_CALLS = 200
const KEPT_FAILED_LOADS = 50

/** Whose words the file holds: records of subagents inside the main transcript count for nothing. */
export type Speaker = 'main' | 'agent'

/** @param events of one transcript, from the line that `facts` names as the next */
export function foldEvents(
  facts: SessionFacts,
  events: readonly TranscriptEvent[],
  speaker: Speaker,
): SessionFacts {
  return events.reduce((soFar, event) => foldEvent(soFar, event, speaker), facts)
}

function foldEvent(before: SessionFacts, event: TranscriptEvent, speaker: Speaker): SessionFacts {
  const facts = { ...before, line: event.line + 1 }
  if (event.kind === 'unknown') return { ...facts, unknownLines: facts.unknownLines + 1 }
  if (event.kind === 'other') return facts
  if (event.kind === 'cancelled-hook') return foldCancelledHook(facts, event)
  const counted = { ...facts, turns: facts.turns + 1 }
  if (speaker === 'main' && event.sidechain) return counted
  const heard = { ...counted, lastMessage: hear(facts.lastMessage, event) }
  switch (event.kind) {
    case 'prompt':
      return foldPrompt(heard, event)
    case 'reply':
      return foldReply(heard, event)
    case 'call':
      return foldCall(heard, event)
    case 'result':
      return foldResult(heard, event)
  }
}

function foldPrompt(facts: SessionFacts, event: EventOf<'prompt'>): SessionFacts {
  const skill = event.isMeta ? undefined : asGatedSkill(typedSkill(event.text))
  if (skill === undefined) return facts
  const run = startRun(skill, 'typed', `line:${String(event.line)}`, event)
  return { ...facts, runs: { ...facts.runs, [skill]: [run] } }
}

function foldReply(facts: SessionFacts, event: EventOf<'reply'>): SessionFacts {
  const text = causeLines(event.text)
  if (text === undefined) return facts
  return mapRuns(facts, (run) => ({
    ...run,
    lookedAtLine: run.lookedAtLine ?? unansweredLook(facts, run, event),
    statements: [...run.statements, { line: event.line, text }].slice(-KEPT_STATEMENTS),
  }))
}

/** A look whose result got lost, as after a crash: that a later message follows it at once shows that it ran. */
function unansweredLook(facts: SessionFacts, run: SkillRun, reply: EventOf<'reply'>): number | undefined {
  const callId = facts.recentCalls.at(-1)?.callId
  const call = callId === undefined ? undefined : facts.open[callId]
  if (call === undefined || call.line <= run.line || call.loads !== undefined || !LOOKS.has(call.tool))
    return undefined
  const isSameMessage = call.messageId !== undefined && call.messageId === reply.messageId
  return isSameMessage ? undefined : call.line
}

const LOOKS: ReadonlySet<string> = new Set(['Read', 'Grep', 'Glob', 'Bash'])

function foldCall(facts: SessionFacts, event: EventOf<'call'>): SessionFacts {
  const path = event.input['file_path'] ?? event.input['notebook_path'] ?? event.input['path']
  const file = typeof path === 'string' ? { path, cwd: event.cwd } : undefined
  const loads = asGatedSkill(loadedBy(event.tool, event.input, file))
  const open = {
    ...facts.open,
    [event.callId]: { line: event.line, messageId: event.messageId, tool: event.tool, file, loads },
  }
  const called = {
    ...facts,
    open: keepNewest(open, KEPT_OPEN_CALLS),
    recentCalls: [...facts.recentCalls, { callId: event.callId, line: event.line }].slice(-KEPT_CALLS),
  }
  if (loads === undefined) return called
  const run = startRun(loads, event.tool === 'Skill' ? 'skill-tool' : 'read', event.callId, event)
  return { ...called, runs: { ...facts.runs, [loads]: [...(facts.runs[loads] ?? []), run] } }
}

function foldResult(facts: SessionFacts, event: EventOf<'result'>): SessionFacts {
  const { [event.callId]: call, ...open } = facts.open
  const answered = { ...facts, open }
  if (call === undefined) return answered
  const failed = event.isError || event.refused
  if (call.loads !== undefined) return settleLoad(answered, call.loads, event.callId, failed)

  if (isLook(call.tool, event)) {
    return touchFile(
      mapRuns(answered, (run) =>
        call.line > run.line ? { ...run, lookedAtLine: run.lookedAtLine ?? event.line } : run,
      ),
      call,
    )
  }
  return failed ? answered : touchFile(answered, call)
}

/** A failing command is a look too, and the most typical one; a call that never ran is none. */
function isLook(tool: string, result: EventOf<'result'>): boolean {
  return LOOKS.has(tool) && !result.refused && (tool === 'Bash' || !result.isError)
}

function settleLoad(facts: SessionFacts, skill: GatedSkill, key: string, failed: boolean): SessionFacts {
  const runs = facts.runs[skill] ?? []
  const index = runs.findIndex((run) => run.key === key)
  if (index === -1) return facts
  const kept = failed ? runs.filter((run) => run.key !== key) : runs.slice(index)
  const failedLoads = failed ? [...facts.failedLoads, key].slice(-KEPT_FAILED_LOADS) : facts.failedLoads
  return { ...facts, failedLoads, runs: { ...facts.runs, [skill]: kept } }
}

function touchFile(facts: SessionFacts, call: OpenCall): SessionFacts {
  const { file } = call
  if (file === undefined) return facts
  const list = listOf(call.tool, file.path)
  if (list === undefined) return facts
  return mapRuns(facts, (run) => {
    if (call.line <= run.line) return run
    const others = run[list].filter((other) => other.path !== file.path || other.cwd !== file.cwd)
    return { ...run, [list]: [...others, file].slice(-KEPT_FILES) }
  })
}

function listOf(tool: string, path: string): 'written' | 'markdownRead' | undefined {
  if (tool === 'Write' || tool === 'Edit' || tool === 'MultiEdit') return 'written'
  return tool === 'Read' && /\.(md|mdx|markdown)$/i.test(path) ? 'markdownRead' : undefined
}

function foldCancelledHook(facts: SessionFacts, event: EventOf<'cancelled-hook'>): SessionFacts {
  const hook = timedOutHook(event)
  return hook === undefined
    ? facts
    : { ...facts, timedOutHooks: [...facts.timedOutHooks, hook].slice(-KEPT_CALLS) }
}

function startRun(skill: GatedSkill, via: SkillRun['via'], key: string, at: TranscriptEvent): SkillRun {
  return {
    skill,
    key,
    line: at.line,
    atMs: at.atMs,
    via,
    lookedAtLine: undefined,
    statements: [],
    written: [],
    markdownRead: [],
  }
}

function loadedBy(
  tool: string,
  input: Readonly<Record<string, unknown>>,
  file: TouchedFile | undefined,
): string | undefined {
  if (tool === 'Skill') return skillOfCall(input)
  return tool === 'Read' && file !== undefined ? skillOfPath(file.path) : undefined
}

function mapRuns(facts: SessionFacts, change: (run: SkillRun) => SkillRun): SessionFacts {
  const entries = Object.entries(facts.runs).map(([skill, runs]) => [skill, runs.map(change)] as const)
  return entries.length === 0 ? facts : { ...facts, runs: Object.fromEntries(entries) }
}

/** The lines of a reply that can hold a cause, and the fences and quotes around them; undefined without any. */
function causeLines(text: string): string | undefined {
  if (!/root\s+cause/i.test(text)) return undefined
  return text
    .split('\n')
    .filter((line) => /root\s+cause|DEBUG REPORT/i.test(line) || /^\s*(?:`{3,}|~{3,})/.test(line))
    .join('\n')
}

function keepNewest<Value>(
  map: Readonly<Record<string, Value>>,
  limit: number,
): Readonly<Record<string, Value>> {
  const entries = Object.entries(map)
  return entries.length <= limit ? map : Object.fromEntries(entries.slice(-limit))
}

const asGatedSkill = (name: string | undefined): GatedSkill | undefined =>
  GATED_SKILLS.find((skill) => skill === name)
