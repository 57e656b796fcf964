/** What `npm pack` gives, installed on a machine that has nothing of ours. */

import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect } from 'vitest'
import { PROGRAMS } from '../../src/cli/program.ts'
import { IS_LONG } from '../helpers/long.ts'
import { PACKAGE, test, type Ran, type World } from '../helpers/world.ts'

/** Packing and unpacking some 17,000 files takes minutes. */
const IS_PACKED = IS_LONG || process.env['TEST_PACKAGE'] === '1'

const manifest = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8')) as {
  version: string
  files: string[]
  bin: Record<string, string>
}

/** A HOME without a switch, and a PATH that ends with the installed commands. */
const newcomer = (world: World, bin: string): Record<string, string> => ({
  PATH: `${dirname(process.execPath)}:${world.env['PATH'] ?? ''}:${bin}`,
  HOME: world.home,
  TMPDIR: world.temporary,
  LANG: 'C.UTF-8',
})

/** Runs what a newcomer would: each command, the demo through hook, addon and libgit2, and the set-up. */
async function expectWorking(world: World, bin: string): Promise<void> {
  const env = newcomer(world, bin)
  const run = (...words: [string, ...string[]]): Promise<Ran> =>
    world.run(join(bin, words[0]), words.slice(1), { cwd: world.home, env })

  for (const program of Object.keys(manifest.bin))
    expect(await run(program, '--version')).toMatchObject({
      stdout: `${program} ${manifest.version}\n`,
      stderr: '',
    })
  const demo = await run('gstack-skill-gates', 'demo')
  expect(demo.stdout).toContain('The gate did its job.')
  expect(demo.exitCode).toBe(0)
  expect(await run('gstack-skill-gates', 'setup', '--investigate-gate', '--skill-routing')).toMatchObject({
    exitCode: 0,
    stderr: '',
  })
  expect(await run('gstack-skill-gates', 'report', '--html', 'report.html')).toMatchObject({ exitCode: 0 })
  expect(await run('gstack-skill-route', '--explain', 'fix the failing test')).toMatchObject({ stderr: '' })
  expect(await run('gstack-skill-contract', 'report')).toMatchObject({ exitCode: 0, stderr: '' })
}

test('the files that a package is made of are enough to run everything', async ({ world }) => {
  const installed = join(world.folder, 'lib', 'gstack-skill-gates')
  for (const name of ['package.json', ...manifest.files]) {
    mkdirSync(dirname(join(installed, name)), { recursive: true })
    cpSync(join(PACKAGE, name), join(installed, name), { recursive: true, verbatimSymlinks: true })
  }
  symlinkSync(join(PACKAGE, 'node_modules'), join(installed, 'node_modules'))

  await expectWorking(world, join(installed, 'bin'))
})

describe.skipIf(!IS_PACKED)('the tarball of npm pack', () => {
  test('is installed without a network, and every command runs', { timeout: 900_000 }, async ({ world }) => {
    const npm = (...args: string[]): Promise<Ran> =>
      world.run('npm', [...args, '--offline', '--no-audit', '--no-fund', '--loglevel=error'], {
        cwd: PACKAGE,
        env: { ...newcomer(world, ''), npm_config_cache: join(world.temporary, 'npm') },
      })
    const packed = await npm('pack', '--pack-destination', world.temporary, '--ignore-scripts')
    const tarball = readdirSync(world.temporary).find((name) => name.endsWith('.tgz'))
    expect(packed).toMatchObject({ exitCode: 0 })

    const prefix = join(world.folder, 'prefix')
    const installed = await npm(
      'install',
      '--global',
      '--prefix',
      prefix,
      join(world.temporary, tarball ?? ''),
    )

    expect(installed).toMatchObject({ exitCode: 0 })
    expect(readdirSync(join(prefix, 'bin')).sort()).toEqual(Object.keys(manifest.bin).sort())
    expect(existsSync(join(prefix, 'lib/node_modules/gstack-skill-gates/node_modules/nan'))).toBe(true)
    await expectWorking(world, join(prefix, 'bin'))
  })
})

test('each program is a command of the package, or linked by setup where gstack has none', () => {
  const linked = ['gstack-config', 'gstack-slug', 'gstack-session-kind']

  expect([...Object.keys(manifest.bin), ...linked].sort()).toEqual(Object.keys(PROGRAMS).sort())
})
