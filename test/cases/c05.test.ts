import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { armCase, CASE_CHECKS } from '../helpers/case.ts'
import { checkStep, copiesIn, expectStandard } from '../helpers/standard.ts'
import { test, type World } from '../helpers/world.ts'

const SETUP = "new_repo; mkdir lib; printf 'a\\n' > src/a.js; printf 'l\\n' > lib/l.js; save"

function makeOutside(world: World): string {
  const outside = join(world.folder, 'outside')
  mkdirSync(outside)
  writeFileSync(join(outside, 'notes.txt'), 'private\n')
  writeFileSync(join(outside, 'a.js'), 'outside a\n')
  return outside
}

const factsOf = (path: string) => {
  const { mtimeMs, mode, ino } = statSync(path)
  return { mtimeMs, mode, ino, text: readFileSync(path, 'utf8') }
}

describe.each(CASE_CHECKS)('C05: swapped for a link, at %s,', (event) => {
  test('a file comes back as a file, and the target is untouched', async ({ world }) => {
    const notes = join(makeOutside(world), 'notes.txt')
    const { repo, session } = await armCase(world, SETUP)
    const before = factsOf(notes)

    const step = await checkStep({ world, repo, session, event }, () =>
      repo.sh(`rm lib/l.js; ln -s ${notes} lib/l.js`),
    )

    await expectStandard(step, ['lib/l.js'])
    expect(lstatSync(repo.path('lib/l.js')).isFile()).toBe(true)
    expect(factsOf(notes)).toEqual(before)
    expect(copiesIn(step.answer.reason, session).map((copy) => readlinkSync(copy))).toEqual([notes])
  })

  for (const [name, target] of [
    ['outside', undefined],
    ['inside', 'src.real'],
  ] as const) {
    test(`a folder that leads ${name} is refused, and nothing is written through it`, async ({ world }) => {
      const outside = makeOutside(world)
      const { repo, session } = await armCase(world, SETUP)
      const before = factsOf(join(outside, 'a.js'))
      repo.sh(`mv src src.real; ln -s ${target ?? outside} src`)
      const acted = repo.snapshot()

      const answer = await session.check(event)

      expect(answer.reason).toContain('GATE_RESTORE_FAILED')
      expect(answer.reason).toContain('src/a.js')
      expect(factsOf(join(outside, 'a.js'))).toEqual(before)
      expect(lstatSync(repo.path('src')).isSymbolicLink()).toBe(true)
      expect(existsSync(repo.path('src.real/a.js'))).toBe(true)
      expect(repo.snapshot()).toEqual(acted)
    })
  }
})
