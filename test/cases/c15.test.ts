import { describe, expect } from 'vitest'
import { armCase, CASE_CHECKS } from '../helpers/case.ts'
import { armIn } from '../helpers/armed.ts'
import { checkStep, expectStandard } from '../helpers/standard.ts'
import { test } from '../helpers/world.ts'

const NAMES = String.raw`NAMES=( 'with space.js' $'tab\there.js' $'new\nline.js' 'quote"q.js' 'back\slash.js' 'приклад.js' '-dash.js' ':(top)colon.js' '*.js' '[x].js' 'plain.js' )`
const SETUP = `
new_repo
${NAMES}
for n in "\${NAMES[@]}"; do printf 'x\\n' > "src/$n"; done
printf 'x\\n' > ./-top.js; printf 'x\\n' > './:!neg.js'; save
printf 'user\\n' > 'src/plain.js'
`
const ACT = `
${NAMES}
for n in "\${NAMES[@]:0:10}"; do echo fix >> "src/$n"; done; echo fix >> ./-top.js; echo fix >> './:!neg.js'
`
const CHANGED = [
  'src/with space.js',
  'src/tab\there.js',
  'src/new\nline.js',
  'src/quote"q.js',
  'src/back\\slash.js',
  'src/приклад.js',
  'src/-dash.js',
  'src/:(top)colon.js',
  'src/*.js',
  'src/[x].js',
  '-top.js',
  ':!neg.js',
]

describe('C15: odd file names', () => {
  test.for(CASE_CHECKS)(
    'are restored one by one, named apart, with their copies, at %s',
    async (event, { world }) => {
      const { repo, session } = await armCase(world, SETUP)

      const step = await checkStep({ world, repo, session, event }, () => repo.sh(ACT))

      await expectStandard(step, CHANGED)
      expect(repo.read('src/plain.js')).toBe('user\n')
      expect(step.answer.reason.split('\n')).not.toContain('line.js')
    },
  )

  test('that are not UTF-8 are restored and shown escaped', async ({ world }) => {
    const { repo, session } = await armIn(world, world.repo('odd-names'))
    const before = repo.snapshot()
    repo.sh(`printf 'fix\\n' >> "$(printf 'src/caf\\351.js')"`)

    const answer = await session.check('PostToolUse')

    expect(answer.reason).toContain(String.raw`"src/caf\xe9.js"`)
    expect(repo.snapshot()).toEqual(before)
  })
})
