/** The costs that the README names are those of the last measured run; `npm run bench -- --write-docs` writes both. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { format, resolveConfig } from 'prettier'
import { expect, test } from 'vitest'
import { PACKAGE } from '../helpers/world.ts'
import { tableOf, withCosts } from '../perf/table.ts'

const read = (file: string) => readFileSync(join(PACKAGE, file), 'utf8')

test('the README has the medians of docs/performance.md', async () => {
  const readme = withCosts(read('README.md'), read('docs/performance.md'))

  const written = await format(readme, { ...(await resolveConfig(PACKAGE)), parser: 'markdown' })
  expect(read('README.md')).toBe(written)
})

test('each measured call has its row there', () => {
  const pair = { medianMs: 2.34, leastMs: 2, mostMs: 3 }
  const row = { name: 'switch off', target: 0.1, against: 'node -e 0', ratio: 0.05 }
  const table = tableOf([{ ...row, subject: pair, reference: { ...pair, medianMs: 45.6 } }])

  const readme = withCosts(
    'before\n<!-- costs -->\nold\n<!-- end of costs -->\nafter\n',
    `<!-- bench -->\n\n${table}\n\n<!-- end of bench -->`,
  )

  expect(readme).toBe(
    [
      'before',
      '<!-- costs -->',
      '',
      '| Hook call | Median | For comparison | Median |',
      '| --- | ---: | --- | ---: |',
      '| switch off | 2.3 ms | node -e 0 | 46 ms |',
      '',
      '<!-- end of costs -->',
      'after',
      '',
    ].join('\n'),
  )
})
