import { existsSync } from 'node:fs'
import { describe, expect } from 'vitest'
import { armed } from '../../helpers/armed.ts'
import { test } from '../../helpers/world.ts'
import { BASE, expectHeld, guard, indexFile, STAGED_FIX, type Guarded } from './guarded.ts'

const SHAPES = ['sparse-cone', 'sparse-index', 'sparse-patterns'] as const

async function expectFolded({ repo, session }: Guarded, act: string): Promise<void> {
  repo.sh(act)
  const acted = repo.snapshot()
  const answer = await session.check('PostToolUse')
  expect(answer.stdout + answer.stderr).toBe('')
  expect(repo.snapshot()).toEqual(acted)
}

describe.for(SHAPES)('a tree of shape %s', (shape) => {
  test('is guarded inside, and nothing outside is made', async ({ world }) => {
    const guarded = { world, ...(await armed(world, shape)) }

    await expectHeld(guarded, STAGED_FIX)

    expect(existsSync(guarded.repo.path('big'))).toBe(false)
    expect(indexFile(guarded.repo).extensions.includes('sdir')).toBe(shape === 'sparse-index')
    expect(
      guarded.repo
        .git('ls-files', '-t')
        .split('\n')
        .filter((line) => line.startsWith('S ')),
    ).toHaveLength(3)
  })

  test('has a file outside put back to nothing when the agent writes it', async ({ world }) => {
    const guarded = { world, ...(await armed(world, shape)) }

    await expectHeld(
      guarded,
      'mkdir -p big/d1; echo fix > big/d1/f.js; git update-index --no-skip-worktree big/d1/f.js; git add --sparse big/d1/f.js',
      ['big/d1/f.js'],
    )

    expect(guarded.repo.git('ls-files', '-t', 'big/d1/f.js')).toBe('S big/d1/f.js')
  })

  test('that takes in more, or less, is folded', async ({ world }) => {
    const guarded = { world, ...(await armed(world, shape)) }
    const [more, other] = shape === 'sparse-patterns' ? ['/big/d1/', '/big/d2/'] : ['big/d1', 'big/d2']

    await expectFolded(guarded, `git sparse-checkout add ${more}`)
    await expectHeld(guarded, 'echo fix >> big/d1/f.js', ['big/d1/f.js'])
    await expectFolded(guarded, `git sparse-checkout set ${other}`)
    expect(guarded.repo.git('ls-files', '-t', 'src/a.js')).toBe('S src/a.js')
    await expectFolded(guarded, 'git sparse-checkout disable')
    await expectHeld(guarded, STAGED_FIX)
  })
})

test('a file that the agent hides with skip-worktree and deletes is put back: no pattern leaves it out', async ({
  world,
}) => {
  const guarded = { world, ...(await armed(world, 'sparse-cone')) }

  await expectHeld(guarded, 'git update-index --skip-worktree src/a.js; rm src/a.js')
})

test('patterns that are no longer in force leave nothing out', async ({ world }) => {
  const guarded = await guard(
    world,
    `${BASE}; mkdir big; echo 1 > big/f.js; save big; git sparse-checkout set --cone src; git sparse-checkout disable`,
  )

  await expectHeld(guarded, 'git update-index --skip-worktree big/f.js; rm big/f.js', ['big/f.js'])
})

test('a sparse index that the agent expands is guarded and stays expanded', async ({ world }) => {
  const guarded = { world, ...(await armed(world, 'sparse-index')) }

  await expectHeld(guarded, `git sparse-checkout set --cone --no-sparse-index src; ${STAGED_FIX}`)

  expect(indexFile(guarded.repo).extensions).not.toContain('sdir')
})
