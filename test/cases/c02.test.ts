import { describe, expect } from 'vitest'
import { armCase, CASE_CHECKS } from '../helpers/case.ts'
import { checkStep, expectStandard } from '../helpers/standard.ts'
import { test } from '../helpers/world.ts'

const SETUP = String.raw`
new_repo
printf '* text=auto\n' > .gitattributes; printf 'one\ntwo\n' > src/a.js; printf 'k\n' > src/k.js; save
`

describe.each(CASE_CHECKS)('C02: line endings alone, at %s,', (event) => {
  test('are no fix write, and a real edit later is named alone', async ({ world }) => {
    const { repo, session } = await armCase(world, SETUP)
    repo.sh(String.raw`sed -i 's/$/\r/' src/a.js`)
    const acted = repo.snapshot()

    const first = await session.check(event)

    expect(first.stdout).toBe('')
    expect(repo.snapshot()).toEqual(acted)
    const step = await checkStep({ world, repo, session, event }, () => repo.sh('echo fix >> src/k.js'))
    await expectStandard(step, ['src/k.js'])
  })
})
