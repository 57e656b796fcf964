import { readFileSync, statSync } from 'node:fs'
import { describe, expect } from 'vitest'
import { armIn } from '../helpers/armed.ts'
import { whileMounted } from '../helpers/mounted.ts'
import { openRepo } from '../helpers/repo.ts'
import { test, type World } from '../helpers/world.ts'
import { lostContents } from './passes.ts'

const onTmpfs = (world: World, options: string, act: (folder: string) => Promise<void>): Promise<boolean> =>
  whileMounted(world, `mount -t tmpfs -o ${options} gates mounted`, act)

async function repoOn(world: World, folder: string) {
  const script =
    'git init -q -b main; git config user.email d@example.invalid; git config user.name D; mkdir src; echo a > src/a.js; git add -A; git commit -qm base'
  await world.run('bash', ['-e', '-c', `cd '${folder}' && ${script}`])
  return openRepo(folder)
}

describe('a file system that is', () => {
  test('full where the repository lies: nothing is replaced, the block names what failed, and later the check finishes', async ({
    world,
    skip,
  }) => {
    const isMounted = await onTmpfs(world, 'size=2m', async (folder) => {
      const repo = await repoOn(world, folder)
      const at = await armIn(world, repo)
      repo.append('src/a.js', 'fix\n')
      await world.run('sh', ['-c', `cat /dev/zero > '${folder}/ballast' 2>/dev/null; true`])

      const full = await at.session.check('PostToolUse')
      const held = repo.read('src/a.js')
      await world.run('rm', [`${folder}/ballast`])
      await at.session.check('PostToolUse')

      expect(full.exitCode).toBe(0)
      expect(full.reason + full.stderr).toMatch(/GATE_RESTORE_FAILED|GATE_STATE|GATE_GIT/)
      expect(held).toBe('a\nfix\n')
      expect(repo.read('src/a.js')).toBe('a\n')
      expect(lostContents(at, ['a\nfix\n'])).toEqual([])
    })
    if (!isMounted) skip('tmpfs cannot be mounted here')
  })

  test('full where the state lies: nothing is replaced, and it is told', async ({ world, skip }) => {
    const isMounted = await onTmpfs(world, 'size=2m', async (folder) => {
      world.env['GSTACK_STATE_ROOT'] = folder
      const at = await armIn(world, world.repo('plain'))
      at.repo.append('src/cart.js', `fix ${'x'.repeat(100_000)}\n`)
      const fixed = at.repo.read('src/cart.js')
      await world.run('sh', ['-c', `cat /dev/zero > '${folder}/ballast' 2>/dev/null; true`])

      const full = await at.session.check('PostToolUse')

      expect(full.exitCode).toBe(0)
      expect(full.systemMessage + full.stderr).toMatch(/GATE_/)
      expect(readFileSync(at.repo.path('src/cart.js'), 'utf8')).toBe(fixed)
    })
    if (!isMounted) skip('tmpfs cannot be mounted here')
  })

  test('read-only where the repository lies: nothing is replaced, and the block says why', async ({
    world,
    skip,
  }) => {
    const isMounted = await onTmpfs(world, 'size=8m', async (folder) => {
      const repo = await repoOn(world, folder)
      const at = await armIn(world, repo)
      repo.append('src/a.js', 'fix\n')
      await world.run('mount', ['-o', 'remount,ro', folder])

      const answer = await at.session.check('PostToolUse')
      await world.run('mount', ['-o', 'remount,rw', folder])
      await at.session.check('PostToolUse')

      expect(answer.reason).toContain('the file system is read-only')
      expect(repo.read('src/a.js')).toBe('a\n')
      expect(statSync(repo.path('src/a.js')).size).toBe(2)
    })
    if (!isMounted) skip('tmpfs cannot be mounted here')
  })
})
