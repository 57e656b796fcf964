import type { Tree } from './tree.ts'

const ASSUME_VALID = 0x8000
const INTENT_TO_ADD = 0x20000000
const SKIP_WORKTREE = 0x40000000

/** Index entries as git itself lists them. */
export function entriesOfGit(tree: Tree) {
  const output = tree.git('ls-files', '-z', '--stage', '--debug')
  const pattern = /([0-7]{6}) ([0-9a-f]{40}) ([0-3])\t([^\0]+)\0(?:[^\0]*?)flags: ([0-9a-f]+)\n/g
  return [...output.matchAll(pattern)].map(([, mode = '', oid, stage, path, flags = '']) => {
    const bits = Number.parseInt(flags, 16)
    return {
      path,
      stage: Number(stage),
      mode: Number.parseInt(mode, 8),
      oid,
      assumeValid: (bits & ASSUME_VALID) !== 0,
      skipWorktree: (bits & SKIP_WORKTREE) !== 0,
      intentToAdd: (bits & INTENT_TO_ADD) !== 0,
    }
  })
}
