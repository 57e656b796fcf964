import { describe, expect } from 'vitest'
import { armed, armIn } from '../../helpers/armed.ts'
import { checkStep, expectStandard } from '../../helpers/standard.ts'
import { test } from '../../helpers/world.ts'

const OTHER_EXCLUDED = [
  'tests/a.js',
  'spec/a.js',
  '__tests__/a.js',
  'cypress/a.js',
  'e2e/a.js',
  'fixtures/a.js',
  'packages/a/fixtures/deep/x.js',
  'src/a.test.js',
  'src/a.spec.ts',
  'src/a_test.go',
  'src/a_spec.rb',
  'docs/a.mdx',
  'a.rst',
  'a.adoc',
  'bun.lock',
  'yarn.lock',
  'sub/pnpm-lock.yaml',
  'Cargo.lock',
  'go.sum',
  'uv.lock',
  'poetry.lock',
  'Gemfile.lock',
]
const GATED = [
  'packages/a/test/x.js',
  'src/__tests__/x.js',
  'src/contest/x.js',
  'src/readme.js',
  'src/lock.js',
  'Makefile',
]

describe('a change of an excluded file is observed, never reverted:', () => {
  const files = [
    'test/cart.test.js',
    'src/fixtures/cart.json',
    'README.md',
    'docs/prices.txt',
    'package-lock.json',
  ]
  for (const file of files) {
    test(file, async ({ world }) => {
      const { repo, session } = await armed(world)
      repo.append(file, 'more\n')
      const acted = repo.snapshot()

      const answer = await session.check('PostToolUse')

      expect(answer.decision).toBeUndefined()
      expect(repo.snapshot()).toEqual(acted)
      expect(world.log().at(-1)).toContain(`session=${session.id} event=observed skill=investigate files=1`)
    })
  }

  test('every other kind, in one step', async ({ world }) => {
    const repo = world.repo('plain')
    for (const file of OTHER_EXCLUDED) repo.write(file, 'text\n')
    repo.sh('git add -A; git commit -qm more')
    const { session } = await armIn(world, repo)
    for (const file of OTHER_EXCLUDED) repo.append(file, 'more\n')

    const answer = await session.check('PostToolUse')

    expect(answer.decision, answer.reason).toBeUndefined()
    expect(world.log().at(-1)).toContain(
      `event=observed skill=investigate files=${String(OTHER_EXCLUDED.length)}`,
    )
  })

  test('generated paths and tracked links', async ({ world }) => {
    const { repo, session } = await armed(world, 'generated-attrs')
    repo.sh('echo x >> gen/api.js; echo x >> src/made.js')

    const answer = await session.check('PostToolUse')

    expect(answer.decision).toBeUndefined()
    expect(world.log().at(-1)).toContain('event=observed skill=investigate files=2')
  })

  test('a tracked link that points elsewhere now', async ({ world }) => {
    const { repo, session } = await armed(world, 'symlinks')
    repo.sh('ln -sfn part.js src/link.js; ln -sfn ../lib alias')

    const answer = await session.check('PostToolUse')

    expect(answer.decision).toBeUndefined()
  })
})

test('each changed content of an excluded file is observed once', async ({ world }) => {
  const { repo, session } = await armed(world)
  const observed = () => world.log().filter((line) => line.includes('event=observed')).length
  repo.append('README.md', 'more\n')
  await session.check('PostToolUse')
  await session.check('PostToolUse')
  expect(observed()).toBe(1)

  repo.append('README.md', 'even more\n')
  await session.check('PostToolUse')

  expect(observed()).toBe(2)
})

describe('no exclusion:', () => {
  test('names that only look like one', async ({ world }) => {
    const repo = world.repo('plain')
    for (const file of GATED) repo.write(file, 'text\n')
    repo.sh('git add -A; git commit -qm more')
    const { session } = await armIn(world, repo)

    const step = await checkStep({ world, repo, session, event: 'PostToolUse' }, () => {
      for (const file of GATED) repo.append(file, 'more\n')
    })

    await expectStandard(step, GATED)
  })

  test('a path that its attributes take out of the generated ones, or that only claims to be', async ({
    world,
  }) => {
    const { repo, session } = await armed(world, 'generated-attrs')

    const step = await checkStep({ world, repo, session, event: 'PostToolUse' }, () =>
      repo.sh('echo x >> gen/by-hand.js; echo x >> src/claims.js'),
    )

    await expectStandard(step, ['gen/by-hand.js', 'src/claims.js'])
  })

  for (const file of ['src/.gitattributes', '.git/info/attributes']) {
    test(`an attribute that was written to ${file} after the gate armed`, async ({ world }) => {
      const { repo, session } = await armed(world)

      repo.sh(`mkdir -p .git/info; echo '*.js linguist-generated' > ${file}; echo fix >> src/cart.js`)
      const answer = await session.check('PostToolUse')

      expect(answer.decision).toBe('block')
      expect(repo.read('src/cart.js')).toBe(repo.committed('src/cart.js'))
    })
  }

  test('a file that was made a link', async ({ world }) => {
    const { repo, session } = await armed(world)

    const step = await checkStep({ world, repo, session, event: 'PostToolUse' }, () =>
      repo.sh('rm src/price.js; ln -s cart.js src/price.js'),
    )

    await expectStandard(step, ['src/price.js'])
  })
})

test('a block names the gated file, not the excluded one that changed with it', async ({ world }) => {
  const { repo, session } = await armed(world)

  const step = await checkStep({ world, repo, session, event: 'PostToolUse' }, () =>
    repo.sh('echo x >> README.md; echo x >> src/cart.js'),
  )

  await expectStandard(step, ['src/cart.js'], ['README.md'])
})
