import path from 'node:path'
import { isoTime } from '../../core/iso-time.ts'
import { ERROR_CODES } from '../../core/errors.ts'
import { errorMarker, formatMarker, type Marker } from '../../core/marker.ts'
import type { RunRecord } from '../../core/record.ts'
import { forPerson } from '../../core/for-person.ts'
import { EDIT_TOOLS } from '../../core/tools.ts'
import { blockText, needsList, withoutCopy, type BlockedFile } from '../../policy/investigate/block-text.ts'
import { writeAtomic } from '../../store/atomic.ts'
import { sessionDirOf } from '../../store/paths.ts'
import { announce } from '../../effects/announce.ts'
import { markerOf, NO_ANSWER, type HookAnswer, type HookCall } from '../call.ts'
import { failureOf, heldText, type Blocked } from './blocked.ts'
import type { SessionCheck } from './trees.ts'

const SKILL = 'investigate'
/** Stops blocked in a row before they go through: a watcher that rewrites a file cannot trap a session. */
const MOST_STOPS_IN_ROW = 3
/** Lines of what the person is shown. */
const MOST_LINES = 60

/** The answer to a check: a block when gated files changed or were about to, else only what the person should know. */
export function blockCall(call: HookCall, blocked: Blocked, counted: RunRecord): HookAnswer {
  const { trees, denied, cause, run, joined } = blocked
  const observed = trees.reduce((sum, tree) => sum + tree.observed, 0)
  const markers: Marker[] = []
  if (observed > 0 || joined.length > 0)
    markers.push(
      markerOf(call, 'observed', [
        ['skill', SKILL],
        ['files', observed],
        ...joined.map((root) => ['pinned', path.basename(root)] as const),
      ]),
    )
  const failure = failureOf(blocked)
  if (failure !== undefined)
    markers.push(
      errorMarker({ hook: call.hook, session: call.payload.session }, 'GATE_RESTORE_FAILED', failure),
    )
  const files = trees.flatMap((tree) => tree.files)
  const remarks = trees.flatMap((tree) => tree.remarks)
  const notices = trees.flatMap((tree) => tree.told).map((text) => forPerson(call.hook, text))
  if (files.length === 0 && remarks.length === 0 && denied === undefined)
    return { ...NO_ANSWER, systemMessages: [...announce(call, markers), ...notices] }

  const marker = markerOf(call, 'blocked', [
    ['skill', SKILL],
    ['via', viaOf(call)],
    ['files', files.length + (denied === undefined ? 0 : 1)],
  ])
  const changed = trees.filter((tree) => tree.files.length > 0)
  const reason = blockText({
    marker: formatMarker(marker),
    denied,
    roots: changed,
    cause,
    isRepeat: run.blocked > 0,
    remarks: [
      ...(run.is_late === true ? [LATE] : []),
      ...remarks,
      ...trees.flatMap(({ heldLock }) =>
        heldLock === undefined ? [] : [`GATE_RESTORE_FAILED: ${heldText(heldLock)}.`],
      ),
    ],
    listFile: needsList(changed) ? writeList(call, changed) : undefined,
  })
  const messages = announce(call, [marker, ...markers])
  const shown = files.length + remarks.length === 0 ? [] : [personText(call, changed, remarks)]
  const notes =
    failure === undefined
      ? []
      : [`gstack-skill-gates: GATE_RESTORE_FAILED ${failure}. ${ERROR_CODES.GATE_RESTORE_FAILED.fix}`]
  const isTrapped = call.payload.tool === undefined && (counted.stops_in_row ?? 0) > MOST_STOPS_IN_ROW
  const passed = isTrapped ? [forPerson(call.hook, LET_GO)] : []
  const answer = { systemMessages: [...messages, ...notices, ...shown, ...passed], notes }
  return isTrapped ? answer : { ...answer, block: { reason } }
}

function viaOf({ payload }: HookCall): 'edit' | 'bash' | 'stop' {
  if (payload.tool === undefined) return 'stop'
  return EDIT_TOOLS.has(payload.tool) ? 'edit' : 'bash'
}

const LATE = 'Found late: an earlier call of this run went through unchecked.'
const LET_GO = `the stop went through after ${String(MOST_STOPS_IN_ROW)} that were blocked: something goes on writing these files without a tool call, such as a watcher`

function personText({ hook }: HookCall, roots: SessionCheck['trees'], remarks: readonly string[]): string {
  const files = roots.flatMap(({ root, files: changed }) => [
    forPerson(hook, `in ${root}, put back until a root cause is stated:`),
    ...changed.map(personLine),
  ])
  return [...remarks.map((remark) => forPerson(hook, remark)), ...files].slice(0, MOST_LINES).join('\n')
}

function personLine(file: BlockedFile): string {
  const { path: name, copy, failure } = file
  if (failure !== undefined) return `  ${name}: NOT put back, ${failure}`
  return `  ${name} (${copy === undefined ? withoutCopy(file) : `what it held: ${copy}`})`
}

/** Names every file when there are more than a block can hold. */
function writeList(call: HookCall, roots: SessionCheck['trees']): string {
  const stamp = isoTime(call.now()).replace(/[-:.]/g, '')
  const file = path.join(
    sessionDirOf(call.paths, call.payload.session),
    `files-${stamp}-${String(process.pid)}.txt`,
  )
  const lines = roots.flatMap(({ root, files }) => [
    root,
    ...files.map(({ path: name, copy, failure }) => `  ${name}\t${failure ?? copy ?? ''}`),
  ])
  writeAtomic(file, `${lines.join('\n')}\n`)
  return file
}
