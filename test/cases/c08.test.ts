import { describe, expect } from 'vitest'
import { armCase, CASE_CHECKS } from '../helpers/case.ts'
import { test } from '../helpers/world.ts'

const SETUP = `
new_repo
printf 'a\\n' > src/a.js; printf 'b\\n' > src/b.js; printf '# doc\\n' > README.md; save
printf 'b user staged\\n' > src/b.js; git add src/b.js
`
const ACT = `
echo fix >> src/a.js; echo doc >> README.md; echo new > src/new.js
git add -A && git commit -qm 'fix everything'
`

describe('C08: a commit that swallowed what the user had staged', () => {
  test.for(CASE_CHECKS)('is undone, and nobody’s other work with it, at %s', async (event, { world }) => {
    const { repo, session } = await armCase(world, SETUP)
    const base = repo.git('rev-parse', 'HEAD')
    const entries = repo.git('ls-files', '-s', 'src/a.js', 'src/b.js')
    repo.sh(ACT)
    const commit = repo.git('rev-parse', 'HEAD')

    const answer = await session.check(event)

    expect(repo.git('rev-parse', 'main')).toBe(base)
    expect(repo.read('src/a.js')).toBe('a\n')
    expect(repo.git('ls-files', '-s', 'src/a.js', 'src/b.js')).toBe(entries)
    expect(repo.read('src/b.js')).toBe('b user staged\n')
    expect(repo.status()).toBe('M  README.md\nM  src/b.js\nA  src/new.js')
    expect(answer.reason).toContain(commit)
    expect(answer.reason).toMatch(/still staged: .*README\.md.*src\/new\.js/)
    expect(repo.git('show', '-s', '--format=%s', commit)).toBe('fix everything')
  })

  test('and the second check is silent', async ({ world }) => {
    const { repo, session } = await armCase(world, SETUP)
    repo.sh(ACT)
    await session.check('PostToolUse')
    const after = repo.snapshot()

    const answer = await session.check('PostToolUse')

    expect(answer.stdout).toBe('')
    expect(repo.snapshot()).toEqual(after)
  })
})
