import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { describe, expect } from 'vitest'
import { armCase, CASE_CHECKS } from '../helpers/case.ts'
import { test } from '../helpers/world.ts'

const SETUP = "new_repo; printf 'a\\n' > src/a.js; printf 'b\\n' > src/b.js; save"
const ACT = 'echo fix >> src/a.js; git add src/a.js; echo fix >> src/b.js'

describe.each(CASE_CHECKS)("C14: somebody else's index.lock, at %s,", (event) => {
  test('stays, contents come back, and the block names the lock within the deadline', async ({ world }) => {
    const { repo, session } = await armCase(world, SETUP)
    repo.sh(ACT)
    writeFileSync(repo.path('.git/index.lock'), '')

    const answer = await session.check(event)

    expect(answer.ms).toBeLessThan(5_000)
    expect(answer.reason).toContain('index.lock')
    expect(answer.reason).toMatch(/GATE_RESTORE_FAILED|GATE_GIT/)
    expect([repo.read('src/a.js'), repo.read('src/b.js')]).toEqual(['a\n', 'b\n'])
    expect(existsSync(repo.path('.git/index.lock'))).toBe(true)
  })

  test('once gone lets the next check finish the job', async ({ world }) => {
    const { repo, session } = await armCase(world, SETUP)
    repo.sh(ACT)
    writeFileSync(repo.path('.git/index.lock'), '')
    await session.check(event)
    rmSync(repo.path('.git/index.lock'))

    await session.check('PostToolUse')

    expect(repo.status()).toBe('')
  })
})

test('C14: a check that only reads takes no lock', async ({ world }) => {
  const { repo, session } = await armCase(world, SETUP)
  writeFileSync(repo.path('.git/index.lock'), '')

  const answer = await session.check('PostToolUse')

  expect(answer.stdout).toBe('')
  expect(existsSync(repo.path('.git/index.lock'))).toBe(true)
})
