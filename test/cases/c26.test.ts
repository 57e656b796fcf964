import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { armCase } from '../helpers/case.ts'
import { openRepo } from '../helpers/repo.ts'
import { test, type World } from '../helpers/world.ts'

const SETUP = `
new_repo; printf 'main a\\n' > src/a.js; save
git worktree add -q -b topic ../wt; printf 'topic a\\n' > ../wt/src/a.js; git -C ../wt commit -qam topic
printf 'main a user\\n' > src/a.js
`

async function armedBesideWorktree(world: World) {
  const { repo, session } = await armCase(world, SETUP)
  return { repo, session, second: openRepo(join(repo.folder, '../wt')) }
}

describe('C26: a session that moves into another worktree', () => {
  test('is held there against what stood there at its first call, whichever tree the cwd is in', async ({
    world,
  }) => {
    const { repo, session, second } = await armedBesideWorktree(world)
    session.cwd = second.folder
    await session.check('PreToolUse')
    second.append('src/a.js', 'fix\n')

    const answer = await session.check('PostToolUse')

    expect(answer.decision).toBe('block')
    expect(second.read('src/a.js')).toBe('topic a\n')
    expect(second.status()).toBe('')
    expect(repo.read('src/a.js')).toBe('main a user\n')
  })

  test('keeps what was there before its first call', async ({ world }) => {
    const { session, second } = await armedBesideWorktree(world)
    second.append('src/a.js', 'by the user\n')
    session.cwd = second.folder

    const answers = [await session.check('PreToolUse'), await session.check('PostToolUse')]

    expect(answers.map(({ decision }) => decision)).toEqual([undefined, undefined])
    expect(second.read('src/a.js')).toBe('topic a\nby the user\n')
  })

  test('still has the first tree put back, with its own content and index', async ({ world }) => {
    const { repo, session, second } = await armedBesideWorktree(world)
    session.cwd = second.path('src')
    await session.check('PreToolUse')
    const [index, secondBefore] = [repo.index(), second.snapshot()]
    repo.append('src/a.js', 'fix\n')
    repo.git('add', 'src/a.js')

    const answer = await session.check('PostToolUse')

    expect(answer.decision).toBe('block')
    expect(answer.reason).toContain(repo.folder)
    expect(repo.read('src/a.js')).toBe('main a user\n')
    expect(repo.index()).toBe(index)
    expect(second.snapshot()).toEqual(secondBefore)
  })

  test('has a relative edit path resolved against the cwd of its payload', async ({ world }) => {
    const { session, second } = await armedBesideWorktree(world)
    session.cwd = second.path('src')

    const answer = await session.hook('PreToolUse', {
      tool: 'Edit',
      payload: { tool_input: { file_path: 'a.js', old_string: 'a', new_string: 'b' } },
    })

    expect(answer.decision).toBe('deny')
    expect(answer.reason).toContain('src/a.js')
  })

  test('has an edit by absolute path denied in a tree that no call lay in yet', async ({ world }) => {
    const { session, second } = await armedBesideWorktree(world)

    const answer = await session.edit(second.path('src/a.js'), 'fix\n')

    expect(answer.decision).toBe('deny')
  })

  test('is not misled by CLAUDE_PROJECT_DIR', async ({ world }) => {
    const { repo, session, second } = await armedBesideWorktree(world)
    world.env['CLAUDE_PROJECT_DIR'] = second.folder
    appendFileSync(repo.path('src/a.js'), 'fix\n')

    await session.check('PostToolUse')

    expect(readFileSync(repo.path('src/a.js'), 'utf8')).toBe('main a user\n')
    expect(second.read('src/a.js')).toBe('topic a\n')
  })
})
