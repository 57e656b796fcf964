import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { armed, armIn, type Armed } from '../helpers/armed.ts'
import { copiesIn } from '../helpers/standard.ts'
import { test, type Ran, type World } from '../helpers/world.ts'

interface Listed {
  readonly copies: readonly {
    readonly session: string
    readonly name: string
    readonly path: string
    readonly path_base64?: string
    readonly why: string
    readonly file: string
    readonly bytes: number
    readonly link?: string
  }[]
  readonly undone: readonly {
    readonly from: string
    readonly to: string
    readonly commits: string[]
    readonly paths: object[]
  }[]
}

const copies = (world: World, ...args: string[]): Promise<Ran> =>
  world.program('gstack-skill-gates', 'copies', ...args)

async function list(world: World, ...args: string[]): Promise<Listed> {
  const ran = await copies(world, '--json', ...args)
  expect(ran).toMatchObject({ exitCode: 0, stderr: '' })
  return JSON.parse(ran.stdout) as Listed
}

const FIX = 'fixed\n'

/** A fix write that a check has put back. */
async function putBack(
  world: World,
  act: (armed: Armed) => void,
): Promise<Armed & { name: string; block: string }> {
  const made = await armed(world)
  act(made)
  const { reason } = await made.session.check('PostToolUse')
  const name = (await list(world)).copies.at(-1)?.name ?? ''
  return { ...made, name, block: reason }
}

const fixed = (world: World) => putBack(world, ({ repo }) => repo.write('src/cart.js', FIX))

test('what was put back is listed with its path, size and reason', async ({ world }) => {
  const { session } = await fixed(world)

  const { copies: listed } = await list(world)

  expect(listed).toMatchObject([
    { session: session.id, path: 'src/cart.js', why: 'put-back', bytes: Buffer.byteLength(FIX) },
  ])
  expect(listed.map(({ file }) => readFileSync(file, 'utf8'))).toEqual([FIX])
  expect((await copies(world)).stdout).toContain('put back: src/cart.js')
})

test('commits that were undone are listed with their ids', async ({ world }) => {
  const { repo, session } = await armed(world)
  const before = repo.git('rev-parse', 'HEAD')
  repo.sh('echo fix > src/cart.js; git commit -qam fix')
  const commit = repo.git('rev-parse', 'HEAD')
  await session.check('PostToolUse')

  const { undone } = await list(world, '--session', session.id)

  expect(undone).toMatchObject([
    { from: commit, to: before, commits: [commit], paths: [{ path: 'src/cart.js' }] },
  ])
  expect((await copies(world)).stdout).toContain(`git show ${commit}`)
})

describe('a copy is restored', () => {
  test('to a path that is free, with its bytes and its mode', async ({ world }) => {
    const { name } = await putBack(world, ({ repo }) => {
      repo.write('src/cart.js', FIX)
      repo.mode('src/cart.js', 0o750)
    })
    const to = join(world.home, 'new/folder/cart.js')

    const ran = await copies(world, 'restore', name, '--to', to)

    expect(ran).toMatchObject({ exitCode: 0, stderr: '', stdout: `restored ${to}\n` })
    expect(readFileSync(to, 'utf8')).toBe(FIX)
    expect((lstatSync(to).mode & 0o777).toString(8)).toBe('750')
  })

  test('by the path that the block printed', async ({ world }) => {
    const { session, block } = await fixed(world)
    const [printed = ''] = copiesIn(block, session)

    const ran = await copies(world, 'restore', printed, '--to', 'back.js')

    expect(ran.exitCode).toBe(0)
    expect(readFileSync(join(world.home, 'back.js'), 'utf8')).toBe(FIX)
  })

  test('over what is there only with --force, which keeps what it held', async ({ world }) => {
    const { repo, name, session } = await fixed(world)
    const before = repo.read('src/cart.js')

    const refused = await copies(world, 'restore', name)
    const forced = await copies(world, 'restore', name, '--force')

    expect(refused.exitCode).toBe(1)
    expect(refused.stderr).toContain('--force replaces it')
    expect(forced.exitCode).toBe(0)
    expect(repo.read('src/cart.js')).toBe(FIX)
    expect(forced.stdout).toContain(`session ${session.id} is armed there`)
    const overwritten = (await list(world)).copies.filter(({ why }) => why === 'overwritten')
    expect(overwritten.map(({ file }) => readFileSync(file, 'utf8'))).toEqual([before])
    expect(forced.stdout).toContain(overwritten[0]?.file)
  })

  test('as a link when it was a link', async ({ world }) => {
    const { name } = await putBack(world, ({ repo }) => {
      repo.remove('src/cart.js')
      symlinkSync('elsewhere/else.js', repo.path('src/cart.js'))
    })

    await copies(world, 'restore', name, '--to', 'link')

    expect(readlinkSync(join(world.home, 'link'))).toBe('elsewhere/else.js')
  })

  test('with its bytes though its other name was written since', async ({ world }) => {
    const { name, repo } = await putBack(world, ({ repo: made }) =>
      made.sh('echo one > src/cart.js; ln src/cart.js other-name'),
    )
    repo.append('other-name', 'two\n')

    await copies(world, 'restore', name, '--to', 'back.js')

    expect(readFileSync(join(world.home, 'back.js'), 'utf8')).toBe('one\n')
  })
})

test('nothing is restored through a link that has taken the place of a folder', async ({ world }) => {
  const { repo, name } = await fixed(world)
  const outside = join(world.home, 'outside')
  mkdirSync(outside)
  repo.remove('src')
  symlinkSync(outside, repo.path('src'))

  const ran = await copies(world, 'restore', name)

  expect(ran.exitCode).toBe(1)
  expect(existsSync(join(outside, 'cart.js'))).toBe(false)
})

test('a link at the place itself is replaced with --force, not followed', async ({ world }) => {
  const { name } = await fixed(world)
  writeFileSync(join(world.home, 'precious'), 'precious\n')
  symlinkSync('precious', join(world.home, 'link'))

  const ran = await copies(world, 'restore', name, '--to', 'link', '--force')

  expect(ran.exitCode).toBe(0)
  expect(lstatSync(join(world.home, 'link')).isFile()).toBe(true)
  expect(readFileSync(join(world.home, 'precious'), 'utf8')).toBe('precious\n')
})

test('a name that is not UTF-8 keeps its bytes in JSON and goes back to them', async ({ world }) => {
  const repo = world.repo('odd-names')
  const { session } = await armIn(world, repo)
  repo.sh('for f in src/caf*.js; do echo fix > "$f"; done')
  await session.check('PostToolUse')

  const odd = (await list(world)).copies.find(({ path_base64: bytes }) => bytes !== undefined)
  const ran = await copies(world, 'restore', odd?.name ?? '', '--force')

  expect(Buffer.from(odd?.path_base64 ?? '', 'base64').toString('latin1')).toBe('src/caf\u00e9.js')
  expect(ran.exitCode).toBe(0)
  const back = Buffer.concat([Buffer.from(`${repo.folder}/`), Buffer.from('src/caf\u00e9.js', 'latin1')])
  expect(readFileSync(back, 'utf8')).toBe('fix\n')
})

test('without anything replaced it says so', async ({ world }) => {
  expect(await copies(world)).toMatchObject({ exitCode: 0, stdout: 'nothing was replaced or undone\n' })
})

describe('a wrong use exits with 1', () => {
  test.for([
    ['an unknown action', ['restor', 'x'], 'copies takes the word restore'],
    ['restore without a name', ['restore'], 'name the copy to restore'],
    ['a name that is not listed', ['restore', 'nothing'], 'there is no copy of this name'],
    ['a name that leads out of the folder', ['restore', '../record.json'], 'there is no copy of this name'],
    ['--to without restore', ['--to', 'x'], 'belong to copies restore'],
  ] as const)('%s', async ([, args, message], { world }) => {
    await fixed(world)

    const ran = await copies(world, ...args)

    expect(ran.exitCode).toBe(1)
    expect(ran.stderr).toContain(message)
  })
})
