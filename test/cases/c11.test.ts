import { describe, expect } from 'vitest'
import { armCase, CASE_CHECKS } from '../helpers/case.ts'
import { copiesIn } from '../helpers/standard.ts'
import { test } from '../helpers/world.ts'

const SETUP = `
new_repo
printf 'a\\n' > src/a.js; printf 'b\\n' > src/b.js; printf 'c\\n' > src/c.js; printf '# d\\n' > README.md; save
git checkout -qb other; printf 'c on other\\n' > src/c.js; save other; git checkout -q main
printf 'a user wip\\n' > src/a.js; git stash push -q -m 'user wip'
`
const OLD_ENTRY = "echo x >> README.md; git stash push -q README.md; git stash pop -q 'stash@{1}'"
const NEW_ENTRY = 'echo fix >> src/b.js; git stash push -q src/b.js; git stash pop -q'

describe('C11: stash entries that change place', () => {
  test.for(CASE_CHECKS)('content of the old entry is folded, at %s', async (event, { world }) => {
    const { repo, session } = await armCase(world, SETUP)
    repo.sh(OLD_ENTRY)
    const acted = repo.snapshot()

    const answer = await session.check(event)

    expect(answer.decision).toBeUndefined()
    expect(repo.snapshot()).toEqual(acted)
  })

  test.for(CASE_CHECKS)(
    'content of a new entry is put back, with a copy, at %s',
    async (event, { world }) => {
      const { repo, session } = await armCase(world, SETUP)
      repo.sh(OLD_ENTRY)
      await session.check('PostToolUse')
      const stashes = repo.git('stash', 'list')
      repo.sh(NEW_ENTRY)

      const answer = await session.check(event)

      const copies = await world.run('cat', copiesIn(answer.reason, session))
      expect(copies.stdout).toBe('b\nfix\n')
      expect(repo.read('src/b.js')).toBe('b\n')
      expect(repo.read('src/a.js')).toBe('a user wip\n')
      expect(repo.git('stash', 'list')).toBe(stashes)
    },
  )

  test.for(CASE_CHECKS)('a switched branch is folded, at %s', async (event, { world }) => {
    const { repo, session } = await armCase(world, SETUP)
    repo.sh(OLD_ENTRY)
    await session.check('PostToolUse')
    repo.sh('git checkout -q other')
    const acted = repo.snapshot()

    const answer = await session.check(event)

    expect(answer.decision).toBeUndefined()
    expect(repo.snapshot()).toEqual(acted)
    expect(repo.read('src/c.js')).toBe('c on other\n')
  })

  test('all of it at once blocks for the new entry alone', async ({ world }) => {
    const { repo, session } = await armCase(world, SETUP)
    repo.sh(`${OLD_ENTRY}; ${NEW_ENTRY}; git checkout -q other`)

    const answer = await session.check('PostToolUse')

    expect(answer.reason).toContain('src/b.js')
    expect(answer.reason).not.toMatch(/src\/[ac]\.js/)
    expect([repo.read('src/a.js'), repo.read('src/b.js'), repo.read('src/c.js')]).toEqual([
      'a user wip\n',
      'b\n',
      'c on other\n',
    ])
  })
})
