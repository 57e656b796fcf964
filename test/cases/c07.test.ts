import { describe, expect } from 'vitest'
import { armCase, CASE_CHECKS } from '../helpers/case.ts'
import { checkStep, expectStandard } from '../helpers/standard.ts'
import { test } from '../helpers/world.ts'

const SETUP = `
new_repo
seq 1 12 > src/a.js; printf 'b\\n' > src/b.js; save
sed -i '1s/.*/one staged/' src/a.js; git add src/a.js
sed -i '12s/.*/twelve unstaged/' src/a.js
`
const ACT = "sed -i '6s/.*/agent fix/' src/a.js && git add src/a.js; echo fix >> src/b.js"

describe('C07: a partially staged file', () => {
  test.for(CASE_CHECKS)('keeps both changes of the user apart, at %s', async (event, { world }) => {
    const { repo, session } = await armCase(world, SETUP)
    const diffs = () => [repo.git('diff', '--cached'), repo.git('diff')]
    const before = diffs()

    const step = await checkStep({ world, repo, session, event }, () => repo.sh(ACT))

    await expectStandard(step, ['src/a.js', 'src/b.js'])
    expect(diffs()).toEqual(before)
    expect(repo.status()).toBe('MM src/a.js')
  })

  test.for([90, 130, 170, 210, 250, 300])(
    'is never half staged when the hook is killed after %i ms',
    async (killAfterMs, { world }) => {
      const { repo, session } = await armCase(world, SETUP)
      const before = repo.snapshot()
      repo.sh(ACT)

      await session.hook('PostToolUse', { run: { killAfterMs } })
      await session.check('PreToolUse')

      expect(repo.snapshot()).toEqual(before)
    },
  )
})
