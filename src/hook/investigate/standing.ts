/** When a check that found nothing changed leaves a certificate, and what stands in it. */

import path from 'node:path'
import type { Baseline } from '../../core/baseline.ts'
import { bytesBelow } from '../../core/ids.ts'
import { EDIT_TOOLS } from '../../core/tools.ts'
import type { RunRecord } from '../../core/record.ts'
import { lookAtFolder, lookAtTree, unindexedPaths } from '../../git/standing.ts'
import { findCause } from '../../policy/investigate/cause.ts'
import { listPins, type PinnedTree } from '../../store/baseline-file.ts'
import { bootId } from '../../store/boot-id.ts'
import { transcriptFact } from '../../store/certificate.ts'
import { sessionDirOf } from '../../store/paths.ts'
import { readState } from '../../store/state-file.ts'
import type { HookAnswer, HookCall } from '../call.ts'
import type { RunReading } from './evidence.ts'
import { treeAt } from './arm.ts'

const SKILL = 'investigate'
/** How the client writes down that it killed a hook. */
const HOOK_KILLED = 'hook_cancelled'

/**
 * Looks at what a check is about to read.
 *
 * @returns how the call may be answered from then on, given the check's answer
 */
export function watchTrees(
  call: HookCall,
  run: RunRecord,
  reading: RunReading,
): (answer: HookAnswer) => HookAnswer {
  const sessionDir = sessionDirOf(call.paths, call.payload.session)
  const before = listPins(sessionDir)
  const roots = before.map(({ baseline }) => baseline)
  if (!mayStand(call, run, reading) || !isInside(call, roots)) return (answer) => answer
  for (const tree of roots) lookAtTree(tree, call.sheet.look)
  const seen = new Set(before.flatMap(unindexedFiles))
  for (const file of seen) call.sheet.look(Buffer.from(file, 'latin1'), 'all')
  return (answer) => {
    const after = listPins(sessionDir)
    const isSeen = after.every((tree) => {
      const known = before.find(({ baseline }) => baseline.root === tree.baseline.root)
      return (
        known !== undefined &&
        (isPinnedAlike(tree, known) || unindexedFiles(tree).every((file) => seen.has(file)))
      )
    })
    return after.length === before.length && isSeen && noteTrees(call, after)
      ? { ...answer, holds: 'armed' }
      : answer
  }
}

/** Full paths in latin1 of what is pinned and has no row in the stat table. */
function unindexedFiles({ baseline, index }: PinnedTree): readonly string[] {
  if (Object.keys(baseline.work).length === 0) return []
  const bytes = readState(index)
  if (bytes === undefined) return []
  return unindexedPaths(baseline, bytes).map((name) => bytesBelow(baseline.root, name).toString('latin1'))
}

/** No path is pinned or lacks a row that was not, or did not, before. A file's name stands for its content. */
const isPinnedAlike = (tree: PinnedTree, known: PinnedTree): boolean =>
  tree.index === known.index && Object.keys(tree.baseline.work).every((name) => name in known.baseline.work)

/** Edits are judged each, subagents speak elsewhere, and what was said already must not release the next call. */
function mayStand(
  { payload, env, sheet }: HookCall,
  run: RunRecord,
  { load, mark, isSettled }: RunReading,
): boolean {
  const boot = bootId()
  const isJudged = payload.agentId !== undefined || EDIT_TOOLS.has(payload.tool ?? '')
  if (isJudged || boot === undefined || !isSettled || load === undefined || (run.stops_in_row ?? 0) > 0)
    return false
  if (findCause(load, undefined, undefined).kind === 'accepted') return false
  const transcript = transcriptFact(payload.transcriptPath, mark, {
    words: [SKILL, HOOK_KILLED],
    forbidsCause: true,
  })
  if (transcript === undefined) return false
  sheet.add(
    { kind: 'boot', id: boot },
    { kind: 'variable', name: 'CLAUDE_PID', value: env['CLAUDE_PID'] },
    { kind: 'field', name: 'cwd', value: payload.cwd },
    transcript,
  )
  return true
}

function isInside({ payload, sheet }: HookCall, trees: readonly Baseline[]): boolean {
  const tree = treeAt(payload.cwd)
  if (typeof tree === 'string' || !trees.some(({ root }) => root === tree.root)) return false
  return lookAtFolder(payload.cwd, tree.root, sheet.look)
}

/** @returns false when the next check has to look at commits again, whatever stands still */
function noteTrees({ paths, sheet }: HookCall, trees: readonly PinnedTree[]): boolean {
  for (const { baseline, manifest, index, table, patch } of trees) {
    const { root, outside, heads } = baseline
    if (heads === '') return false
    for (const file of [manifest, index, table, ...(patch === undefined ? [] : [patch])])
      sheet.look(file, 'all')
    const inState = (file: string): string => path.relative(paths.root, file)
    sheet.add({
      kind: 'tree',
      root,
      index: inState(index),
      table: inState(table),
      patch: patch === undefined ? '' : inState(patch),
      outside,
    })
  }
  return trees.length > 0
}
