import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { armed } from '../../helpers/armed.ts'
import type { EditTool } from '../../helpers/session.ts'
import { test } from '../../helpers/world.ts'

const TOOLS: readonly [EditTool, string][] = [
  ['Edit', 'src/cart.js'],
  ['Write', 'src/cart.js'],
  ['MultiEdit', 'src/cart.js'],
  ['NotebookEdit', 'notebook.ipynb'],
]

describe('an armed gate denies', () => {
  for (const [tool, file] of TOOLS) {
    test(`${tool} on a tracked source file`, async ({ world }) => {
      const { repo, session } = await armed(world)
      const before = repo.snapshot()

      const answer = await session.edit(repo.path(file), 'fixed\n', { tool })

      expect(answer).toMatchObject({ decision: 'deny', exitCode: 0 })
      expect(answer.markers).toMatchObject([
        { event: 'blocked', session: session.id, fields: { skill: 'investigate', via: 'edit', files: '1' } },
      ])
      expect(answer.reason).toContain(file)
      expect(repo.snapshot()).toEqual(before)
    })
  }

  const paths: readonly [string, (root: string) => string][] = [
    ['a relative path', () => 'src/cart.js'],
    ['a path with ..', (root) => `${root}/src/deep/../cart.js`],
    ['a path through a folder outside', (root) => `${root}/../project/src/cart.js`],
    ['a path with doubled slashes and dots', (root) => `${root}//src/./cart.js`],
  ]
  for (const [name, pathIn] of paths) {
    test(`${name} to a gated file`, async ({ world }) => {
      const { repo, session } = await armed(world)

      const input = { file_path: pathIn(repo.folder), old_string: 'a', new_string: 'b' }
      const answer = await session.hook('PreToolUse', { tool: 'Edit', payload: { tool_input: input } })

      expect(answer.decision).toBe('deny')
      expect(answer.reason).toContain('src/cart.js')
    })
  }

  test('a relative path from the folder that the session is in', async ({ world }) => {
    const { repo, session } = await armed(world)
    session.cwd = repo.path('src/deep')

    const input = { file_path: '../cart.js', old_string: 'a', new_string: 'b' }
    const answer = await session.hook('PreToolUse', { tool: 'Edit', payload: { tool_input: input } })

    expect(answer.decision).toBe('deny')
  })

  test('a gated file through a linked folder outside the repository', async ({ world }) => {
    const { repo, session } = await armed(world)
    symlinkSync(repo.path('src'), join(world.folder, 'shortcut'))

    const answer = await session.edit(join(world.folder, 'shortcut/cart.js'), 'fixed\n')

    expect(answer.decision).toBe('deny')
    expect(answer.reason).toContain('src/cart.js')
  })

  test('a gated file through a tracked folder link', async ({ world }) => {
    const { repo, session } = await armed(world, 'symlinks')

    const answer = await session.edit(repo.path('alias/part.js'), 'fixed\n')

    expect(answer.decision).toBe('deny')
    expect(answer.reason).toContain('lib/part.js')
  })

  test('a gated file through a tracked link to it', async ({ world }) => {
    const { repo, session } = await armed(world, 'symlinks')

    const answer = await session.edit(repo.path('src/link.js'), 'fixed\n')

    expect(answer.decision).toBe('deny')
    expect(answer.reason).toContain('src/real.js')
  })

  test('Write on a tracked file that is gone at the moment', async ({ world }) => {
    const { repo, session } = await armed(world, 'dirty-start')

    const answer = await session.edit(repo.path('src/deleted.js'), 'fixed\n', { tool: 'Write' })

    expect(answer.decision).toBe('deny')
  })

  test('an edit by a subagent', async ({ world }) => {
    const { repo, session } = await armed(world)

    const answer = await session.subagent().edit(repo.path('src/cart.js'), 'fixed\n')

    expect(answer.decision).toBe('deny')
  })
})

describe('an armed gate lets through', () => {
  const free: readonly [string, string][] = [
    ['a new file', 'src/new.js'],
    ['a repro script', 'repro.js'],
    ['a test', 'test/cart.test.js'],
    ['a fixture', 'src/fixtures/cart.json'],
    ['a doc', 'README.md'],
    ['a lockfile', 'package-lock.json'],
  ]
  for (const [name, file] of free) {
    test(`an edit of ${name}`, async ({ world }) => {
      const { repo, session } = await armed(world)

      const answer = await session.edit(repo.path(file), 'text\n')

      expect(answer.stdout).toBe('')
      expect(repo.read(file)).toBe('text\n')
    })
  }

  test('an edit outside the repository', async ({ world }) => {
    const { session } = await armed(world)

    const answer = await session.edit(join(world.home, 'notes.js'), 'text\n')

    expect(answer.stdout).toBe('')
  })

  test('an edit with a path that is no text', async ({ world }) => {
    const { session } = await armed(world)

    const answer = await session.hook('PreToolUse', {
      tool: 'Edit',
      payload: { tool_input: { file_path: 7 } },
    })

    expect(answer).toMatchObject({ decision: undefined, exitCode: 0 })
  })
})
