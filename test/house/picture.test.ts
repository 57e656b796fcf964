/** The picture of the README, drawn anew from a run of the demo: what people see is what happens. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { PACKAGE, test } from '../helpers/world.ts'

test('the picture of the README shows what the demo says today', async ({ world }) => {
  const drawn = join(world.folder, 'block.svg')

  const ran = await world.run(process.execPath, [join(PACKAGE, 'docs/pictures/make.mjs'), drawn])

  expect(ran).toMatchObject({ exitCode: 0, stderr: '' })
  expect(readFileSync(drawn, 'utf8')).toBe(readFileSync(join(PACKAGE, 'docs/pictures/block.svg'), 'utf8'))
})
