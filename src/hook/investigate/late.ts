/** How a check tells what earlier passes had done that were killed or ended in an error. */

import { forPerson } from '../../core/for-person.ts'
import { showPath } from '../../core/ids.ts'
import type { BlockedFile } from '../../policy/investigate/block-text.ts'
import type { Pass } from '../../store/in-flight.ts'
import { takeLate, type LateWork } from '../../store/late.ts'
import { sessionDirOf } from '../../store/paths.ts'
import type { HookCall } from '../call.ts'
import { nothingFound, type TreeOutcome } from './check.ts'
import type { SessionCheck } from './trees.ts'

/** What waits to be told; the pass notes it, so that a kill before the answer does not lose it. */
export const takeLateWork = async (call: HookCall, pass: Pass): Promise<readonly LateWork[]> =>
  await takeLate(sessionDirOf(call.paths, call.payload.session), call.deadline, (late) => {
    pass.note({ late })
  })

/** The check as if it had done that work itself. */
export function withLate(checked: SessionCheck, late: readonly LateWork[]): SessionCheck {
  const known = new Set(checked.trees.map(({ root }) => root))
  const others = [...new Set(late.map(({ root }) => root))].filter((root) => !known.has(root))
  return {
    ...checked,
    trees: [...checked.trees, ...others.map(nothingFound)].map((tree) => withLateOf(tree, late)),
  }
}

function withLateOf(tree: TreeOutcome, late: readonly LateWork[]): TreeOutcome {
  const own = late.filter(({ root }) => root === tree.root)
  if (own.length === 0) return tree
  return {
    ...tree,
    files: [...own.flatMap((work) => (work.kind === 'put-back' ? fileOf(work) : [])), ...tree.files],
    remarks: [...own.flatMap((work) => (work.kind === 'undone' ? work.lines : [])), ...tree.remarks],
  }
}

const fileOf = ({ path, copy, onlyStaged }: LateWork & { readonly kind: 'put-back' }): BlockedFile => ({
  path: showPath(path),
  ...(copy === undefined ? {} : { copy }),
  ...(onlyStaged ? { onlyStaged } : {}),
})

/** The same work in words for the person. */
export const lateText = ({ hook }: HookCall, late: readonly LateWork[]): readonly string[] =>
  late.flatMap((work) => {
    if (work.kind === 'undone') return work.lines.map((line) => forPerson(hook, line))
    const held = work.copy === undefined ? '' : ` (what it held: ${work.copy})`
    return [forPerson(hook, `put back by a check that could not say so: ${showPath(work.path)}${held}`)]
  })
