import { describe, expect } from 'vitest'
import { armCase, CASE_CHECKS } from '../helpers/case.ts'
import { checkStep, expectStandard } from '../helpers/standard.ts'
import { test } from '../helpers/world.ts'

const SETUP = `
new_repo
git config filter.rot.clean  "tr a-z n-za-m"
git config filter.rot.smudge "tr a-z n-za-m"
git config filter.rot.required true
printf 'src/big.js filter=rot\\n' > .gitattributes
printf 'hello\\n' > src/big.js; printf 'k\\n' > src/k.js; save
`

describe.each(CASE_CHECKS)('C03: a file behind a filter driver, at %s,', (event) => {
  test('comes back in its filtered form', async ({ world }) => {
    const { repo, session } = await armCase(world, SETUP)

    const step = await checkStep({ world, repo, session, event }, () => repo.sh('echo world >> src/big.js'))

    await expectStandard(step, ['src/big.js'])
    expect(repo.read('src/big.js')).toBe('hello\n')
    expect(repo.status()).toBe('')
  })

  test('keeps its bytes when the driver fails, and the rest is restored', async ({ world }) => {
    const { repo, session } = await armCase(world, SETUP)
    repo.sh('git config filter.rot.smudge false; echo again >> src/big.js; echo more >> src/k.js')

    const answer = await session.check(event)

    expect(answer.reason).toContain('GATE_RESTORE_FAILED')
    expect(answer.reason).toContain('src/big.js')
    expect(answer.reason).toContain('src/k.js')
    expect(repo.read('src/big.js')).toBe('hello\nagain\n')
    expect(repo.read('src/k.js')).toBe('k\n')
  })

  test('is never left in its stored form, also when the driver is not required', async ({ world }) => {
    const { repo, session } = await armCase(world, SETUP)
    repo.sh(
      'git config filter.rot.smudge false; git config filter.rot.required false; echo again >> src/big.js',
    )

    const answer = await session.check(event)

    expect(answer.decision, answer.stderr).toBeDefined()
    expect(repo.read('src/big.js')).not.toBe('uryyb\n')
    if (repo.read('src/big.js') !== 'hello\n') expect(answer.reason).toContain('GATE_RESTORE_FAILED')
  })
})
