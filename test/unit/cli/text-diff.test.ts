import { expect, test } from 'vitest'
import { unifiedDiff } from '../../../src/cli/text-diff.ts'

const numbered = (count: number, word: string) =>
  Array.from({ length: count }, (_, at) => `${word} ${String(at)}\n`).join('')

test('equal texts have no difference', () => {
  expect(unifiedDiff('a\n', 'a\n', 'f')).toBe('')
})

test('a change is shown with the lines around it', () => {
  const before = numbered(9, 'line')

  expect(unifiedDiff(before, before.replace('line 4', 'other'), 'f')).toMatchInlineSnapshot(`
    "--- f
    +++ f
    @@ -2,7 +2,7 @@
     line 1
     line 2
     line 3
    -line 4
    +other
     line 5
     line 6
     line 7
    "
  `)
})

test('lines that stand in both are found between two changes', () => {
  expect(unifiedDiff('a\nb\nc\n', 'x\nb\ny\n', 'f').split('\n').slice(3, -1)).toEqual([
    '-a',
    '+x',
    ' b',
    '-c',
    '+y',
  ])
})

test('texts that have too little in common are replaced as a whole', () => {
  const lines = unifiedDiff(`${numbered(3_000, 'old')}end\n`, `${numbered(3_000, 'new')}end\n`, 'f').split(
    '\n',
  )

  expect(lines).toHaveLength(2 + 1 + 6_000 + 1 + 1)
  expect(lines.slice(2, 5)).toEqual(['@@ -1,3001 +1,3001 @@', '-old 0', '-old 1'])
})
