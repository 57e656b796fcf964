import { describe, expect } from 'vitest'
import { armed, armIn } from '../../helpers/armed.ts'
import { checkStep, expectStandard } from '../../helpers/standard.ts'
import { test } from '../../helpers/world.ts'

describe('index entries go back to the baseline:', () => {
  test('a staged fix of a clean file', async ({ world }) => {
    const { repo, session } = await armed(world)

    const step = await checkStep({ world, repo, session, event: 'PostToolUse' }, () =>
      repo.sh('echo fix >> src/cart.js; chmod +x src/price.js; echo fix >> src/price.js; git add -A'),
    )

    expect(step.answer.decision).toBe('block')
    expect(step.after.index).toBe(step.before.index)
    expect(repo.git('fsck', '--no-dangling')).toBe('')
  })

  test('a staged fix over work that was only staged', async ({ world }) => {
    const { repo, session } = await armed(world, 'staged-only')

    const step = await checkStep({ world, repo, session, event: 'PostToolUse' }, () =>
      repo.sh('echo fix >> src/edited.js; echo fix >> src/new.js; git add -A'),
    )

    await expectStandard(step, ['src/edited.js', 'src/new.js'])
  })

  test('a staged fix over a partially staged file', async ({ world }) => {
    const { repo, session } = await armed(world, 'partially-staged')

    const step = await checkStep({ world, repo, session, event: 'PostToolUse' }, () =>
      repo.sh("sed -i '6s/.*/fix/' src/list.js; git add src/list.js"),
    )

    await expectStandard(step, ['src/list.js'])
  })

  test('staged text that is nowhere else, even when git has thrown its object away', async ({ world }) => {
    const { repo, session } = await armed(world, 'partially-staged')
    const staged = repo.git('rev-parse', ':src/kept.js')
    repo.sh('echo fix > src/kept.js; git add src/kept.js; git gc -q --prune=now')

    await session.check('PostToolUse')

    expect(repo.git('rev-parse', ':src/kept.js')).toBe(staged)
    expect(repo.git('cat-file', '-p', staged)).toBe('staged')
    expect(repo.read('src/kept.js')).toBe('base\n')
  })

  test('other entries keep what was staged since', async ({ world }) => {
    const { repo, session } = await armed(world)

    const step = await checkStep({ world, repo, session, event: 'PostToolUse' }, () =>
      repo.sh('echo new > src/new.js; echo more >> README.md; echo fix >> src/cart.js; git add -A'),
    )

    await expectStandard(step, ['src/cart.js'], ['src/new.js', 'README.md'])
  })

  for (const version of ['3', '4']) {
    test(`in an index of version ${version}`, async ({ world }) => {
      const repo = world.repo('plain')
      repo.sh(`echo later > later.js; git add -N later.js; git update-index --index-version ${version}`)
      const { session } = await armIn(world, repo)

      const step = await checkStep({ world, repo, session, event: 'PostToolUse' }, () =>
        repo.sh('echo fix >> src/cart.js; git add src/cart.js'),
      )

      await expectStandard(step, ['src/cart.js'])
    })
  }
})
