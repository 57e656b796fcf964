import { expect, test } from 'vitest'
import { readTriggers } from '../../../src/policy/route/triggers.ts'

const skillWith = (triggers: unknown) => ({
  name: 'qa',
  file: '/skills/qa/SKILL.md',
  frontmatter: { kind: 'read' as const, fields: { triggers } },
})

test('triggers are phrases, and one may stand without a list', () => {
  expect(readTriggers([skillWith(['a b', 'c']), skillWith('a b')]).triggers).toEqual([
    { skill: 'qa', triggers: ['a b', 'c'] },
    { skill: 'qa', triggers: ['a b'] },
  ])
})

test('a skill without triggers or frontmatter is not scored and not broken', () => {
  const plain = { name: 'x', file: '/x', frontmatter: { kind: 'none' as const } }

  expect(readTriggers([skillWith(undefined), skillWith(null), skillWith([]), plain])).toEqual({
    triggers: [],
    broken: [],
  })
})

test.each([[[1]], [{ a: 1 }], [[['a']]]])('triggers of %j are broken', (value) => {
  expect(readTriggers([skillWith(value)])).toEqual({
    triggers: [],
    broken: [{ file: '/skills/qa/SKILL.md', why: 'triggers is not a list of phrases' }],
  })
})
