import { createRequire } from 'node:module'

import { onTestFinished } from 'vitest'

import { native } from '../../src/native/binding.ts'
import type { GitHandle } from '../../src/native/types.ts'
import type { Tree } from './tree.ts'

const require = createRequire(import.meta.url)

/** Loads nodegit's binary, as the program does, and opens a tree's repository for one test. */
export function openGit(tree: Tree, indexPath?: string): GitHandle {
  const binary = require.resolve('nodegit/build/Release/nodegit.node')
  require(binary)
  if (!native().initGit(binary)) throw new Error('the nodegit binary does not export what the addon needs')
  const git = native().openGit({ gitDir: tree.gitDir, ...(indexPath !== undefined && { indexPath }) })
  onTestFinished(() => {
    native().closeGit(git)
  })
  return git
}
