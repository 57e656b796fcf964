import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatLogLine, MARKER_EVENTS, parseLogLine } from '../../../src/core/marker.ts'

const text = fc.string({ unit: 'binary' }).map((value) => value.toWellFormed())

test('a line of the trace log gives the marker back', () => {
  const marker = fc.record({
    hook: fc.constant('investigate-gate' as const),
    event: fc.constantFrom(...MARKER_EVENTS),
    session: text,
    fields: fc.array(fc.tuple(fc.constantFrom('skill', 'why', 'files'), text)),
  })
  const time = fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true })
  fc.assert(
    fc.property(marker, time, (written, at) => {
      const { event, session, fields } = written
      expect(parseLogLine(formatLogLine(written, at))).toEqual({
        at: at.toISOString(),
        event,
        session,
        fields,
      })
    }),
  )
})

test.for([
  '',
  'no log line at all',
  '2026-01-02T03:04:05.000Z session=s1',
  '2026-01-02T03:04:05.000Z session=s1 event=unheard-of',
  '2026-01-02T03:04:05.000Z session=s1 event=error why=%E0%A4',
])('%j is none', (line) => {
  expect(parseLogLine(line)).toBeUndefined()
})
