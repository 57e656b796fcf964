import { cpSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { PACKAGE, test, type World } from '../helpers/world.ts'

/** A copy of what the launchers need, in a folder of the test. */
function install(world: World, folder: string): string {
  const at = join(world.folder, folder)
  mkdirSync(at, { recursive: true })
  for (const name of ['bin', 'dist', 'package.json'])
    cpSync(join(PACKAGE, name), join(at, name), { recursive: true })
  return at
}

const NAMES = readdirSync(join(PACKAGE, 'bin')).filter((name) => name.startsWith('gstack-'))

test('a hook without its build lets the call through and says what to do', async ({ world }) => {
  const at = install(world, 'gates')
  rmSync(join(at, 'dist'), { recursive: true })

  const ran = await world.run(join(at, 'bin/gstack-hook'), ['investigate-gate'], { input: '{}' })

  expect(ran).toMatchObject({ exitCode: 0, stdout: '' })
  expect(ran.stderr).toContain('run ./setup')
})

test('a hook that has lost the file beside it lets the call through', async ({ world }) => {
  const at = install(world, 'gates')
  rmSync(join(at, 'bin/launch.sh'))

  const ran = await world.run(join(at, 'bin/hook-launcher'), ['investigate-gate'], { input: '{}' })

  expect(ran).toMatchObject({ exitCode: 0, stdout: '' })
})

test('a command without its build fails and says what to do', async ({ world }) => {
  const at = install(world, 'gates')
  rmSync(join(at, 'dist'), { recursive: true })

  const ran = await world.run(join(at, 'bin/gstack-skill-gates'), ['hook-timeout'])

  expect(ran).toMatchObject({ exitCode: 1, stdout: '' })
  expect(ran.stderr).toContain('run ./setup')
})

test('a hook whose standard input is closed lets the call through', async ({ world }) => {
  const line = `exec '${PACKAGE}bin/gstack-hook' investigate-gate <&-`

  const ran = await world.run('/bin/sh', ['-c', line])

  expect(ran.exitCode).toBe(0)
})

test('when the Node of the build is gone, the one on PATH is taken', async ({ world }) => {
  const at = install(world, 'gates')
  rmSync(join(at, 'dist/node-path'))

  const ran = await world.run(join(at, 'bin/gstack-skill-gates'), ['hook-timeout'])

  expect(ran).toMatchObject({ exitCode: 0, stdout: '25\n' })
})

describe('a launcher finds its package', () => {
  test('under a path with blanks, quotes, brackets and a dollar sign', async ({ world }) => {
    const at = install(world, `My Tools (v2) $HOME 'q' "d"`)

    const ran = await world.run(join(at, 'bin/gstack-skill-gates'), ['hook-timeout'])

    expect(ran).toMatchObject({ exitCode: 0, stdout: '25\n', stderr: '' })
  })

  test.for(NAMES.filter((name) => name !== 'gstack-hook'))(
    'through a link to %s',
    async (name, { world }) => {
      const link = join(world.folder, name)
      symlinkSync(join(PACKAGE, 'bin', name), link)

      const ran = await world.run(link, ['--version'])

      expect(ran).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(name) })
    },
  )

  test('through a link to a link', async ({ world }) => {
    symlinkSync(join(PACKAGE, 'bin/gstack-skill-gates'), join(world.folder, 'one'))
    symlinkSync('one', join(world.folder, 'two'))

    const ran = await world.run(join(world.folder, 'two'), ['hook-timeout'])

    expect(ran).toMatchObject({ exitCode: 0, stdout: '25\n' })
  })

  test('through a linked folder', async ({ world }) => {
    symlinkSync(PACKAGE.replace(/\/$/, ''), join(world.folder, 'linked'))

    const ran = await world.run(join(world.folder, 'linked/bin/gstack-skill-gates'), ['hook-timeout'])

    expect(ran).toMatchObject({ exitCode: 0, stdout: '25\n' })
  })
})
