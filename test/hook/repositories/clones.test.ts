import { existsSync } from 'node:fs'
import { describe, expect } from 'vitest'
import { openRepo, type Repo } from '../../helpers/repo.ts'
import { test, type World } from '../../helpers/world.ts'
import { BASE, expectHeld, STAGED_FIX, type Guarded } from './guarded.ts'

/** Three commits; then a clone of it, whose upstream leaves a mark when it is asked for anything more. */
const clone = (options: string, more: string) => `${BASE}; mkdir -p lib/deep; echo 1 > lib/deep/l.js; save one
echo old > src/a.js; save two; echo a > src/a.js; save three
git config uploadpack.allowFilter true; git config uploadpack.allowAnySHA1InWant true
git clone -q ${options} "file://$PWD" ../clone; cd ../clone
git config user.name Dev; git config user.email dev@example.invalid
${more}
printf '#!/bin/sh\n[ -z "$BY_AGENT" ] || exec git-upload-pack "$@"\n: > "%s"\nexit 1\n' "$PWD/../asked" > ../upload-pack; chmod +x ../upload-pack
git config remote.origin.uploadpack "$PWD/../upload-pack"`

interface Cloned extends Guarded {
  /** Whether the hooks have asked the remote for anything. */
  readonly asked: () => boolean
}

async function armClone(world: World, options: string, more = ''): Promise<Cloned> {
  const source = await world.shellRepo(clone(options, more))
  const repo = openRepo(source.path('../clone'))
  const session = world.session({ cwd: repo.folder }).prompts('It is wrong.').loads('investigate')
  const fired = await session.arm()
  expect(fired.markers, fired.stderr).toMatchObject([{ event: 'fired' }])
  return { world, repo, session, asked: () => existsSync(source.path('../asked')) }
}

const tipOf = (repo: Repo): string => repo.git('rev-parse', 'HEAD')

const KINDS = [
  ['shallow', '--depth=1'],
  ['without old blobs', '--filter=blob:none'],
  ['without old trees', '--filter=tree:0'],
] as const

describe.for(KINDS)('a clone %s', ([, options]) => {
  test('is guarded, and its commits are undone, without a word to the remote', async ({ world }) => {
    const guarded = await armClone(world, options)
    const { repo, session, asked } = guarded
    const tip = tipOf(repo)

    await step(guarded, STAGED_FIX)
    // As old as the commit below it, so that it could be a copy of that one.
    repo.sh(`${STAGED_FIX}; git commit -qm fix --date="$(git log -1 --format=%aI)"; rm lib/deep/l.js`)
    const answer = await session.check('PostToolUse')

    expect(answer.decision, answer.stderr).toBe('block')
    expect(tipOf(repo)).toBe(tip)
    expect(repo.status()).toBe('')
    expect(asked()).toBe(false)
  })

  test('is not asked to fetch by a filter or a split index either', async ({ world }) => {
    const guarded = await armClone(
      world,
      options,
      `git config filter.up.clean 'tr A-Z a-z'; git config filter.up.smudge 'tr a-z A-Z'; echo '*.js filter=up' > .gitattributes; git add .; git commit -qm filter; rm src/*; git checkout -q .; git config core.splitIndex true; git update-index --split-index`,
    )

    await step(guarded, STAGED_FIX)

    expect(guarded.asked()).toBe(false)
  })
})

/** As `expectHeld`, but for `git fsck`, which finds the holes of such a clone. */
async function step({ repo, session }: Guarded, act: string): Promise<void> {
  const before = repo.snapshot()
  repo.sh(act)
  const answer = await session.check('PostToolUse')
  expect(answer.decision, answer.stderr).toBe('block')
  expect(answer.reason).toContain('src/a.js')
  expect(repo.snapshot()).toEqual(before)
}

test.for(KINDS.slice(1))(
  'content that git fetched for a clone %s is as old as its commit',
  async ([, options], { world }) => {
    const { repo, session, asked } = await armClone(world, options)
    repo.sh('BY_AGENT=1 git checkout -q HEAD~1 -- src/a.js')

    const answer = await session.check('PostToolUse')

    expect(answer.stdout + answer.stderr).toBe('')
    expect(repo.read('src/a.js')).toBe('old\n')
    expect(asked()).toBe(false)
  },
)

test('a file whose blob is not here goes away again where a sparse checkout leaves it out', async ({
  world,
}) => {
  const { repo, session, asked } = await armClone(
    world,
    '--filter=blob:none --no-checkout',
    'git sparse-checkout set --cone lib; git checkout -q main',
  )
  repo.sh('mkdir -p src; echo fix > src/a.js')

  const answer = await session.check('PostToolUse')

  expect(answer.reason).toContain('src/a.js')
  expect(existsSync(repo.path('src/a.js'))).toBe(false)
  expect(asked()).toBe(false)
})

describe('a repository with the objects of another', () => {
  test.for([
    ['by --shared', 'git clone -q --shared . ../clone'],
    ['by --reference', 'git clone -q --reference . "file://$PWD" ../clone'],
    [
      'by a relative path',
      'git clone -q --shared . ../clone; echo ../../../project/.git/objects > ../clone/.git/objects/info/alternates',
    ],
  ] as const)('%s is guarded', async ([, script], { world }) => {
    const source = await world.shellRepo(
      `${BASE}; echo old > src/a.js; save old; echo a > src/a.js; save new; ${script}; cd ../clone; git config user.name D; git config user.email d@example.invalid`,
    )
    const repo = openRepo(source.path('../clone'))
    const session = world.session({ cwd: repo.folder }).loads('investigate')
    await session.arm()

    await expectHeld({ world, repo, session }, STAGED_FIX)

    repo.sh('git checkout -q HEAD~1 -- src/a.js')
    const folded = await session.check('PostToolUse')
    expect(folded.stdout + folded.stderr).toBe('')
  })
})
