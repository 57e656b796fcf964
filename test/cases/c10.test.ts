import { describe, expect } from 'vitest'
import { armCase, CASE_CHECKS } from '../helpers/case.ts'
import { readWorkTree } from '../helpers/file-states.ts'
import type { Repo } from '../helpers/repo.ts'
import { test } from '../helpers/world.ts'

const SETUP = `
new_repo
printf 'base\\n' > src/a.js; printf 'b\\n' > src/b.js; save
git checkout -qb topic; printf 'topic\\n' > src/a.js; save t1; echo t2 >> src/b.js; save t2
git checkout -q main; printf 'main\\n' > src/a.js; save m1
git checkout -q topic; git rebase main >/dev/null 2>&1 || true
`

const rebaseOf = (repo: Repo): unknown => ({
  conflict: repo.read('src/a.js'),
  stages: repo.git('ls-files', '-u'),
  files: readWorkTree(repo.path('.git/rebase-merge')),
})

describe('C10: a rebase that stopped at a conflict', () => {
  test.for(CASE_CHECKS)(
    'stays as it is while a fix beside it is put back, at %s',
    async (event, { world }) => {
      const { repo, session } = await armCase(world, SETUP)
      const before = rebaseOf(repo)
      repo.sh('echo fix >> src/b.js')

      const answer = await session.check(event)

      expect(answer.reason).toContain('src/b.js')
      expect(repo.read('src/b.js')).toBe('b\n')
      expect(rebaseOf(repo)).toEqual(before)
    },
  )

  test('can be aborted after the check', async ({ world }) => {
    const { repo, session } = await armCase(world, SETUP)
    const topic = repo.git('rev-parse', 'topic')
    repo.sh('echo fix >> src/b.js')
    await session.check('PostToolUse')

    repo.git('rebase', '--abort')

    expect(repo.git('rev-parse', 'topic', 'HEAD')).toBe(`${topic}\n${topic}`)
    expect(repo.status()).toBe('')
  })

  test.for(CASE_CHECKS)(
    'and committed while detached gets its conflict back, and no ref moves, at %s',
    async (event, { world }) => {
      const { repo, session } = await armCase(world, SETUP)
      const [topic, before] = [repo.git('rev-parse', 'topic'), rebaseOf(repo)]
      repo.sh("printf 'resolved\\n' > src/a.js; git commit -qam fix --no-verify")
      const fix = repo.git('rev-parse', 'HEAD')

      const answer = await session.check(event)

      expect(repo.git('rev-parse', 'HEAD', 'topic')).toBe(`${fix}\n${topic}`)
      expect(answer.reason).toContain(fix)
      expect(answer.reason).toContain('rebase is in progress')
      expect(rebaseOf(repo)).toMatchObject({ conflict: (before as { conflict: string }).conflict })
      expect(repo.git('ls-files', '-u')).toBe((before as { stages: string }).stages)
    },
  )

  test('and aborted after such a commit leaves the next check silent', async ({ world }) => {
    const { repo, session } = await armCase(world, SETUP)
    repo.sh("printf 'resolved\\n' > src/a.js; git commit -qam fix --no-verify")
    await session.check('PostToolUse')
    repo.git('rebase', '--abort')

    const answer = await session.check('PostToolUse')

    expect(answer.stdout + answer.stderr).toBe('')
    expect(repo.status()).toBe('')
  })
})
