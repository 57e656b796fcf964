/**
 * One hook call in reading order, and the only catch-all: whatever is thrown becomes an error marker, and the call or
 * stop goes through.
 */

import type { Env } from '../core/env.ts'
import { deadlineMsFrom, startDeadline, type Deadline } from '../core/deadline.ts'
import { asGateError, GateError, messageOf } from '../core/errors.ts'
import { toSessionId, type SessionId } from '../core/ids.ts'
import type { GateHook } from '../core/marker.ts'
import { gateOf, isHeld } from '../core/record.ts'
import { HOOK_NAMES, HOOK_OF_SWITCH, type HookName } from '../core/registration.ts'
import type { SwitchName } from '../core/switches.ts'
import type { FactSheet } from '../store/fact-sheet.ts'
import { recordPathOf, statePathsFrom, type StatePaths } from '../store/paths.ts'
import { markerOf, NO_ANSWER, type HookAnswer, type HookCall } from './call.ts'
import { beginSheet, leaveCertificate, watchSwitch } from './certify.ts'
import { formatAnswer } from './output.ts'
import { stopWatchdog } from './watchdog.ts'
import { payloadFields, readPayload, sessionOf } from './payload.ts'

export interface HookInput {
  /** Arguments behind the program: the hook's name. */
  readonly args: readonly string[]
  readonly stdin: Buffer
  readonly env: Env
  readonly home: string
  readonly now: () => Date
  /** Absolute folder of this package, no trailing slash. */
  readonly packageRoot: string
  /** Milliseconds since this call began, the front's share included. */
  readonly elapsedMs: () => number
}

export interface HookOutput {
  readonly stdout?: string
  readonly stderr?: string
}

/** Runs one hook call. Never throws. */
export async function runHook(input: HookInput): Promise<HookOutput> {
  const name = HOOK_NAMES.find((known) => known === input.args[0])
  const switchName = (Object.keys(HOOK_OF_SWITCH) as SwitchName[]).find((key) => HOOK_OF_SWITCH[key] === name)
  if (name === undefined || switchName === undefined)
    return { stderr: `gstack-hook: there is no hook named ${messageOf(input.args[0] ?? '(none)')}\n` }
  const paths = statePathsFrom(input.env, input.home)
  try {
    const sheet = beginSheet(input.env, paths)
    const isOn = watchSwitch(switchName, input.env, paths, sheet).value === 'on'
    if (name === 'investigate-gate' || name === 'ceo-review-gate')
      return await runGate(name, { isOn, sheet }, input, paths)
    const answer: AdviceAnswer = isOn ? await runAdvice(name, { sheet, paths }, input) : { holds: 'idle' }
    const session = answer.holds === undefined ? undefined : sessionOf(input.stdin)
    if (answer.holds !== undefined && session !== undefined)
      await leaveCertificate(paths, { hook: name, session, kind: answer.holds }, sheet)
    return answer
  } catch (error) {
    return { stderr: `gstack-hook: GATE_UNEXPECTED ${messageOf(error)}\n` }
  }
}

type AdviceAnswer = HookOutput & Pick<HookAnswer, 'holds'>

/** The hooks of routing and contracts file their own errors. */
async function runAdvice(
  hook: HookName,
  { sheet, paths }: { readonly sheet: FactSheet; readonly paths: StatePaths },
  input: HookInput,
): Promise<AdviceAnswer> {
  const payload = payloadFields(input.stdin) ?? {}
  const { env, home, packageRoot } = input
  const session = toSessionId(String(payload['session_id']))
  const event = String(payload['hook_event_name'])
  if (session !== undefined && (await isTakenBy(input, paths, { hook, session, event }))) return {}
  const call = {
    payload,
    env,
    home,
    paths,
    packageRoot,
    now: input.now(),
    deadline: deadlineOf(input),
    sheet,
  }
  if (hook === 'skill-route') return await (await import('./route.ts')).runRouteHook(call)
  return await (await import('./contract.ts')).runContractHook(call)
}

async function runGate(
  hook: GateHook,
  { isOn, sheet }: { readonly isOn: boolean; readonly sheet: FactSheet },
  input: HookInput,
  paths: StatePaths,
): Promise<HookOutput> {
  const deadline = deadlineOf(input)
  let call: HookCall | undefined
  try {
    const payload = readPayload(input.stdin)
    const { env, home, now } = input
    call = {
      hook,
      payload,
      env,
      home,
      paths,
      deadline,
      now,
      sheet,
      isTaken: once(() => isTakenBy(input, paths, { hook, ...payload })),
    }
    sheet.look(recordPathOf(paths, payload.session), 'all')
    const answer = isOn ? await answerInTime(call) : await noteSwitchedOff(call)
    const output = toOutput(payload.event, answer)
    if (answer.holds !== undefined && output.stdout === undefined && output.stderr === undefined)
      await leaveCertificate(paths, { hook, session: payload.session, kind: answer.holds }, sheet)
    return output
  } catch (error) {
    if ((await call?.isTaken()) === true) return {}
    const { fileError } = await import('./errors.ts')
    const session = call?.payload.session ?? sessionOf(input.stdin)
    const event = call?.payload.event ?? ''
    const answer = await fileError(asGateError(error, paths.root), {
      hook,
      session,
      event,
      paths,
      now: input.now(),
    })
    return toOutput(event, answer)
  }
}

/** Work that forgets its deadline is cut off; what it left undone is the next check's. */
async function answerInTime(call: HookCall): Promise<HookAnswer> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(
        new GateError('GATE_TIMEOUT', `the check did not end within ${String(call.deadline.totalMs)} ms`),
      )
    }, call.deadline.remaining())
  })
  try {
    return await Promise.race([answerOf(call), timeout])
  } finally {
    clearTimeout(timer)
  }
}

async function answerOf(call: HookCall): Promise<HookAnswer> {
  if (call.hook === 'investigate-gate') return await (await import('./investigate.ts')).runInvestigate(call)
  return await (await import('./ceo-review.ts')).runCeoReview(call)
}

/** A switch that goes off while a run is held ends the hold, and says so once. */
async function noteSwitchedOff(call: HookCall): Promise<HookAnswer> {
  const { readRecord, updateRecord } = await import('../store/record.ts')
  const record = readRecord(call.paths, call.payload.session)
  if (record === undefined || !gateOf(record, call.hook).runs.some(isHeld))
    return { ...NO_ANSWER, holds: 'idle' }
  if (await call.isTaken()) return NO_ANSWER

  const { switchOff } = await import('./switched-off.ts')
  await updateRecord(
    { paths: call.paths, session: call.payload.session, now: call.now(), deadline: call.deadline },
    (before) => switchOff(before, call.hook, call.now()),
  )
  const { announce } = await import('../effects/announce.ts')
  return { ...NO_ANSWER, systemMessages: announce(call, [markerOf(call, 'off', [])]) }
}

/** The client runs a hook once for each place that registers it; the first answers. */
async function isTakenBy(
  { env, packageRoot }: HookInput,
  paths: StatePaths,
  call: {
    hook: HookName
    session: SessionId
    event: string
    agentId?: string | undefined
    callId?: string | undefined
  },
): Promise<boolean> {
  const { hook, session, event, agentId: agent, callId } = call
  const place = env['CLAUDE_PLUGIN_ROOT'] ? 'plugin' : 'settings'
  const { claimCall } = await import('../store/claims.ts')
  return !claimCall(paths, { hook, session, event, agent, call: callId }, `${place} ${packageRoot}`)
}

function once(ask: () => Promise<boolean>): () => Promise<boolean> {
  let answer: Promise<boolean> | undefined
  return () => (answer ??= ask())
}

const deadlineOf = (input: HookInput): Deadline =>
  startDeadline(deadlineMsFrom(input.env), input.elapsedMs, 0)

function toOutput(event: string, answer: HookAnswer): HookOutput {
  stopWatchdog()
  const json = formatAnswer(event, answer)
  return {
    ...(json === undefined ? {} : { stdout: `${json}\n` }),
    ...(answer.notes.length === 0 ? {} : { stderr: answer.notes.map((note) => `${note}\n`).join('') }),
  }
}
