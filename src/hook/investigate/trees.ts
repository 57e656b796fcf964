/** Every work tree that a session guards, and the target of an edit tool. */

import { olderOf, type Baseline } from '../../core/baseline.ts'
import { showPath } from '../../core/ids.ts'
import { EDIT_TOOLS } from '../../core/tools.ts'
import { exclusionOf } from '../../policy/investigate/source-rule.ts'
import { listPinnedRoots, readPins } from '../../store/baseline-file.ts'
import type { Pass } from '../../store/in-flight.ts'
import { sessionDirOf } from '../../store/paths.ts'
import { scratchDir } from '../../store/scratch.ts'
import type { HookCall } from '../call.ts'
import { pinTree, treeAt, type GuardedTree, type SkipReason } from './arm.ts'
import { checkTree, type TreeOutcome } from './check.ts'
import { editTargets, pathInside } from './edit-target.ts'

export interface SessionCheck {
  readonly trees: readonly TreeOutcome[]
  /** The gated file that an edit tool was about to change, as shown to people. */
  readonly denied: string | undefined
  readonly released: boolean
  /** Work trees that were first met after a call had run, and are pinned as they stood then. */
  readonly joined: readonly string[]
  /** Why work trees that the session came to cannot be guarded. */
  readonly skipped: readonly SkipReason[]
}

/**
 * Checks all guarded trees, pins one that the session has moved to, and judges the target of an edit.
 *
 * @param justPinned root of a tree that this very call pinned
 */
export async function checkSession(
  call: HookCall,
  using: {
    readonly pass: Pass
    readonly justPinned?: string | undefined
    readonly isReleased: () => Promise<boolean>
  },
): Promise<SessionCheck> {
  const sessionDir = sessionDirOf(call.paths, call.payload.session)
  const guarded = listPinnedRoots(sessionDir)
  const trees: TreeOutcome[] = []
  for (const tree of [...guarded].sort((a, b) => (a.root < b.root ? -1 : 1))) {
    if (tree.root === using.justPinned) continue
    const outcome = await checkTree(call, tree, using)
    trees.push(outcome)
    if (outcome.released) return { trees, denied: undefined, released: true, joined: [], skipped: [] }
  }
  const { joined, skipped } = await pinNewTrees(call, guarded)
  const denied = await deniedTarget(call, sessionDir)
  const released = denied !== undefined && (await using.isReleased())
  return { trees, denied: released ? undefined : denied, released, joined, skipped }
}

/** The tree at the session's directory, and the tree of an edit's target, are guarded from the first call on. */
async function pinNewTrees(
  call: HookCall,
  guarded: readonly Baseline[],
): Promise<Pick<SessionCheck, 'joined' | 'skipped'>> {
  const folders = [call.payload.cwd, ...(isEdit(call) ? editTargets(call.payload) : [])]
  const known = new Set(guarded.map(({ root }) => root))
  const joined: string[] = []
  const skipped: SkipReason[] = []
  for (const folder of folders) {
    const tree = treeAt(folder)
    if (typeof tree === 'string' || known.has(tree.root) || isSubmodule(tree, guarded)) continue
    known.add(tree.root)
    const pinning = await pinTree(call, tree)
    // Before a call runs its tree is pinned clean; after it, whatever it wrote there is pinned too.
    if (pinning.kind === 'pinned' && call.payload.event !== 'PreToolUse') joined.push(tree.root)
    if (pinning.kind === 'skipped') skipped.push(pinning.reason)
  }
  return { joined, skipped }
}

/** git keeps the repository of a submodule inside the one of the tree above it, under either of its directories. */
const isSubmodule = ({ gitDir }: GuardedTree, guarded: readonly Baseline[]): boolean =>
  guarded
    .flatMap((above) => [above.gitDir, above.commonDir])
    .some((above) => gitDir.startsWith(`${above}/modules/`))

const isEdit = ({ payload }: HookCall): boolean =>
  payload.event === 'PreToolUse' && payload.tool !== undefined && EDIT_TOOLS.has(payload.tool)

async function deniedTarget(call: HookCall, sessionDir: string): Promise<string | undefined> {
  if (!isEdit(call)) return undefined
  for (const target of editTargets(call.payload)) {
    const tree = treeAt(target)
    if (typeof tree !== 'string' && (await isGated(call, { sessionDir, root: tree.root, target })))
      return showTarget(tree.root, target)
  }
  return undefined
}

function showTarget(root: string, target: string): string {
  const path = pathInside(root, target)
  return path === undefined ? target : showPath(path)
}

async function isGated(
  call: HookCall,
  { sessionDir, root, target }: { sessionDir: string; root: string; target: string },
): Promise<boolean> {
  const path = pathInside(root, target)
  const pins = readPins(sessionDir, root)
  if (path === undefined || pins === undefined || pins.baseline.outside.includes(path)) return false
  const { entriesByPath } = await import('../../git/compare.ts')
  const entry = entriesByPath(pins.index, [path]).get(path)?.[0]
  // What HEAD has and the index lacks is pinned as well.
  const isPinned = entry !== undefined || pins.baseline.work[path] !== undefined
  if (!isPinned || exclusionOf(path, entry?.mode) !== undefined) return false
  const { openAttributesView } = await import('../../git/attributes-view.ts')
  const view = openAttributesView({
    ...pins.baseline,
    commit: olderOf(pins.baseline, pins.baseline.head.oid),
    paths: [path],
    scratch: scratchDir(sessionDir),
    env: call.env,
    deadline: call.deadline,
  })
  try {
    return !view.isGenerated(path)
  } finally {
    view.close()
  }
}
