/** State of an armed session that somebody removed, or that another version wrote: pinned anew, and said so. */

import { GateError } from '../../core/errors.ts'
import { forPerson } from '../../core/for-person.ts'
import { hasPins, markCheck, removePins, type LostPins } from '../../store/baseline-file.ts'
import { sessionDirOf } from '../../store/paths.ts'
import { hasRecordFile } from '../../store/record.ts'
import { announce } from '../../effects/announce.ts'
import { markerOf, NO_ANSWER, type HookAnswer, type HookCall } from '../call.ts'
import { pinTree, treeAt } from './arm.ts'
import { noteRestart } from './record.ts'

/** As after a restart: nothing is put back, and not after a call, whose writes would be pinned unseen. */
export async function pinLost(call: HookCall, lost: LostPins): Promise<HookAnswer> {
  const { event, cwd, session } = call.payload
  const sessionDir = sessionDirOf(call.paths, session)
  const mayPin = event === 'PreToolUse' || event === 'Stop'
  const tree = treeAt(cwd)
  if (mayPin && typeof tree !== 'string') {
    removePins(sessionDir)
    await pinTree(call, tree)
    markCheck(sessionDir)
  }
  if (lost === 'gone')
    throw new GateError(
      'GATE_STATE',
      `the baseline of this armed session was gone; the next one is what stands there now: ${sessionDir}`,
    )
  if (!mayPin) return NO_ANSWER
  await noteRestart(call)
  return { ...NO_ANSWER, systemMessages: sayOtherVersion(call) }
}

/** What is left of a session of which the record cannot be read; undefined when there is nothing. */
export function leftWithoutRecord(call: HookCall): LostPins | undefined {
  const sessionDir = sessionDirOf(call.paths, call.payload.session)
  if (!hasPins(sessionDir)) return undefined
  return hasRecordFile(sessionDir) ? 'other-version' : 'gone'
}

/** Said once the session is armed again. @throws GateError GATE_STATE for a record that somebody removed */
export function sayArmedAnew(call: HookCall, left: LostPins | undefined): readonly string[] {
  if (left === undefined) return []
  if (left === 'other-version') return sayOtherVersion(call)
  throw new GateError(
    'GATE_STATE',
    `the record of this armed session was gone; the gate is armed anew: ${sessionDirOf(call.paths, call.payload.session)}`,
  )
}

function sayOtherVersion(call: HookCall): readonly string[] {
  const marker = markerOf(call, 'observed', [
    ['skill', 'investigate'],
    ['files', 0],
    ['why', 'other-version'],
  ])
  announce(call, [marker])
  return [
    forPerson(
      call.hook,
      'another version of this program had armed this session; what stands there now is the new baseline, and nothing was put back.',
    ),
  ]
}
