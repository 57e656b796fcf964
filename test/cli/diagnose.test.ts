import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect } from 'vitest'
import { armIn, CAUSE, type Armed } from '../helpers/armed.ts'
import { everythingIn } from '../helpers/untouched.ts'
import { diagnose, diagnosis } from '../helpers/diagnosis.ts'
import { test, type World } from '../helpers/world.ts'

const inShape = (world: World, shape: string, setup = ''): Promise<Armed> => {
  const repo = world.repo(shape)
  if (setup !== '') repo.sh(`export GIT_EDITOR=true\n${setup}`)
  return armIn(world, repo)
}

const FIX = "sed -i '7s/.*/fix/' src/a.js"

test('a check that has put everything back leaves nothing to announce', async ({ world }) => {
  const armed = await inShape(world, 'history')
  armed.repo.sh(`${FIX}; git commit -qam fix`)
  await armed.session.check('PostToolUse')

  const told = await diagnosis(world, armed)

  expect(told).toMatchObject({ exitCode: 0, would_change: false, session: armed.session.id })
  expect(told.roots[0]?.paths).toEqual([])
})

test('a fold names the commit, stash entry or merge that it rests on', async ({ world }) => {
  const armed = await inShape(world, 'history', `${FIX}; git stash -q`)
  const stash = armed.repo.git('rev-parse', 'stash@{0}')
  armed.repo.sh('git stash pop -q')

  const [root] = (await diagnosis(world, armed)).roots

  expect(root?.paths[0]).toMatchObject({ verdict: 'fold', because: 'old-commit', commit: stash })
  expect(root?.stash).toEqual({ gone: [stash], gained: [] })
  expect((await diagnose(world, armed)).stdout).toContain(
    `stash entry ${stash} (stash@{0} when the gate armed)`,
  )
})

test('raw copies of what was folded away are named, also once a check has folded it', async ({ world }) => {
  const armed = await inShape(world, 'history', FIX)
  const dirty = armed.repo.read('src/a.js')
  armed.repo.sh('git checkout -q -- src/a.js')
  await armed.session.check('PostToolUse')

  const [root] = (await diagnosis(world, armed)).roots

  const copies = root?.folded_before.find(({ path }) => path === 'src/a.js')?.copies ?? []
  expect(copies.map((copy) => readFileSync(copy, 'utf8'))).toEqual([dirty])
})

test('kept copies of an earlier put-back stand with a path that changed again', async ({ world }) => {
  const armed = await inShape(world, 'history')
  armed.repo.sh(FIX)
  await armed.session.check('PostToolUse')
  armed.repo.sh(FIX)

  const [root] = (await diagnosis(world, armed)).roots

  expect(root?.paths[0]?.kept.filter((copy) => existsSync(copy))).toHaveLength(1)
})

test('an excluded file that a check has counted is still shown as observed', async ({ world }) => {
  const armed = await inShape(world, 'plain')
  armed.repo.append('README.md', 'more\n')
  await armed.session.check('PostToolUse')

  const [root] = (await diagnosis(world, armed)).roots

  expect(root?.paths).toMatchObject([{ path: 'README.md', verdict: 'observe', exclusion: 'doc' }])
})

test('--diff shows what the baseline has against what is there', async ({ world }) => {
  const armed = await inShape(world, 'history')
  armed.repo.sh(FIX)

  const ran = await diagnose(world, armed, '--diff')

  expect(ran.exitCode).toBe(4)
  expect(ran.stdout).toContain('--- baseline src/a.js\n+++ now src/a.js\n@@ -4,6 +4,6 @@\n')
  expect(ran.stdout).toContain('\n-7\n+fix\n')
})

test('HEAD, refs and branches are told as they were and as they are', async ({ world }) => {
  const armed = await inShape(world, 'history')
  const before = armed.repo.git('rev-parse', 'HEAD')
  armed.repo.sh('git checkout -q -b other HEAD~1')

  const [root] = (await diagnosis(world, armed)).roots

  const now = armed.repo.git('rev-parse', 'HEAD')
  expect(root?.head).toMatchObject({
    armed: { oid: before, ref: 'refs/heads/main' },
    now: { oid: now, ref: 'refs/heads/other' },
  })
  expect(root?.refs).toEqual([{ name: 'refs/heads/other', then: null, now }])
})

test('of two armed sessions the newest is taken, and said', async ({ world }) => {
  const armed = await inShape(world, 'history')
  const second = await armIn(world, armed.repo)

  const told = await diagnosis(world, armed)

  expect(told.session).toBe(second.session.id)
  expect(told.chosen).toContain(armed.session.id)
  expect((await diagnosis(world, armed, '--session', armed.session.id)).session).toBe(armed.session.id)
})

test('all roots of a session are diagnosed', async ({ world }) => {
  const armed = await inShape(world, 'history')
  const other = world.repo('plain')
  armed.session.cwd = other.folder
  await armed.session.check('PreToolUse')
  armed.repo.sh(FIX)

  const told = await diagnosis(world, armed)

  expect(told.roots.map(({ root }) => root).sort()).toEqual([armed.repo.folder, other.folder].sort())
  expect(told.exitCode).toBe(4)
})

test('a name that is not UTF-8 is shown escaped, with its bytes in JSON', async ({ world }) => {
  const armed = await inShape(world, 'odd-names')
  const name = Buffer.from(armed.repo.git('ls-files', '-z')).toString('utf8')
  expect(name).toContain('\ufffd')
  armed.repo.sh(
    'git ls-files -z | while IFS= read -r -d "" f; do case $f in *.js) echo fix >> "$f";; esac; done',
  )

  const told = await diagnosis(world, armed)
  const text = (await diagnose(world, armed)).stdout

  const odd = told.roots[0]?.paths.filter(({ path_base64: bytes }) => bytes !== undefined) ?? []
  expect(odd.length).toBeGreaterThan(0)
  for (const { path } of odd) expect(text).toContain(path)
  // eslint-disable-next-line no-control-regex -- control characters are what must not be there
  expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/)
})

describe('where no gate holds, it says so and nothing would be put back', () => {
  test('no session is armed here', async ({ world }) => {
    const repo = world.repo('plain')

    const ran = await diagnose(world, { repo })

    expect(ran).toMatchObject({ exitCode: 0, stdout: `no session is armed in ${repo.folder}\n` })
  })

  test('the session was released', async ({ world }) => {
    const armed = await inShape(world, 'plain')
    await armed.session.reads('src/cart.js').says(`Root cause: ${CAUSE}`).check('PreToolUse')

    const told = await diagnosis(world, armed, '--session', armed.session.id)

    expect(told).toMatchObject({ exitCode: 0, state: 'released', roots: [] })
  })

  test('the gate could not arm', async ({ world }) => {
    const session = world.session({ cwd: world.repo('unborn').folder }).loads('investigate')
    await session.arm()

    const ran = await world.program('gstack-skill-gates', 'diagnose', '--session', session.id)

    expect(ran.exitCode).toBe(0)
    expect(ran.stdout).toContain('could not arm: no-head')
  })
})

describe('a wrong use exits with 1', () => {
  test('a session that there is not', async ({ world }) => {
    const ran = await world.program('gstack-skill-gates', 'diagnose', '--session', 'nobody')

    expect(ran.exitCode).toBe(1)
    expect(ran.stderr).toContain('nothing is kept of a session nobody')
  })

  test('outside of a repository, without --session', async ({ world }) => {
    const ran = await world.program('gstack-skill-gates', 'diagnose')

    expect(ran.exitCode).toBe(1)
    expect(ran.stderr).toContain('name a session with --session')
  })
})

test('a root that cannot be judged exits with 3 and says why', async ({ world }) => {
  const armed = await inShape(world, 'plain')
  armed.repo.write('.git/HEAD', 'nonsense\n')

  const ran = await diagnose(world, armed, '--session', armed.session.id)

  expect(ran.exitCode).toBe(3)
  expect(ran.stdout).toContain('cannot be judged: GATE_GIT')
})

test('a merge that is made again in memory writes no object and touches none', async ({ world }) => {
  const armed = await inShape(world, 'merge-with-conflict')
  armed.repo.sh('echo "// fix" >> "$(git ls-files | grep "\\.js$" | head -1)"')
  const objects = join(dirname(armed.repo.path('.git/HEAD')), 'objects')
  const before = everythingIn(objects)

  await diagnose(world, armed)

  expect(everythingIn(objects)).toEqual(before)
  expect(readdirSync(world.temporary)).toEqual([])
})
