import { createRequire } from 'node:module'
import { constants } from 'node:os'
import { expect, test } from 'vitest'
import { asOid } from '../../src/core/ids.ts'
import { native } from '../../src/native/binding.ts'
import { openGit } from './git.ts'
import { at, makeTree } from './tree.ts'

const BINARY = createRequire(import.meta.url).resolve('nodegit/build/Release/nodegit.node')

// First: once a library is loaded, no other is.
test('a binary that is no library is refused with the reason', () => {
  expect(() => {
    native().initGit(import.meta.filename)
  }).toThrow(/ENOSYS.*dlopen/)
})

test('nodegit can be made a module after the addon took libgit2 out of it, and both go on working', () => {
  const tree = makeTree()
  tree.write('a', 'aa\n')
  const commit = asOid(tree.commit('first'))
  const git = openGit(tree)
  const module = { exports: {} }

  process.dlopen(module, BINARY, constants.dlopen.RTLD_NOW)

  expect(Object.keys(module.exports)).toContain('Repository')
  expect(native().blobAt(git, commit, at('a'))).toMatchObject({ mode: 0o100644 })
})
