import { existsSync } from 'node:fs'
import { describe, expect } from 'vitest'
import { armed } from '../../helpers/armed.ts'
import { test } from '../../helpers/world.ts'

const BECAME_A_FOLDER =
  'rm src/cart.js; mkdir src/cart.js; echo notes > src/cart.js/keep.txt; echo fix >> src/price.js'

describe('a file that cannot be put back', () => {
  test('is GATE_RESTORE_FAILED with its fix, while the rest is restored', async ({ world }) => {
    const { repo, session } = await armed(world)
    repo.sh(BECAME_A_FOLDER)

    const answer = await session.check('PostToolUse')

    expect(answer.decision).toBe('block')
    expect(answer.reason).toContain('GATE_RESTORE_FAILED')
    expect(answer.reason).toContain('git diff HEAD --')
    expect(answer.reason).toMatch(/src\/cart\.js/)
    expect(repo.read('src/price.js')).toBe(repo.committed('src/price.js'))
    expect(repo.read('src/cart.js/keep.txt')).toBe('notes\n')
  })

  test('is counted as an error, so that report exits 3', async ({ world }) => {
    const { repo, session } = await armed(world)
    repo.sh(BECAME_A_FOLDER)
    const answer = await session.check('PostToolUse')

    const report = await world.program('gstack-skill-gates', 'report', '--session', session.id)

    expect(answer.markers).toContainEqual(
      expect.objectContaining({
        event: 'error',
        fields: expect.objectContaining({ code: 'GATE_RESTORE_FAILED' }),
      }),
    )
    expect(report.exitCode).toBe(3)
  })

  test('blocks once per content', async ({ world }) => {
    const { repo, session } = await armed(world)
    repo.sh(BECAME_A_FOLDER)
    await session.check('PostToolUse')

    const answers = [
      await session.check('PreToolUse'),
      await session.check('PostToolUse'),
      await session.stop(),
    ]

    expect(answers.map(({ decision }) => decision)).toEqual([undefined, undefined, undefined])
    expect(repo.read('src/cart.js/keep.txt')).toBe('notes\n')
  })

  test('comes back as soon as the way is free', async ({ world }) => {
    const { repo, session } = await armed(world)
    repo.sh(BECAME_A_FOLDER)
    await session.check('PostToolUse')
    repo.remove('src/cart.js')

    const answer = await session.check('PostToolUse')

    expect(answer.decision).toBe('block')
    expect(repo.status()).toBe('')
  })

  test('because its folder became a file leaves that file and the moved folder', async ({ world }) => {
    const { repo, session } = await armed(world)
    repo.sh('mv src/deep src/deep.old; echo data > src/deep')

    const answer = await session.check('PostToolUse')

    expect(answer.reason).toContain('GATE_RESTORE_FAILED')
    expect(answer.reason).toContain('src/deep/rate.js')
    expect(repo.read('src/deep')).toBe('data\n')
    expect(existsSync(repo.path('src/deep.old/rate.js'))).toBe(true)
  })

  test('because its filter fails keeps the bytes that it has, never the stored form', async ({ world }) => {
    const { repo, session } = await armed(world, 'filter-driver')
    repo.sh('git config filter.rot.smudge false; echo fix >> src/big.js')

    const answer = await session.check('PostToolUse')

    expect(answer.reason).toContain('GATE_RESTORE_FAILED')
    expect(repo.read('src/big.js')).toBe('hello\nfix\n')
  })
})
