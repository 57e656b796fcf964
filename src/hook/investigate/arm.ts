import path from 'node:path'
import { discoverRepository, nearestExisting } from '../../git/discover.ts'
import { conversionDirOf, writePins } from '../../store/baseline-file.ts'
import { sessionDirOf } from '../../store/paths.ts'
import { keepRawCopy } from '../../store/raw-copies.ts'
import { scratchDir } from '../../store/scratch.ts'
import { readUndone } from '../../store/undone.ts'
import { lockTree } from '../../store/session-lock.ts'
import type { HookCall } from '../call.ts'

export type SkipReason =
  'no-git' | 'no-head' | 'bare' | 'unsupported-format' | 'not-owner' | 'state-root-inside' | 'too-large'

export type Pinning =
  | { readonly kind: 'pinned'; readonly root: string }
  | { readonly kind: 'skipped'; readonly reason: SkipReason }

/** A work tree that is to be guarded. */
export interface GuardedTree {
  readonly root: string
  readonly gitDir: string
  readonly commonDir: string
}

/** The work tree that a directory lies in. */
export function treeAt(directory: string): GuardedTree | SkipReason {
  const found = discoverRepository(directory)
  if (found.kind === 'none') return 'no-git'
  if (found.kind === 'bare') return 'bare'
  const { root, gitDir, commonDir } = found
  return { root, gitDir, commonDir }
}

/** Pins a work tree as it is now and saves the pins. */
export async function pinTree(call: HookCall, tree: GuardedTree): Promise<Pinning> {
  if (isInside(call.paths.root, tree.root)) return { kind: 'skipped', reason: 'state-root-inside' }
  const sessionDir = sessionDirOf(call.paths, call.payload.session)
  const lock = await lockTree(tree.commonDir, call.deadline)
  try {
    const { pinBaseline } = await import('../../git/arm.ts')
    const armed = await pinBaseline(tree, {
      env: call.env,
      deadline: call.deadline,
      nowMs: call.now().getTime(),
      scratch: scratchDir(sessionDir),
      undone: readUndone(call.paths, tree.commonDir),
      conversionDir: conversionDirOf(sessionDir, tree.root),
      keepCopy(sha256, content, from) {
        keepRawCopy(sessionDir, sha256, content, from)
      },
    })
    if (armed.kind === 'skipped') return armed
    writePins(sessionDir, armed.pins, armed.pins.refs)
    const { sweepUndoneRefs } = await import('../../effects/undone-refs.ts')
    await sweepUndoneRefs(tree, Object.keys(armed.pins.refs.refs), { paths: call.paths, now: call.now() })
    return { kind: 'pinned', root: tree.root }
  } finally {
    lock.release()
  }
}

function isInside(folder: string, root: string): boolean {
  const relative = path.relative(root, nearestExisting(folder))
  return relative === '' || (!relative.startsWith('..') && !path.isAbsolute(relative))
}
