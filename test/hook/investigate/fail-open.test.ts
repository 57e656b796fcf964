import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { armed } from '../../helpers/armed.ts'
import { toolPayload } from '../../helpers/payload.ts'
import type { Session } from '../../helpers/session.ts'
import { PACKAGE, test, type World } from '../../helpers/world.ts'

/** A copy of the installed package without the parts of that name. */
function installWithout(world: World, missing: string): string {
  const folder = join(world.folder, 'package')
  mkdirSync(folder)
  for (const part of ['bin', 'dist', 'build/Release', 'package.json'])
    if (part !== missing) cpSync(join(PACKAGE, part), join(folder, part), { recursive: true })
  if (missing !== 'node_modules') symlinkSync(join(PACKAGE, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

const payloadOf = (session: Session) =>
  toolPayload(
    'PreToolUse',
    { sessionId: session.id, transcript: session.transcript.file, cwd: session.cwd },
    { id: 'toolu_1', tool: 'Edit', input: { file_path: join(session.cwd, 'src/cart.js') } },
  )

const runFrom = (world: World, folder: string, session: Session) =>
  world.run(join(folder, 'bin/gstack-hook'), ['investigate-gate'], {
    cwd: session.cwd,
    input: JSON.stringify(payloadOf(session)),
  })

describe('the call goes through', () => {
  for (const missing of ['build/Release', 'node_modules']) {
    test(`with GATE_NATIVE when ${missing} is gone`, async ({ world }) => {
      world.repo('staged-only')
      const session = world.session().loads('investigate')

      const ran = await runFrom(world, installWithout(world, missing), session)

      expect(ran.exitCode).toBe(0)
      expect(ran.stdout).not.toContain('permissionDecision')
      expect(ran.stderr).toContain('GATE_NATIVE')
      expect(ran.stderr).toContain('./setup')
    })
  }

  test('without a word on stdout when the build is gone', async ({ world }) => {
    world.repo('plain')
    const session = world.session().loads('investigate')

    const ran = await runFrom(world, installWithout(world, 'dist'), session)

    expect(ran).toMatchObject({ exitCode: 0, stdout: '' })
  })

  test('when the repository is gone', async ({ world }) => {
    const { repo, session } = await armed(world)
    repo.remove('.git')

    const answer = await session.check('PostToolUse')

    expect(answer).toMatchObject({ exitCode: 0, decision: undefined })
    expect(answer.stderr).toContain('GATE_GIT')
  })

  test('when HEAD stops resolving, and checks resume against the same baseline', async ({ world }) => {
    const { repo, session } = await armed(world)
    repo.sh('git checkout -q --orphan fresh; echo fix >> src/cart.js')
    const acted = repo.snapshot()

    const without = await session.check('PostToolUse')
    const unchanged = repo.snapshot()
    repo.sh('git symbolic-ref HEAD refs/heads/main')
    const resumed = await session.check('PostToolUse')

    expect(without).toMatchObject({ exitCode: 0, decision: undefined })
    expect(without.stderr).toContain('GATE_GIT')
    expect(unchanged).toEqual(acted)
    expect(resumed.decision).toBe('block')
    expect(repo.read('src/cart.js')).toBe(repo.committed('src/cart.js'))
  })

  test('when the index is broken', async ({ world }) => {
    const { repo, session } = await armed(world)
    writeFileSync(repo.path('.git/index'), 'no index')

    const answer = await session.check('PostToolUse')

    expect(answer).toMatchObject({ exitCode: 0, decision: undefined })
    expect(answer.stderr).toContain('GATE_GIT')
  })

  test.runIf(process.getuid?.() === 0)('when the state root cannot be written', async ({ world }) => {
    world.repo('plain')
    execFileSync('chown', ['-R', '12345', world.folder])
    chmodSync(world.folder, 0o755)
    chmodSync(world.stateRoot, 0o555)
    const session = world.session().loads('investigate')

    const answer = await session.hook('PreToolUse', { run: { uid: 12_345 } })

    expect(answer).toMatchObject({ exitCode: 0, decision: undefined })
    expect(answer.stderr).toContain('GATE_STATE')
  })
})
