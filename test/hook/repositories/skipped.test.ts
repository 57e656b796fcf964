import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import type { Session } from '../../helpers/session.ts'
import { test, type World } from '../../helpers/world.ts'
import { BASE } from './guarded.ts'

const IS_ROOT = process.getuid?.() === 0

/** Nothing is held there, the reason is told once, and whoever expects an armed session hears that it is none. */
async function expectSkipped(world: World, session: Session, reason: string): Promise<void> {
  const answers = [await session.arm()]
  answers.push(await session.check('PostToolUse'), await session.check('Stop'))

  expect(answers.map(({ exitCode, stdout, stderr }) => [exitCode, stdout, stderr])).toEqual(
    answers.map(() => [0, '', '']),
  )
  const skips = world.log().filter((line) => line.includes('event=skipped'))
  expect(skips).toHaveLength(1)
  expect(skips[0]).toContain(`reason=${reason}`)
  const report = await world.program(
    'gstack-skill-gates',
    'report',
    '--session',
    session.id,
    '--expect',
    'armed',
  )
  expect(report.exitCode).toBe(2)
  expect(report.stdout).toContain(reason)
}

const load = (world: World, cwd: string): Session =>
  world.session({ cwd }).prompts('The total is wrong.').loads('investigate')

describe('a gate that cannot arm says why', () => {
  test('where there is no repository', async ({ world }) => {
    const folder = join(world.folder, 'plain')
    mkdirSync(folder)

    await expectSkipped(world, load(world, folder), 'no-git')
  })

  test('in a bare repository', async ({ world }) => {
    const repo = await world.shellRepo(`${BASE}; git clone -q --bare . ../bare.git`)

    await expectSkipped(world, load(world, repo.path('../bare.git')), 'bare')
  })

  test('in a .git directory', async ({ world }) => {
    const repo = await world.shellRepo(BASE)

    await expectSkipped(world, load(world, repo.path('.git')), 'bare')
  })

  test('beside a bare repository that a .git file names', async ({ world }) => {
    const repo = await world.shellRepo(
      `${BASE}; mkdir ../hub; git clone -q --bare . ../hub/.bare; echo 'gitdir: ./.bare' > ../hub/.git`,
    )

    await expectSkipped(world, load(world, repo.path('../hub')), 'bare')
  })

  test('in a repository whose configuration says that it is bare', async ({ world }) => {
    const repo = await world.shellRepo(`${BASE}; git config core.bare true`)

    await expectSkipped(world, load(world, repo.folder), 'bare')
  })

  test('before the first commit', async ({ world }) => {
    const repo = await world.shellRepo('new_repo; echo a > src/a.js; git add src/a.js')

    await expectSkipped(world, load(world, repo.folder), 'no-head')
  })

  test('with SHA-256 ids', async ({ world }) => {
    const repo = await world.shellRepo(BASE.replace('new_repo', 'new_repo --object-format=sha256'))

    await expectSkipped(world, load(world, repo.folder), 'unsupported-format')
  })

  test('with refs in a reftable', async ({ world }) => {
    const repo = await world.shellRepo(
      `${BASE}; git config core.repositoryFormatVersion 1; git config extensions.refStorage reftable
      rm -r .git/refs; mkdir -p .git/refs .git/reftable; echo 'this repository uses the reftable format' > .git/refs/heads; echo 'ref: refs/heads/.invalid' > .git/HEAD`,
    )

    await expectSkipped(world, load(world, repo.folder), 'unsupported-format')
  })

  test('with an extension that nobody knows', async ({ world }) => {
    const repo = await world.shellRepo(
      `${BASE}; git config core.repositoryFormatVersion 1; git config extensions.ofTomorrow true`,
    )

    await expectSkipped(world, load(world, repo.folder), 'unsupported-format')
  })

  test('in a format of tomorrow', async ({ world }) => {
    const repo = await world.shellRepo(`${BASE}; git config core.repositoryFormatVersion 2`)

    await expectSkipped(world, load(world, repo.folder), 'unsupported-format')
  })

  test('with the work tree somewhere else', async ({ world }) => {
    const repo = await world.shellRepo(
      `${BASE}; mkdir ../elsewhere; git config core.worktree ../../elsewhere`,
    )

    await expectSkipped(world, load(world, repo.folder), 'unsupported-format')
  })

  test('with the state root inside the tree', async ({ world }) => {
    const repo = await world.shellRepo(BASE)
    const inside = repo.path('.state')
    mkdirSync(inside)
    world.env['GSTACK_STATE_ROOT'] = inside

    const session = load(world, repo.folder)
    expect((await session.arm()).stdout).toBe('')
    repo.append('src/a.js', 'fix\n')
    expect((await session.check('PostToolUse')).stdout).toBe('')
    const report = await world.program('gstack-skill-gates', 'report', '--session', session.id)
    expect(report.stdout).toContain('state-root-inside')
  })

  test.runIf(IS_ROOT)('in a repository of somebody else', async ({ world }) => {
    const repo = await world.shellRepo(BASE)
    execFileSync('chown', ['-R', '65534', repo.folder])

    await expectSkipped(world, load(world, repo.folder), 'not-owner')
  })
})

test.runIf(IS_ROOT)("somebody else's repository that the user calls safe is guarded", async ({ world }) => {
  const repo = await world.shellRepo(BASE)
  execFileSync('chown', ['-R', '65534', repo.folder])
  writeFileSync(join(world.home, '.gitconfig'), `[safe]\n\tdirectory = ${repo.folder}\n`)
  const session = load(world, repo.folder)

  const fired = await session.arm()
  repo.sh('echo fix >> src/a.js; git add src/a.js')
  const answer = await session.check('PostToolUse')

  expect(fired.markers).toMatchObject([{ event: 'fired' }])
  expect(answer.decision, answer.stderr).toBe('block')
  expect(repo.status()).toBe('')
  expect(
    execFileSync('stat', ['-c', '%u', repo.path('src/a.js')])
      .toString()
      .trim(),
  ).toBe('65534')
})
