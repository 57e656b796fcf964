import { describe, expect } from 'vitest'
import { armCase, CASE_CHECKS } from '../helpers/case.ts'
import { checkStep, expectStandard } from '../helpers/standard.ts'
import { test } from '../helpers/world.ts'

const SETUP = String.raw`
new_repo
git config core.autocrlf false
printf 'one\r\ntwo\r\n' > src/a.js; printf 'x\r\n' > src/b.js; save
git config core.autocrlf true
printf 'one\r\ntwo\r\nuser line\r\n' > src/a.js
`

describe.each(CASE_CHECKS)('C01: CRLF in the repository and autocrlf turned on later, at %s,', (event) => {
  test('the user’s own edit and the clean file come back byte for byte', async ({ world }) => {
    const { repo, session } = await armCase(world, SETUP)

    const step = await checkStep({ world, repo, session, event }, () =>
      repo.sh(String.raw`sed -i 's/two/TWO/' src/a.js; printf 'y\r\n' > src/b.js`),
    )

    await expectStandard(step, ['src/a.js', 'src/b.js'])
    expect(repo.read('src/a.js')).toBe('one\r\ntwo\r\nuser line\r\n')
    expect(repo.read('src/b.js')).toBe('x\r\n')
    expect(repo.status()).toBe(' M src/a.js')
  })
})
