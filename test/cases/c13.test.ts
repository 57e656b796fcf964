import { existsSync, readdirSync } from 'node:fs'
import { describe, expect } from 'vitest'
import { native } from '../../src/native/binding.ts'
import { armCase, CASE_CHECKS } from '../helpers/case.ts'
import type { Repo } from '../helpers/repo.ts'
import { checkStep, expectStandard } from '../helpers/standard.ts'
import { test } from '../helpers/world.ts'

const SPLIT = `
new_repo; mkdir docs_big; printf 'a\\n' > src/a.js; printf 'o\\n' > docs_big/o.js; save
git config core.splitIndex true; git update-index --split-index
`
const SPARSE = `
new_repo; for i in 1 2 3; do mkdir -p big/d$i; echo $i > big/d$i/f.js; done; printf 'a\\n' > src/a.js; save
git sparse-checkout set --cone --sparse-index src
`
const ACT = 'echo fix >> src/a.js; git add src/a.js'

const extensionsOf = (repo: Repo): readonly string[] =>
  native().parseIndex(repo.bytes('.git/index')).extensions

const sharedIndexesOf = (repo: Repo): string[] =>
  readdirSync(repo.path('.git')).filter((name) => name.startsWith('sharedindex.'))

describe('C13: a split index', () => {
  test.for(CASE_CHECKS)('is guarded and stays split, at %s', async (event, { world }) => {
    const { repo, session } = await armCase(world, SPLIT)
    const shared = sharedIndexesOf(repo)

    await expectStandard(await checkStep({ world, repo, session, event }, () => repo.sh(ACT)), ['src/a.js'])

    expect(extensionsOf(repo)).toContain('link')
    expect(sharedIndexesOf(repo)).toEqual(expect.arrayContaining(shared))
    expect(repo.git('fsck', '--no-dangling')).toBe('')
  })
})

describe('C13: a sparse index with a configuration of its own work tree', () => {
  test.for(CASE_CHECKS)('is guarded and not expanded, at %s', async (event, { world }) => {
    const { repo, session } = await armCase(world, SPARSE)

    await expectStandard(await checkStep({ world, repo, session, event }, () => repo.sh(ACT)), ['src/a.js'])

    expect(extensionsOf(repo)).toContain('sdir')
    expect(repo.git('ls-files', '--sparse')).toBe('big/\nsrc/a.js')
    expect(existsSync(repo.path('big'))).toBe(false)
    expect(repo.git('fsck', '--no-dangling')).toBe('')
  })
})

test.for([
  ['split', SPLIT],
  ['sparse', SPARSE],
] as const)('C13: plain git goes on with a %s index', async ([, setup], { world }) => {
  const { repo, session } = await armCase(world, setup)
  repo.sh(ACT)
  await session.check('PostToolUse')

  repo.sh('echo more >> src/a.js; git add src/a.js; git commit -qm more; git update-index --refresh')

  expect(repo.status()).toBe('')
})
