import { createRequire } from 'node:module'

import { onTestFinished } from 'vitest'

import { native } from '../../src/native/binding.ts'
import type { GitHandle } from '../../src/native/types.ts'
import type { Tree } from './tree.ts'

const require = createRequire(import.meta.url)

/** Opens a tree's repository for one test. */
export function openGit(tree: Tree, indexPath?: string): GitHandle {
  native().initGit(require.resolve('nodegit/build/Release/nodegit.node'))
  const git = native().openGit({ gitDir: tree.gitDir, ...(indexPath !== undefined && { indexPath }) })
  onTestFinished(() => {
    native().closeGit(git)
  })
  return git
}
