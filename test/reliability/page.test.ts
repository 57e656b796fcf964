import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { PACKAGE } from '../helpers/world.ts'

const page = readFileSync(join(PACKAGE, 'docs/reliability.md'), 'utf8').replaceAll(/\s+/g, ' ')

/** A link to a test file, then the titles in quotation marks that stand behind it. */
const NAMED = /\]\(\.\.\/(test\/[^)]+)\):((?:,? "[^"]+")+)/g

test('every test that docs/reliability.md names is there', () => {
  const named = [...page.matchAll(NAMED)].flatMap(([, file = '', titles = '']) =>
    [...titles.matchAll(/"([^"]+)"/g)].map(([, title = '']) => ({ file, title })),
  )

  const missing = named.filter(
    ({ file, title }) => !readFileSync(join(PACKAGE, file), 'utf8').includes(title),
  )

  expect(named.length).toBeGreaterThan(30)
  expect(missing).toEqual([])
})
