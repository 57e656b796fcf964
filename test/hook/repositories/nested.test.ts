import { describe, expect } from 'vitest'
import { openRepo, type Repo } from '../../helpers/repo.ts'
import { test, type World } from '../../helpers/world.ts'
import { BASE, expectHeld, guard, STAGED_FIX } from './guarded.ts'

const SUBMODULE = `${BASE}; git init -q -b main ../lib
(cd ../lib; git config user.name D; git config user.email d@example.invalid; echo lib > lib.c; git add .; git commit -qm lib)
git -c protocol.file.allow=always submodule --quiet add ../lib dep; save dep
git -C dep config user.name D; git -C dep config user.email d@example.invalid`
const NESTED = `git init -q -b main vendor/tool; (cd vendor/tool; git config user.name D; git config user.email d@example.invalid; mkdir src; echo t > src/t.js; git add .; git commit -qm t)`

const load = (world: World, cwd: string) =>
  world.session({ cwd }).prompts('It is wrong.').loads('investigate')

const treeBelow = (repo: Repo, folder: string): Repo => openRepo(repo.path(folder))

describe('a submodule', () => {
  test('stays out of the gate of the tree above it', async ({ world }) => {
    const { repo, session } = await guard(world, SUBMODULE)
    repo.sh('echo fix >> dep/lib.c; cd dep; git commit -qam fix; echo more >> lib.c')
    session.cwd = repo.path('dep')

    const answer = await session.check('PostToolUse')
    const edit = await session.edit(repo.path('dep/lib.c'), 'fixed\n')

    expect(answer.decision).toBeUndefined()
    expect(edit.decision).toBeUndefined()
    expect(repo.read('dep/lib.c')).toBe('fixed\n')
  })

  test('that moved does not keep the files around it from going back', async ({ world }) => {
    const guarded = await guard(world, SUBMODULE)
    guarded.repo.sh('echo fix >> dep/lib.c; git -C dep commit -qam fix; git add dep')

    await guarded.session.check('PostToolUse')
    await expectHeld(guarded, STAGED_FIX)

    expect(guarded.repo.status()).toBe('M  dep')
  })

  test('is guarded as a tree of its own when the session arms in it', async ({ world }) => {
    const above = await world.shellRepo(SUBMODULE)
    const repo = treeBelow(above, 'dep')
    const session = load(world, repo.folder)
    await session.arm()

    await expectHeld({ world, repo, session }, 'echo fix >> lib.c; git add lib.c', ['lib.c'])

    const tip = repo.git('rev-parse', 'HEAD')
    repo.sh('echo fix >> lib.c; git commit -qam fix')
    expect((await session.check('PostToolUse')).decision).toBe('block')
    expect(repo.git('rev-parse', 'HEAD')).toBe(tip)
    expect(above.status()).toBe('')
  })

  test('that is not checked out is no difference', async ({ world }) => {
    const guarded = await guard(world, `${SUBMODULE}; git submodule --quiet deinit -f dep`)

    expect((await guarded.session.check('PostToolUse')).stdout).toBe('')
    await expectHeld(guarded, STAGED_FIX)
  })
})

describe('a nested repository', () => {
  test.for([
    ['with a commit', NESTED],
    ['without a commit', 'git init -q vendor/tool; mkdir vendor/tool/src; echo t > vendor/tool/src/t.js'],
    [
      'with a commit, added as a link',
      `${NESTED}; git -c advice.addEmbeddedRepo=false add vendor/tool; git commit -qm link`,
    ],
  ] as const)('%s is left alone', async ([, nested], { world }) => {
    const { repo, session } = await guard(world, `${BASE}; ${nested}`)
    repo.sh('echo fix >> vendor/tool/src/t.js')
    const acted = repo.snapshot()

    const answer = await session.check('PostToolUse')

    expect(answer.stdout + answer.stderr).toBe('')
    expect(repo.snapshot()).toEqual(acted)
    await expectHeld({ world, repo, session }, STAGED_FIX)
  })

  test.for(['vendor/tool', 'modules/tool'])(
    'in %s is guarded from the moment when the session comes there',
    async (folder, { world }) => {
      const { repo: above, session } = await guard(
        world,
        `${BASE}; ${NESTED.replaceAll('vendor/tool', folder)}`,
      )
      const repo = treeBelow(above, folder)
      session.cwd = repo.folder
      await session.check('PreToolUse')

      await expectHeld({ world, repo, session }, 'echo fix >> src/t.js; git add src/t.js', ['src/t.js'])

      session.cwd = above.folder
      await expectHeld({ world, repo: above, session }, STAGED_FIX)
    },
  )

  test('that the agent makes around tracked files hides nothing', async ({ world }) => {
    const { repo, session } = await guard(world, BASE)
    repo.sh('git init -q src; echo fix >> src/a.js')

    const answer = await session.check('PostToolUse')

    expect(answer.reason).toContain('src/a.js')
    expect(repo.read('src/a.js')).toBe('a\n')
  })

  test('with no commit, where the session comes to, is told as skipped', async ({ world }) => {
    const { repo, session } = await guard(world, `${BASE}; git init -q vendor/tool`)
    session.cwd = repo.path('vendor/tool')

    const answer = await session.check('PreToolUse')

    expect(answer.decision).toBeUndefined()
    expect(
      world.log().filter((line) => line.includes('event=skipped') && line.includes('reason=no-head')),
    ).toHaveLength(1)
    repo.append('src/a.js', 'fix\n')
    expect((await session.check('PostToolUse')).decision).toBe('block')
  })
})
