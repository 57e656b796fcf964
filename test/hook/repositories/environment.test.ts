import { describe, expect } from 'vitest'
import { openRepo, type Repo } from '../../helpers/repo.ts'
import { test, type World } from '../../helpers/world.ts'
import { BASE, expectHeld, guard, STAGED_FIX } from './guarded.ts'

/** What a script of the user's, a git hook or an alias may have left in the environment: another repository. */
function pointElsewhere(world: World, other: Repo): void {
  Object.assign(world.env, {
    GIT_DIR: other.path('.git'),
    GIT_WORK_TREE: other.folder,
    GIT_INDEX_FILE: other.path('.git/index'),
    GIT_OBJECT_DIRECTORY: other.path('.git/objects'),
    GIT_COMMON_DIR: other.path('.git'),
    GIT_NAMESPACE: 'elsewhere',
    GIT_CEILING_DIRECTORIES: world.folder,
    GIT_PREFIX: 'src/',
    GIT_ATTR_SOURCE: 'HEAD',
    GIT_LITERAL_PATHSPECS: '1',
  })
}

describe('an environment that names another repository changes nothing:', () => {
  test.for([
    ['the payload decides', BASE],
    [
      'nor where git itself is asked about a split index',
      `${BASE}; git config core.splitIndex true; git update-index --split-index`,
    ],
    [
      'nor where git itself runs a filter',
      `${BASE}; git config filter.up.clean 'tr A-Z a-z'; git config filter.up.smudge 'tr a-z A-Z'; echo '*.js filter=up' > .gitattributes; save filter; rm src/*; git checkout -q .`,
    ],
  ] as const)('%s', async ([, setup], { world }) => {
    const repo = await world.shellRepo(setup)
    const elsewhere = openRepo((await world.shellRepo(`${BASE}; echo other > src/a.js`)).folder)
    const before = elsewhere.snapshot()
    pointElsewhere(world, elsewhere)
    const session = world.session({ cwd: repo.folder }).prompts('The total is wrong.').loads('investigate')
    const fired = await session.arm()
    expect(fired.markers).toMatchObject([{ event: 'fired', fields: { root: repo.name } }])

    await expectHeld({ world, repo, session }, STAGED_FIX)

    repo.sh(`${STAGED_FIX}; git commit -qm fix`)
    expect((await session.check('PostToolUse')).decision).toBe('block')
    expect(repo.status()).toBe('')
    expect(elsewhere.snapshot()).toEqual(before)
  })
})

describe('a session below the top of the tree', () => {
  test('is guarded as a whole', async ({ world }) => {
    const guarded = await guard(world, `${BASE}; mkdir -p deep/er; echo d > deep/er/d.js; save`)
    guarded.session.cwd = guarded.repo.path('deep/er')

    await expectHeld(guarded, STAGED_FIX)
  })

  test('arms there, and judges edits by paths as the session names them', async ({ world }) => {
    const repo = await world.shellRepo(`${BASE}; mkdir -p deep/er; echo d > deep/er/d.js; save`)
    const session = world.session({ cwd: repo.path('deep/er') }).loads('investigate')
    await session.arm()

    const named = await session.edit('../../src/a.js', 'fix\n')
    repo.append('src/b.js', 'fix\n')
    const answer = await session.check('PostToolUse')

    expect(named.decision).toBe('deny')
    expect(named.reason).toContain('src/a.js')
    expect(answer.reason).toContain('src/b.js')
  })

  test('in a folder that the agent deletes goes on', async ({ world }) => {
    const guarded = await guard(world, `${BASE}; mkdir -p deep/er; echo d > deep/er/d.md; save`)
    guarded.session.cwd = guarded.repo.path('deep/er')
    guarded.repo.sh('rm -r deep; echo fix >> src/a.js')

    const answer = await guarded.session.hook('PostToolUse', { command: ':', run: { cwd: world.home } })

    expect(answer.reason).toContain('src/a.js')
  })

  test('that came there by a link arms the tree that the link leads to', async ({ world }) => {
    const repo = await world.shellRepo(`${BASE}; ln -s "$PWD/src" ../link`)
    const session = world.session({ cwd: repo.path('../link') }).loads('investigate')
    await session.arm()
    repo.append('src/a.js', 'fix\n')

    const answer = await session.check('PostToolUse')

    expect(answer.reason).toContain('src/a.js')
    expect(repo.status()).toBe('')
  })
})
