import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'

import { describe, expect, test } from 'vitest'

import { native } from '../../src/native/binding.ts'
import { interrupt, runChild } from './child.ts'
import { at, makeFolder, makeTree, type Tree } from './tree.ts'

const REPLACE = `
  native.atStep(given.step, given.action)
  try {
    const content = { bytes: bytes('baseline\\n') }
    const { row, ...result } = native.replaceAt({ ...given.place, content, mode: 0o644 })
    console.log(result.created ? 'created' : result.kept)
  } catch (error) { console.log(error.code) }`

const REMOVE = `
  native.atStep(given.step, given.action)
  try { console.log(native.removeAt(given.place).kept) } catch (error) { console.log(error.code) }`

const READ = `
  native.atStep('read-done', 'stop')
  const { bytes: content } = native.readFileAt(given.place.root, given.place.path)
  console.log(content.toString())`

function makeDirty() {
  const tree = makeTree()
  tree.write('a', 'edited\n')
  return tree
}

const placeOf = (tree: Tree) => ({
  root: tree.root,
  path: 'a',
  tempName: '.gates-temp',
  keepPath: join(tree.keep, 'displaced'),
})

const namesIn = (folder: string) => readdirSync(folder).filter((name) => name !== '.git')

/** Every content that is somewhere below the tree or among the kept copies. */
const contents = (tree: Tree) =>
  [tree.root, tree.keep].flatMap((folder) =>
    namesIn(folder)
      .map((name) => join(folder, name))
      .filter((path) => statSync(path).isFile())
      .map((path) => readFileSync(path, 'utf8')),
  )

describe('a pass killed while it puts a file back', () => {
  test.each([
    ['replace-written', ['.gates-temp', 'a'], 'edited\n'],
    ['replace-exchanged', ['.gates-temp', 'a'], 'baseline\n'],
    ['replace-kept', ['a'], 'baseline\n'],
  ])('at %s loses nothing', (step, names, content) => {
    const tree = makeDirty()

    const { signal } = runChild({ place: placeOf(tree), step, action: 'kill' }, REPLACE)

    expect(signal).toBe('SIGKILL')
    expect(namesIn(tree.root)).toEqual(names)
    expect(tree.read('a')).toBe(content)
    expect(contents(tree)).toContain('edited\n')
  })

  test('while it moves a file aside leaves it under the temporary name', () => {
    const tree = makeDirty()

    runChild({ place: placeOf(tree), step: 'remove-moved', action: 'kill' }, REMOVE)

    expect(tree.read('.gates-temp')).toBe('edited\n')
  })
})

describe('a target that changes while it is put back', () => {
  const race = (tree: Tree, step: string, meanwhile: () => void, body = REPLACE) =>
    interrupt({ place: placeOf(tree), step, action: 'stop' }, body, meanwhile)

  test('is kept as it is when it was written again before the exchange', async () => {
    const tree = makeDirty()

    const said = await race(tree, 'replace-exchange', () => {
      writeFileSync(tree.path('a'), 'edited again\n')
    })

    expect(said).toBe('inode\n')
    expect(readFileSync(join(tree.keep, 'displaced'), 'utf8')).toBe('edited again\n')
    expect(tree.read('a')).toBe('baseline\n')
  })

  test('goes back when it became a directory before the exchange', async () => {
    const tree = makeDirty()

    const said = await race(tree, 'replace-exchange', () => {
      unlinkSync(tree.path('a'))
      mkdirSync(tree.path('a'))
      tree.write('a/inside', 'i\n')
    })

    expect(said).toBe('EISDIR\n')
    expect(tree.read('a/inside')).toBe('i\n')
    expect(namesIn(tree.root)).toEqual(['a'])
  })

  test('is made anew when it was removed before the exchange', async () => {
    const tree = makeDirty()

    const said = await race(tree, 'replace-exchange', () => {
      unlinkSync(tree.path('a'))
    })

    expect(said).toBe('created\n')
    expect(tree.read('a')).toBe('baseline\n')
    expect(namesIn(tree.root)).toEqual(['a'])
  })

  test('stays written through a descriptor after the exchange', async () => {
    const tree = makeDirty()

    await race(tree, 'replace-exchanged', () => {
      writeFileSync(tree.path('.gates-temp'), 'late write\n')
    })

    expect(readFileSync(join(tree.keep, 'displaced'), 'utf8')).toBe('late write\n')
  })

  test('keeps what was written into the new file before it was taken back', async () => {
    const tree = makeDirty()
    const place = { ...placeOf(tree), keepPath: join(tree.keep, 'missing', 'displaced') }

    const said = await interrupt({ place, step: 'replace-exchanged', action: 'stop' }, REPLACE, () => {
      writeFileSync(tree.path('a'), 'written into the new file\n')
    })

    expect(said).toBe('ENOENT\n')
    expect(tree.read('a')).toBe('edited\n')
    expect(tree.read('.gates-temp')).toBe('written into the new file\n')
  })

  test('is not written through a link that took its folder\u2019s place', async () => {
    const tree = makeDirty()
    const outside = makeFolder()
    tree.write('d/a', 'edited\n')
    writeFileSync(join(outside, 'a'), 'outside\n')

    await interrupt(
      { place: { ...placeOf(tree), path: 'd/a' }, step: 'replace-exchange', action: 'stop' },
      REPLACE,
      () => {
        rmSync(tree.path('d'), { recursive: true })
        symlinkSync(outside, tree.path('d'))
      },
    )

    expect(readFileSync(join(outside, 'a'), 'utf8')).toBe('outside\n')
    expect(readdirSync(outside)).toEqual(['a'])
  })

  test('goes back to its place when another took the name of the moved file', async () => {
    const tree = makeDirty()

    const said = await race(
      tree,
      'remove-moved',
      () => {
        writeFileSync(tree.path('a'), 'new edit\n')
      },
      REMOVE,
    )

    expect(said).toBe('inode\n')
    expect(contents(tree).sort()).toEqual(['edited\n', 'new edit\n'])
  })
})

test('a file that is written while it is read is read again', async () => {
  const tree = makeDirty()

  const said = await interrupt({ place: placeOf(tree) }, READ, () => {
    writeFileSync(tree.path('a'), 'whole new content\n')
  })

  expect(said).toBe('whole new content\n\n')
})

describe('an index write that is killed', () => {
  const WRITE = `
    native.atStep(given.step, given.action)
    const index = require('node:fs').readFileSync(given.indexPath)
    const change = { indexPath: given.indexPath, tempPath: given.tempPath, index }
    console.log(JSON.stringify(native.prepareIndex({ ...change, set: [], remove: ['a'] })))
    console.log(native.commitIndex(change))`

  const givenOf = (tree: Tree, step: string, action: string) => ({
    indexPath: tree.indexPath,
    tempPath: join(tree.gitDir, 'gates-new-index'),
    step,
    action,
  })

  test('under the lock leaves the index, and a lock that the noted inode releases', () => {
    const tree = makeDirty()
    tree.write('b', 'b\n')
    tree.git('add', '.')

    const { signal, stdout } = runChild(givenOf(tree, 'index-locked', 'kill'), WRITE)
    const id = JSON.parse(stdout) as { ino: string; dev: string }

    expect(signal).toBe('SIGKILL')
    expect(tree.git('ls-files')).toBe('a\nb\n')
    expect(native().releaseStaleLock({ ...id, indexPath: tree.indexPath })).toBe(true)
    expect(tree.git('add', '.')).toBe('')
  })

  test('holds git off between the check and the rename', async () => {
    const tree = makeDirty()
    tree.write('b', 'b\n')
    tree.git('add', '.')
    tree.write('c', 'c\n')

    const said = await interrupt(givenOf(tree, 'index-checked', 'stop'), WRITE, () => {
      expect(() => tree.git('add', 'c')).toThrow('index.lock')
    })

    expect(said).toContain('written')
    expect(tree.git('ls-files')).toBe('b\n')
  })
})

test('a row taken before a write during the read does not hide it', () => {
  const tree = makeDirty()
  const { row } = native().statRow(tree.root, at('a'))
  writeFileSync(tree.path('a'), 'EDITED\n')

  const read = native().readFileAt(tree.root, at('a'))

  expect(read?.row.equals(row)).toBe(false)
})
