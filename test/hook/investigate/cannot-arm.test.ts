import { chmodSync, readdirSync } from 'node:fs'
import { describe, expect } from 'vitest'
import type { HookAnswer } from '../../helpers/run-hook.ts'
import { test } from '../../helpers/world.ts'

describe('the gate cannot arm and says so once per session and reason', () => {
  const skippedBy = async (session: {
    arm(): Promise<HookAnswer>
    check(event: 'PreToolUse'): Promise<HookAnswer>
  }) => {
    const answers = [await session.arm(), await session.check('PreToolUse')]
    expect(answers.map(({ exitCode, decision }) => [exitCode, decision])).toEqual(
      Array(2).fill([0, undefined]),
    )
    return answers.flatMap(({ markers }) =>
      markers.map(({ event, fields }) => `${event} ${fields['reason'] ?? ''}`),
    )
  }

  test('outside a repository', async ({ world }) => {
    const session = world.session({ cwd: world.temporary }).loads('investigate')

    await skippedBy(session)

    expect(world.log().map((line) => line.replace(/^\S+ /, ''))).toEqual([
      `session=${session.id} event=skipped skill=investigate reason=no-git`,
    ])
  })

  test('before the first commit', async ({ world }) => {
    const repo = world.repo('unborn')
    const before = repo.snapshot()
    const session = world.session().loads('investigate')

    await skippedBy(session)

    expect(world.log()).toEqual([expect.stringContaining('event=skipped skill=investigate reason=no-head')])
    expect(repo.snapshot()).toEqual(before)
  })

  test('in a bare repository', async ({ world }) => {
    const repo = world.repo('plain')
    repo.git('clone', '-q', '--bare', '.', '../bare.git')
    const session = world.session({ cwd: repo.path('../bare.git') }).loads('investigate')

    await skippedBy(session)

    expect(world.log()).toEqual([expect.stringContaining('reason=bare')])
  })

  test('when the state root lies inside the guarded tree', async ({ world }) => {
    const repo = world.repo('plain')
    world.env['GSTACK_STATE_ROOT'] = repo.path('.state')
    const session = world.session().loads('investigate')

    await skippedBy(session)
    repo.append('src/cart.js', 'fix\n')
    const answer = await session.check('PostToolUse')

    expect(answer.decision).toBeUndefined()
    expect(readdirSync(world.stateRoot)).toEqual([])
  })

  test('in an object format that it cannot read', async ({ world }) => {
    await world.shellRepo("new_repo --object-format=sha256; printf 'a\\n' > src/a.js; save")
    const session = world.session().loads('investigate')

    await skippedBy(session)

    expect(world.log()).toEqual([expect.stringContaining('reason=unsupported-format')])
  })

  test('and arms once the reason is gone', async ({ world }) => {
    const repo = world.repo('unborn')
    const session = world.session().loads('investigate')
    await session.arm()
    repo.git('commit', '-q', '-m', 'first')

    const answer = await session.loads('investigate').arm()

    expect(answer.markers.map(({ event }) => event)).toEqual(['fired'])
  })

  test.runIf(process.getuid?.() === 0)("in somebody else's repository", async ({ world }) => {
    const repo = world.repo('plain')
    repo.sh('chown -R 12345 .')
    chmodSync(world.folder, 0o755)
    const session = world.session().loads('investigate')

    await skippedBy(session)

    expect(world.log()).toEqual([expect.stringContaining('reason=not-owner')])
  })
})
