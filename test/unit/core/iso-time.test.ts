import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isoTime } from '../../../src/core/iso-time.ts'

test('a time is written as the language itself writes it', () => {
  const anyTime = fc.date({
    min: new Date(0),
    max: new Date('9999-12-31T23:59:59.999Z'),
    noInvalidDate: true,
  })
  fc.assert(
    fc.property(anyTime, (date) => {
      expect(isoTime(date)).toBe(date.toISOString())
    }),
  )
})
