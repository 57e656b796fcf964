/**
 * The /investigate gate, one call in order: finish what killed passes left, read what the session said, arm or release,
 * compare each guarded tree, block.
 */

import { isoTime } from '../core/iso-time.ts'
import { gateOf, heldRun, isOpen, lastRun, type RunRecord, type SessionRecord } from '../core/record.ts'
import { digestOf } from '../native/digest.ts'
import { EDIT_TOOLS } from '../core/tools.ts'
import type { CauseFinding } from '../policy/investigate/cause.ts'
import { wasRestarted } from '../policy/investigate/restart.ts'
import { lastCheckMs, listPinnedRoots, lostPins, markCheck, removePins } from '../store/baseline-file.ts'
import type { Pass } from '../store/in-flight.ts'
import { sessionDirOf } from '../store/paths.ts'
import { readRecord } from '../store/record.ts'
import { lockArming } from '../store/session-lock.ts'
import { skillOfCall } from '../transcript/skill-load.ts'
import { announce } from '../effects/announce.ts'
import { markerOf, NO_ANSWER, type HookAnswer, type HookCall } from './call.ts'
import { startPass } from './pass.ts'
import { standOnTranscript } from './standing.ts'
import { blockCall } from './investigate/block.ts'
import type { Blocked } from './investigate/blocked.ts'
import { readCause, readRun, type RunReading } from './investigate/evidence.ts'
import { lateText, takeLateWork, withLate } from './investigate/late.ts'
import {
  noteAnnouncedLoad,
  noteArmed,
  noteArmingAttempt,
  noteCheck,
  noteReleased,
  noteRestart,
  noteSkipped,
} from './investigate/record.ts'
import type { SkipReason } from './investigate/arm.ts'

const SKILL = 'investigate'
/** Arming that ran out of time this often is not tried again until the next load. */
const MOST_ARMING_TIMEOUTS = 2

export async function runInvestigate(call: HookCall): Promise<HookAnswer> {
  const { payload, paths } = call
  const record = readRecord(paths, payload.session)
  if (payload.tool === 'Skill') return await noteSkillCall(call)

  const reading = readRun(call, record)
  const loadKey = reading.load?.key
  const gate = record === undefined ? undefined : gateOf(record, call.hook)
  const isHeld = gate !== undefined && heldRun(gate, SKILL) !== undefined
  const isNewLoad = loadKey !== undefined && gate?.runs.at(-1)?.loads.includes(loadKey) !== true
  if (!isHeld && !isNewLoad) return standIdle(call, reading)
  if (await call.isTaken()) return NO_ANSWER

  const pass = startPass(call)
  const { fileKills } = await import('./kills.ts')
  const killed = await fileKills(call, reading.timedOut)
  const now = killed.length === 0 ? record : readRecord(paths, payload.session)
  const held = now === undefined ? undefined : heldRun(gateOf(now, call.hook), SKILL)
  const answer =
    now !== undefined && held !== undefined
      ? await checkHeld(call, { record: now, run: held, reading, pass })
      : await armRun(call, { reading, pass })
  pass.end()
  return { ...answer, systemMessages: [...killed, ...answer.systemMessages] }
}

/** A session that holds no run has nothing to do until the skill's name is in its transcript again. */
function standIdle(call: HookCall, { mark, isSettled }: RunReading): HookAnswer {
  return isSettled ? standOnTranscript(call, mark, SKILL) : NO_ANSWER
}

/** A load is seen here before its record is in the transcript, so that a write in the same message finds the gate armed. */
async function noteSkillCall(call: HookCall): Promise<HookAnswer> {
  const { payload } = call
  const isLoad =
    payload.event === 'PreToolUse' &&
    payload.agentId === undefined &&
    skillOfCall(payload.toolInput) === SKILL
  if (isLoad && payload.callId !== undefined && !(await call.isTaken()))
    await noteAnnouncedLoad(call, payload.callId)
  return NO_ANSWER
}

interface Arming {
  readonly record: SessionRecord
  readonly loadKey: string
  readonly pass: Pass
}

/** The first call after a load: arms, unless the cause is stated already. Parallel calls arm once. */
async function armRun(
  call: HookCall,
  { reading, pass }: Omit<Holding, 'record' | 'run'>,
): Promise<HookAnswer> {
  if (!isArmingEvent(call)) return NO_ANSWER
  const sessionDir = sessionDirOf(call.paths, call.payload.session)
  const lock = await lockArming(sessionDir, call.deadline)
  try {
    const known = readRecord(call.paths, call.payload.session)
    const record = known ?? emptyRecord(call)
    const loadKey = reading.load?.key ?? ''
    const run = lastRun(gateOf(record, call.hook), SKILL)
    if (run?.loads.includes(loadKey) !== true) {
      const { leftWithoutRecord, sayArmedAnew } = await import('./investigate/lost-state.ts')
      const left = known === undefined ? leftWithoutRecord(call) : undefined
      const answer = await armAlone(call, { record, loadKey, pass })
      return { ...answer, systemMessages: [...sayArmedAnew(call, left), ...answer.systemMessages] }
    }
    return isOpen(run) ? await checkHeld(call, { record, run, reading, pass }) : NO_ANSWER
  } finally {
    lock.release()
  }
}

async function armAlone(call: HookCall, { record, loadKey, pass }: Arming): Promise<HookAnswer> {
  const cause = await readCause(call, record, { wait: false })
  if (cause.kind === 'accepted') {
    const { treeAt } = await import('./investigate/arm.ts')
    const tree = treeAt(call.payload.cwd)
    const run = await noteArmed(call, loadKey)
    const fired = announce(call, [firedMarker(call, typeof tree === 'string' ? undefined : tree.root)])
    return { ...NO_ANSWER, systemMessages: [...fired, ...(await release(call, run, cause.cause))] }
  }
  if ((await noteArmingAttempt(call, loadKey)) >= MOST_ARMING_TIMEOUTS) return await skip(call, 'too-large')

  const { pinTree, treeAt } = await import('./investigate/arm.ts')
  const tree = treeAt(call.payload.cwd)
  if (typeof tree === 'string') return await skip(call, tree)
  const { sweepSessions } = await import('../store/sweep.ts')
  sweepSessions(call.paths, call.now())
  removePins(sessionDirOf(call.paths, call.payload.session))
  const pinning = await pinTree(call, tree)
  if (pinning.kind === 'skipped') return await skip(call, pinning.reason)

  const run = await noteArmed(call, loadKey)
  const fired = announce(call, [firedMarker(call, tree.root)])
  const answer = await checkTrees(call, { run, pass, justPinned: tree.root })
  return { ...answer, systemMessages: [...fired, ...answer.systemMessages] }
}

async function skip(call: HookCall, reason: SkipReason): Promise<HookAnswer> {
  if (await noteSkipped(call, reason))
    announce(call, [
      markerOf(call, 'skipped', [
        ['skill', SKILL],
        ['reason', reason],
      ]),
    ])
  return NO_ANSWER
}

interface Holding {
  readonly record: SessionRecord
  readonly run: RunRecord
  readonly reading: RunReading
  readonly pass: Pass
}

async function checkHeld(call: HookCall, { record, run, reading, pass }: Holding): Promise<HookAnswer> {
  const { watchTrees } = await import('./investigate/standing.ts')
  const certify = watchTrees(call, run, reading)
  const cause = await readCause(call, record, { wait: false })
  if (cause.kind === 'accepted') return await releaseRun(call, { run, cause: cause.cause, pass })
  const loadKey = reading.load?.key
  const isNewLoad = loadKey !== undefined && !run.loads.includes(loadKey)
  const held = isNewLoad ? await noteArmed(call, loadKey) : run
  if (isAfterRestart(call, record)) return await pinAnew(call)
  const lost = lostPins(sessionDirOf(call.paths, call.payload.session))
  if (lost !== undefined) return await (await import('./investigate/lost-state.ts')).pinLost(call, lost)
  return certify(await checkTrees(call, { run: held, pass }))
}

function isAfterRestart(call: HookCall, record: SessionRecord): boolean {
  const lastMs = lastCheckMs(sessionDirOf(call.paths, call.payload.session))
  return wasRestarted(
    { pinnedPid: record.client_pid, pid: call.env['CLAUDE_PID'] },
    lastMs === undefined ? undefined : call.now().getTime() - lastMs,
  )
}

/** Nothing is put back and nothing undone; not after a call, whose writes would be taken for the user's. */
async function pinAnew(call: HookCall): Promise<HookAnswer> {
  const { event } = call.payload
  if (event !== 'PreToolUse' && event !== 'Stop') return NO_ANSWER
  const sessionDir = sessionDirOf(call.paths, call.payload.session)
  const { pinTree } = await import('./investigate/arm.ts')
  for (const tree of listPinnedRoots(sessionDir)) await pinTree(call, tree)
  markCheck(sessionDir)
  await noteRestart(call)
  announce(call, [
    markerOf(call, 'observed', [
      ['skill', SKILL],
      ['files', 0],
      ['why', 'restarted'],
    ]),
  ])
  return NO_ANSWER
}

async function checkTrees(
  call: HookCall,
  { run, pass, justPinned }: { run: RunRecord; pass: Pass; justPinned?: string },
): Promise<HookAnswer> {
  let stated: CauseFinding | undefined
  const readCauseOnce = async (): Promise<CauseFinding> => {
    const record = readRecord(call.paths, call.payload.session) ?? emptyRecord(call)
    return (stated ??= await readCause(call, record, { wait: true }))
  }
  const { checkSession } = await import('./investigate/trees.ts')
  const checked = await checkSession(call, {
    pass,
    justPinned,
    isReleased: async () => (await readCauseOnce()).kind === 'accepted',
  })
  markCheck(sessionDirOf(call.paths, call.payload.session))
  for (const reason of checked.skipped) await skip(call, reason)
  if (checked.released && stated?.kind === 'accepted')
    return await releaseRun(call, { run, cause: stated.cause, pass })

  const late = await takeLateWork(call, pass)
  const blocked: Blocked = { ...withLate(checked, late), cause: stated ?? { kind: 'none' }, run }
  const noted = await noteCheck(call, blocked)
  return blockCall(call, blocked, noted)
}

/** Ends the hold; the person is told what earlier passes had done and could not say. */
async function releaseRun(
  call: HookCall,
  { run, cause, pass }: { run: RunRecord; cause: string; pass: Pass },
): Promise<HookAnswer> {
  const released = await release(call, run, cause)
  return { ...NO_ANSWER, systemMessages: [...released, ...lateText(call, await takeLateWork(call, pass))] }
}

/** Ends the hold, once for everybody. */
async function release(call: HookCall, run: RunRecord, cause: string): Promise<readonly string[]> {
  const digest = digestOf(cause).slice(0, 12)
  const released = await noteReleased(call, digest)
  if (released === undefined) return []
  removePins(sessionDirOf(call.paths, call.payload.session))
  return announce(call, [
    markerOf(call, 'released', [
      ['skill', SKILL],
      ['cause', digest],
      ['blocked', released.blocked],
    ]),
  ])
}

function firedMarker(call: HookCall, root: string | undefined): ReturnType<typeof markerOf> {
  const name = root?.slice(root.lastIndexOf('/') + 1)
  return markerOf(call, 'fired', [
    ['skill', SKILL],
    ['on', call.payload.event],
    ...(name === undefined ? [] : [['root', name] as const]),
  ])
}

const isArmingEvent = ({ payload }: HookCall): boolean =>
  payload.tool !== undefined && (payload.tool === 'Bash' || EDIT_TOOLS.has(payload.tool))

const emptyRecord = (call: HookCall): SessionRecord => ({
  version: 1,
  session: call.payload.session,
  updated_at: isoTime(call.now()),
  gates: {},
})
