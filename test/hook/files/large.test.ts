import { createHash } from 'node:crypto'
import { closeSync, copyFileSync, openSync, readdirSync, readSync, truncateSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { armIn, type Armed } from '../../helpers/armed.ts'
import { IS_LONG } from '../../helpers/long.ts'
import { copiesIn } from '../../helpers/standard.ts'
import { test, type World } from '../../helpers/world.ts'

const MIB = 1024 * 1024
/** Over what a hook holds in memory. */
const SIZE_MIB = IS_LONG ? 500 : 20

/** Digest of a file that may be too large for one buffer. */
function digestOfFile(file: string): string {
  const hash = createHash('sha256')
  const chunk = Buffer.alloc(MIB)
  const descriptor = openSync(file, 'r')
  for (let got = readSync(descriptor, chunk); got > 0; got = readSync(descriptor, chunk))
    hash.update(chunk.subarray(0, got))
  closeSync(descriptor)
  return hash.digest('hex')
}

const RANDOM = `head -c ${String(SIZE_MIB * MIB)} /dev/urandom > src/big.bin`
const LINES = (end: string) =>
  `yes 'const total = price(cart); // $Id$' | sed 's/$/${end}/' | head -c ${String(SIZE_MIB * MIB)} > src/big.bin`

/** How the file comes to be, by the attributes that convert it. */
const KINDS: Readonly<Record<string, string>> = {
  'bytes in a file of their own': `printf '*.bin -text -delta\\n' > .gitattributes; ${RANDOM}`,
  'CRLF under eol=crlf': `printf '*.bin text eol=crlf\\n' > .gitattributes; ${LINES('\\r')}`,
  'CRLF that git took in as it is': LINES('\\r'),
  ident: `printf '*.bin ident\\n' > .gitattributes; ${LINES('')}`,
  'a filter driver': `printf '*.bin filter=shift\\n' > .gitattributes
    git config filter.shift.clean 'tr a-y b-z'; git config filter.shift.smudge 'tr b-z a-y'; ${LINES('')}`,
}

async function armedWith(world: World, script: string, after = ''): Promise<Armed> {
  world.env['GSTACK_SKILL_GATE_DEADLINE_MS'] = '20000'
  const setup = `new_repo; git config core.compression 0; ${script}; touch -d 2020-01-01 src/big.bin; save; ${after}`
  return await armIn(world, await world.shellRepo(setup))
}

function change(file: string): void {
  const descriptor = openSync(file, 'r+')
  writeSync(descriptor, 'fix', 7 * MIB)
  closeSync(descriptor)
  truncateSync(file, (SIZE_MIB - 1) * MIB)
}

async function expectBack({ repo, session }: Armed): Promise<void> {
  const file = repo.path('src/big.bin')
  const before = digestOfFile(file)
  change(file)
  const changed = digestOfFile(file)

  const answer = await session.check('PostToolUse')

  expect(answer.decision, answer.stderr).toBe('block')
  expect(digestOfFile(file)).toBe(before)
  expect(copiesIn(answer.reason, session).map(digestOfFile)).toEqual([changed])
  expect((await session.check('PreToolUse')).stdout).toBe('')
  expect(leftovers({ session })).toEqual([])
}

const leftovers = ({ session }: Pick<Armed, 'session'>): string[] =>
  readdirSync(join(session.stateFolder, 'scratch')).filter((name) => /^(?:large|in|out)-/.test(name))

describe(`a file of ${String(SIZE_MIB)} MiB comes back, and its copy is whole:`, { timeout: 240_000 }, () => {
  for (const [kind, script] of Object.entries(KINDS))
    test(kind, async ({ world }) => {
      // As git checks it out: what was just written is not expanded yet.
      await expectBack(await armedWith(world, script, 'rm src/big.bin; git checkout -q -- src/big.bin'))
    })

  test('bytes in a pack', async ({ world }) => {
    await expectBack(await armedWith(world, RANDOM, 'git repack -qad'))
  })

  test('text that was not committed yet', async ({ world }) => {
    await expectBack(await armedWith(world, RANDOM, 'printf mine >> src/big.bin'))
  })

  test('text that was only staged', async ({ world }) => {
    const { repo, session } = await armedWith(world, RANDOM, 'printf mine >> src/big.bin; git add src')
    const staged = repo.git('rev-parse', ':src/big.bin')
    change(repo.path('src/big.bin'))
    repo.git('add', 'src')

    const answer = await session.check('PostToolUse')

    expect(answer.decision, answer.stderr).toBe('block')
    expect(repo.git('rev-parse', ':src/big.bin')).toBe(staged)
    expect(repo.git('diff', '--stat')).toBe('')
  })
})

describe('a large file', { timeout: 120_000 }, () => {
  test('of an old commit is folded, and comes back as that from then on', async ({ world }) => {
    const next = 'cp src/big.bin old; printf next >> src/big.bin; save next; rm old'
    const { repo, session } = await armedWith(world, RANDOM, next)
    repo.git('checkout', '-q', 'HEAD~1', '--', 'src/big.bin')
    const old = digestOfFile(repo.path('src/big.bin'))
    expect((await session.check('PostToolUse')).decision).toBeUndefined()
    change(repo.path('src/big.bin'))

    const answer = await session.check('PostToolUse')

    expect(answer.decision, answer.stderr).toBe('block')
    expect(digestOfFile(repo.path('src/big.bin'))).toBe(old)
  })

  test('is compared by its sizes alone', async ({ world }) => {
    const { repo, session } = await armedWith(world, RANDOM)
    change(repo.path('src/big.bin'))

    const { stdout, exitCode } = await world.program(
      'gstack-skill-gates',
      ...['diagnose', '--session', session.id, '--diff'],
    )

    expect(exitCode).toBe(4)
    expect(stdout).toContain(`${String(SIZE_MIB * MIB)} and ${String((SIZE_MIB - 1) * MIB)} bytes`)
  })

  test('leaves nothing behind when its check is killed', async ({ world }) => {
    const at = await armedWith(world, RANDOM)
    change(at.repo.path('src/big.bin'))
    copyFileSync(at.repo.path('src/big.bin'), join(world.folder, 'changed'))
    await at.session.hook('PostToolUse', { run: { killPoint: 'replace-write' } })
    expect(leftovers(at)).not.toEqual([])

    const answer = await at.session.check('PostToolUse')

    expect(leftovers(at)).toEqual([])
    expect(copiesIn(answer.reason, at.session).map(digestOfFile)).toEqual([
      digestOfFile(join(world.folder, 'changed')),
    ])
  })
})
