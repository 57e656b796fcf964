/**
 * A prompt to one line of context, or nothing. It never blocks a prompt and never prints an error: each decision is one
 * line in `hooks/skill-route.log`, which holds no prompt text.
 */

import { join } from 'node:path'
import { isoTime } from '../core/iso-time.ts'
import type { Env } from '../core/env.ts'
import { GateError, isSystemError, messageOf } from '../core/errors.ts'
import { toSessionId } from '../core/ids.ts'
import { encodeValue } from '../core/marker.ts'
import { decideRoute, isRouted } from '../policy/route/decide.ts'
import { hintFor, parseHintKind } from '../policy/route/hint.ts'
import { readTriggers } from '../policy/route/triggers.ts'
import { readRegularFile } from '../native/regular-file.ts'
import { claudeConfigDir, type StatePaths } from '../store/paths.ts'
import { describeSkill, readInstalledSkills, skillCacheFile } from '../store/skills.ts'
import { appendToLog } from '../store/trace-log.ts'

const LOG = 'skill-route'

export interface RouteCall {
  readonly payload: Readonly<Record<string, unknown>>
  readonly env: Env
  readonly home: string
  readonly paths: StatePaths
  readonly now: Date
}

type LogFields = readonly (readonly [key: string, value: string | number])[]

/** @returns `stdout` is the JSON that Claude Code adds to the prompt; absent when there is nothing to add */
export async function runRouteHook(call: RouteCall): Promise<{ stdout?: string }> {
  try {
    return await route(call)
  } catch (error) {
    logError(call, [['message', messageOf(error)]])
    return {}
  }
}

async function route(call: RouteCall): Promise<{ stdout?: string }> {
  const prompt = call.payload['prompt']
  if (typeof prompt !== 'string') throw new GateError('GATE_BAD_PAYLOAD', 'the payload has no prompt')

  const skills = await readInstalledSkills(
    claudeConfigDir(call.env, call.home),
    skillCacheFile(call.paths.root),
    call.now.getTime(),
    isRouted,
  )
  const fresh = skills.filter(({ isFresh }) => isFresh)
  for (const { file, why } of readTriggers(fresh).broken)
    logError(call, [
      ['file', file],
      ['message', why],
    ])

  const routed = skills.filter(({ name }) => isRouted(name))
  const decision = decideRoute(prompt, readTriggers(routed).triggers).route
  if (decision.skill === undefined) {
    log(call, [
      ['event', 'no-route'],
      ['reason', decision.reason],
    ])
    return {}
  }
  const hint = hintFor(
    parseHintKind(call.env['GSTACK_SKILL_ROUTE_HINT']),
    describeSkill(skills, decision.skill),
  )
  log(call, [
    ['event', 'routed'],
    ['skill', decision.skill],
    ['score', decision.score.toFixed(2)],
  ])
  return {
    stdout: JSON.stringify({
      hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext: hint },
    }),
  }
}

/** Every error says how many this session has had, and none reaches the person's prompt. */
function logError(call: RouteCall, fields: LogFields): void {
  try {
    const failures = countErrors(call) + 1
    log(call, [['event', 'error'], ['code', 'SKILL_ROUTE_ERROR'], ['failures', failures], ...fields])
  } catch (error) {
    // Without a writable log there is no place left to say it.
    if (!isSystemError(error)) throw error
  }
}

function countErrors(call: RouteCall): number {
  const text = readRegularFile(join(call.paths.logs, `${LOG}.log`))?.toString('utf8') ?? ''
  return text.split('\n').filter((line) => line.includes(` ${sessionField(call)} event=error `)).length
}

function log(call: RouteCall, fields: LogFields): void {
  const rest = fields.map(([key, value]) => `${key}=${encodeValue(String(value))}`)
  appendToLog(call.paths.logs, LOG, [[isoTime(call.now), sessionField(call), ...rest].join(' ')])
}

function sessionField(call: RouteCall): string {
  const id = call.payload['session_id']
  return `session=${(typeof id === 'string' ? toSessionId(id) : undefined) ?? 'unknown'}`
}
