import { expect, test } from 'vitest'
import type { MarkerEvent } from '../../../src/core/marker.ts'
import { wordsOf } from '../../../src/cli/report/html/words.ts'

const say = (event: MarkerEvent, ...fields: [string, string][]): string => {
  const { title, detail } = wordsOf({
    at: '2026-01-02T03:04:05.000Z',
    hook: 'investigate-gate',
    event,
    fields,
  })
  return `${title} | ${detail}`
}

test('who let go of a run is told apart', () => {
  expect(say('released', ['cause', '0123456789ab'], ['blocked', '2'])).toBe(
    'Released: a root cause was stated | after 2 blocks, cause 0123456789ab',
  )
  expect(say('released', ['cause', 'person'], ['blocked', '1'])).toBe('Released by a person | after 1 block')
  expect(say('released', ['file', 'plan.md'], ['blocked', '0'])).toBe('Released by plan.md | after 0 blocks')
})

test('a tree that was pinned anew is no file that was left alone', () => {
  expect(say('observed', ['files', '3'])).toBe('Left alone | 3 files')
  expect(say('observed', ['files', '0'], ['why', 'restarted'])).toBe(
    'The client was restarted | pinned anew, nothing put back',
  )
  expect(say('observed', ['files', '0'], ['why', 'other-version'])).toBe(
    'Another version had armed | pinned anew, nothing put back',
  )
})
