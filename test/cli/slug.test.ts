import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect } from 'vitest'
import { git } from '../helpers/git.ts'
import { test, PACKAGE, type World } from '../helpers/world.ts'

/** A folder of the world's home, with files in it. */
function folder(world: World, path: string, ...files: string[]): string {
  const made = join(world.home, path)
  mkdirSync(made, { recursive: true })
  for (const file of files) writeFileSync(join(made, file), '')
  return made
}

function repository(world: World, path: string, origin?: string): string {
  const made = folder(world, path)
  git(made, ['init', '-q', '-b', 'main'])
  git(made, [
    '-c',
    'user.name=Dev',
    '-c',
    'user.email=dev@example.invalid',
    'commit',
    '-q',
    '--allow-empty',
    '-m',
    'base',
  ])
  if (origin !== undefined) git(made, ['remote', 'add', 'origin', origin])
  return made
}

const slugIn = async (world: World, cwd: string, env = {}) =>
  await world.run(join(PACKAGE, 'bin/gstack-slug'), [], { cwd, env: { ...world.env, ...env } })

const cacheOf = (world: World, directory: string) =>
  join(world.home, '.gstack/slug-cache', directory.replaceAll('/', '_'))

const printed = (slug: string, branch = 'main') => ({
  stdout: `SLUG=${slug}\nBRANCH=${branch}\n`,
  stderr: '',
  exitCode: 0,
})

describe('the slug is', () => {
  test.for([
    ['git@example.invalid:acme/shop.git', 'acme-shop'],
    ['https://example.invalid/acme/shop', 'acme-shop'],
    ['ssh://git@example.invalid:22/acme/big.shop.git', 'acme-big.shop'],
    ['https://example.invalid/group/acme/shop.git', 'acme-shop'],
    ['/srv/git/shop.git', 'git-shop'],
    ['shop.git', 'shop'],
    ['https://example.invalid/a$(id)/b;c', 'aid-bc'],
  ] as const)('made of the origin: %s', async ([origin, slug], { world }) => {
    expect(await slugIn(world, repository(world, 'code', origin))).toMatchObject(printed(slug))
  })

  test('made of the origin that insteadOf leads to', async ({ world }) => {
    const repo = repository(world, 'code', 'work:shop.git')
    git(repo, ['config', 'url.git@example.invalid:acme/.insteadOf', 'work:'])

    expect(await slugIn(world, repo)).toMatchObject(printed('acme-shop'))
  })

  test('made of the origin of the outermost repository that has one', async ({ world }) => {
    repository(world, 'outer')
    repository(world, 'outer/middle', 'git@example.invalid:acme/middle.git')
    const inner = repository(world, 'outer/middle/inner', 'git@example.invalid:acme/inner.git')

    expect(await slugIn(world, inner)).toMatchObject(printed('acme-middle'))
  })

  test('the same in a linked work tree', async ({ world }) => {
    const repo = repository(world, 'code', 'git@example.invalid:acme/shop.git')
    git(repo, ['worktree', 'add', '-q', '-b', 'feature/a', join(world.home, 'tree')])

    expect(await slugIn(world, join(world.home, 'tree'))).toMatchObject(printed('acme-shop', 'feature-a'))
  })

  test('the name of the outermost folder with a project file, without an origin', async ({ world }) => {
    folder(world, 'my shop', 'package.json')
    const inner = folder(world, 'my shop/packages/api', 'package.json', 'README.md')

    expect(await slugIn(world, inner)).toMatchObject(printed('myshop', 'unknown'))
  })

  test('the name of a folder with a README where nothing says more', async ({ world }) => {
    folder(world, 'notes', 'README.md')

    expect(await slugIn(world, folder(world, 'notes/today'))).toMatchObject(printed('notes', 'unknown'))
  })

  test('the name of the current folder where nothing says anything', async ({ world }) => {
    expect(await slugIn(world, folder(world, 'scratch'))).toMatchObject(printed('scratch', 'unknown'))
  })

  test('what GSTACK_PROJECT_SLUG says, and is not cached', async ({ world }) => {
    const cwd = folder(world, 'scratch')

    expect(await slugIn(world, cwd, { GSTACK_PROJECT_SLUG: 'acme/shop' })).toMatchObject(
      printed('acmeshop', 'unknown'),
    )
    expect(existsSync(cacheOf(world, cwd))).toBe(false)
  })

  test('that of the directory as the shell spells it', async ({ world }) => {
    const cwd = folder(world, 'long-name')
    symlinkSync(cwd, join(world.home, 'short'))

    expect(await slugIn(world, cwd, { PWD: join(world.home, 'short') })).toMatchObject(
      printed('short', 'unknown'),
    )
  })
})

describe('the cache', () => {
  test('holds the slug of each directory and keeps it', async ({ world }) => {
    const repo = repository(world, 'code', 'git@example.invalid:acme/shop.git')
    await slugIn(world, repo)
    git(repo, ['remote', 'set-url', 'origin', 'git@example.invalid:acme/renamed.git'])

    expect(await slugIn(world, repo)).toMatchObject(printed('acme-shop'))
    expect(readFileSync(cacheOf(world, repo), 'utf8')).toBe('acme-shop')
  })

  test('lies below GSTACK_HOME when that is set', async ({ world }) => {
    const cwd = folder(world, 'scratch')
    await slugIn(world, cwd, { GSTACK_HOME: join(world.home, 'g') })

    expect(readFileSync(join(world.home, 'g/slug-cache', cwd.replaceAll('/', '_')), 'utf8')).toBe('scratch')
  })

  test('is made anew when it took its name from a folder inside the project', async ({ world }) => {
    folder(world, 'shop', 'package.json')
    const inner = folder(world, 'shop/api')
    folder(world, '.gstack/slug-cache')
    writeFileSync(cacheOf(world, inner), basename(inner))

    expect(await slugIn(world, inner)).toMatchObject(printed('shop', 'unknown'))
    expect(readFileSync(cacheOf(world, inner), 'utf8')).toBe('shop')
  })

  test('is made anew when it took its name from a repository around the real one', async ({ world }) => {
    repository(world, 'home-dotfiles')
    const inner = repository(world, 'home-dotfiles/code/shop', 'git@example.invalid:acme/shop.git')
    folder(world, '.gstack/slug-cache')
    writeFileSync(cacheOf(world, inner), 'home-dotfiles')

    expect(await slugIn(world, inner)).toMatchObject(printed('acme-shop'))
  })

  test('cannot lead out of its folder', async ({ world }) => {
    const cwd = folder(world, 'scratch')
    folder(world, '.gstack/slug-cache')
    writeFileSync(cacheOf(world, cwd), '../../..')

    expect((await slugIn(world, cwd)).stdout).toMatch(/^SLUG=[A-Za-z0-9._-]+\n/)
  })

  test('that cannot be written costs nothing', async ({ world }) => {
    const cwd = folder(world, 'scratch')
    writeFileSync(join(world.home, '.gstack/slug-cache'), '')

    expect(await slugIn(world, cwd)).toMatchObject(printed('scratch', 'unknown'))
  })
})

describe('the branch is', () => {
  test('HEAD when it is detached', async ({ world }) => {
    const repo = repository(world, 'code')
    git(repo, ['checkout', '-q', '--detach'])

    expect(await slugIn(world, repo)).toMatchObject(printed('code', 'HEAD'))
  })

  test('unknown before the first commit', async ({ world }) => {
    const repo = folder(world, 'code')
    git(repo, ['init', '-q'])

    expect(await slugIn(world, repo)).toMatchObject(printed('code', 'unknown'))
  })

  test('safe for a shell', async ({ world }) => {
    const repo = repository(world, 'code')
    git(repo, ['checkout', '-q', '-b', 'fix/$(id);a'])

    expect(await slugIn(world, repo)).toMatchObject(printed('code', 'fix-ida'))
  })
})

test('a directory without a usable name fails with GATE_SLUG', async ({ world }) => {
  const ran = await slugIn(world, folder(world, '決済'))

  expect(ran.exitCode).toBe(1)
  expect(ran.stdout).toBe('')
  expect(ran.stderr).toContain('GATE_SLUG')
})

test('a repository that libgit2 may not open counts as one without an origin', async ({ world }) => {
  const repo = folder(world, 'code')
  git(repo, ['init', '-q', '--object-format=sha256'])
  expect(await slugIn(world, repo)).toMatchObject(printed('code', 'unknown'))
})
