import {
  chmodSync,
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'

import { describe, expect, test } from 'vitest'

import { native } from '../../src/native/binding.ts'
import { kept, listing, makeDirty, remove, replace } from './replacing.ts'
import { codeOf, makeFolder } from './tree.ts'

describe('a file system without exchange', () => {
  test.each(['EINVAL', 'ENOSYS'] as const)('is served by a plain rename after %s', (code) => {
    const tree = makeDirty()
    native().atStep('replace-exchange', constants.errno[code])

    const result = replace(tree, 'a')

    expect(result).toMatchObject({ created: false, kept: 'inode' })
    expect(tree.read('a')).toBe('baseline\n')
    expect(kept(tree)).toBe('edited\n')
    expect(listing(tree)).toEqual(['a', 'd', 'd/b'])
  })
})

describe('kept copies on another file system', () => {
  const otherSystem = '/dev/shm'
  const hasOther = existsSync(otherSystem) && statSync(otherSystem).dev !== statSync(tmpdir()).dev

  test.runIf(hasOther)('are copied while the file stands still', () => {
    const tree = makeDirty()
    const keepPath = join(makeFolder(otherSystem), 'displaced')
    chmodSync(tree.path('a'), 0o750)

    const result = replace(tree, 'a', { keepPath })

    expect(result).toMatchObject({ kept: 'copy', keptKind: 'file' })
    expect(readFileSync(keepPath, 'utf8')).toBe('edited\n')
    expect(statSync(keepPath).mode & 0o777).toBe(0o750)
    expect(listing(tree)).toEqual(['a', 'd', 'd/b'])
  })

  test.runIf(hasOther)('hold links as links', () => {
    const tree = makeDirty()
    const keepPath = join(makeFolder(otherSystem), 'displaced')
    symlinkSync('a', tree.path('link'))

    expect(replace(tree, 'link', { keepPath })).toMatchObject({ kept: 'copy', keptKind: 'link' })
    expect(readlinkSync(keepPath)).toBe('a')
  })

  test('leave no half copy when the copy fails', () => {
    const tree = makeDirty()
    native().atStep('keep-rename', constants.errno.EXDEV)
    const copied = replace(tree, 'd/b')
    rmSync(join(tree.keep, 'displaced'))
    native().atStep('keep-copied', constants.errno.ENOSPC)
    linkSync(tree.path('a'), tree.path('other'))

    expect(copied.kept).toBe('copy')
    expect(codeOf(() => replace(tree, 'a'))).toBe('ENOSPC')
    expect(tree.read('a')).toBe('edited\n')
    expect(readdirSync(tree.keep)).toEqual([])
  })
})

describe('moving a file aside', () => {
  test('leaves nothing at the path and the file itself at the kept place', () => {
    const tree = makeDirty()
    const { ino } = statSync(tree.path('d/b'))

    expect(remove(tree, 'd/b')).toEqual({ kept: 'inode', keptKind: 'file', nlink: 1, linkTarget: undefined })
    expect(listing(tree)).toEqual(['a', 'd'])
    expect(statSync(join(tree.keep, 'displaced')).ino).toBe(ino)
  })

  test('is no error when nothing is there', () => {
    expect(remove(makeDirty(), 'nothing').kept).toBeUndefined()
  })

  test('never takes a directory', () => {
    const tree = makeDirty()

    expect(codeOf(() => remove(tree, 'd'))).toBe('EISDIR')
    expect(listing(tree)).toEqual(['a', 'd', 'd/b'])
  })

  test('is undone when the file cannot be kept', () => {
    const tree = makeDirty()
    native().atStep('keep-rename', constants.errno.EROFS)

    expect(codeOf(() => remove(tree, 'a'))).toBe('EROFS')
    expect(tree.read('a')).toBe('edited\n')
    expect(listing(tree)).toEqual(['a', 'd', 'd/b'])
  })

  test('works across a renamed parent only through real folders', () => {
    const tree = makeDirty()
    renameSync(tree.path('d'), tree.path('moved'))
    symlinkSync('moved', tree.path('d'))

    expect(codeOf(() => remove(tree, 'd/b'))).toBe('ENOTDIR')
  })
})
