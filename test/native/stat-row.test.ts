import { linkSync, statSync, symlinkSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { native } from '../../src/native/binding.ts'
import { makeSettled } from './settled.ts'
import { at, codeOf } from './tree.ts'

describe('statRow', () => {
  test('says what is there, following no link', () => {
    const tree = makeSettled()
    symlinkSync('d', tree.path('way'))
    linkSync(tree.path('a'), tree.path('a2'))
    const kind = (path: string) => native().statRow(tree.root, at(path)).kind

    expect(['a', 'link', 'd', 'nowhere', 'no/where', 'way/b', 'a/x'].map(kind)).toEqual([
      'file',
      'link',
      'directory',
      'absent',
      'absent',
      'unreachable',
      'unreachable',
    ])
    const { mtimeNs, ino } = statSync(tree.path('a'), { bigint: true })
    expect(native().statRow(tree.root, at('a'))).toMatchObject({
      size: 3,
      nlink: 2,
      mtimeNs,
      ino: String(ino),
    })
  })

  test.each(['', '/a', 'a//b', '../a', 'd/../a', 'd/.', '.git/config', 'd/.GIT/x', 'a\0b'])(
    'refuses the path %j',
    (path) => {
      const tree = makeSettled()

      expect(codeOf(() => native().statRow(tree.root, at(path)))).toBe('EINVAL')
    },
  )
})
