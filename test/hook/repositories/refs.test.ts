import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { describe, expect } from 'vitest'
import { CAUSE } from '../../helpers/armed.ts'
import { IS_LONG } from '../../helpers/long.ts'
import type { Repo } from '../../helpers/repo.ts'
import { test } from '../../helpers/world.ts'
import { armIn } from '../../helpers/armed.ts'
import { BASE, expectHeld, guard, STAGED_FIX } from './guarded.ts'

const MANY = IS_LONG ? 50_000 : 5_000

const numbered = (count: number): string[] =>
  Array.from({ length: count }, (_, at) => String(at).padStart(6, '0'))

/** Branches, tags and remote branches, a third each, all at HEAD. */
function packRefs(repo: Repo, count: number): void {
  const tip = repo.git('rev-parse', 'HEAD')
  const names = ['heads/many', 'remotes/origin/many', 'tags/many'].flatMap((folder) =>
    numbered(Math.floor(count / 3)).map((name) => `refs/${folder}/${name}`),
  )
  const lines = [`refs/heads/main`, ...names].sort().map((name) => `${tip} ${name}\n`)
  writeFileSync(
    repo.path('.git/packed-refs'),
    `# pack-refs with: peeled fully-peeled sorted \n${lines.join('')}`,
  )
}

describe('many refs', () => {
  test(`(${String(MANY)}, packed) neither hide a fix nor a commit`, async ({ world }) => {
    if (IS_LONG) world.env['GSTACK_SKILL_GATE_DEADLINE_MS'] = '20000'
    const repo = await world.shellRepo(BASE)
    packRefs(repo, MANY)
    const guarded = { world, ...(await armIn(world, repo)) }
    const { session } = guarded
    const tip = repo.git('rev-parse', 'HEAD')
    repo.sh(`${STAGED_FIX}; git commit -qm fix; git update-ref refs/heads/many/000001 HEAD`)

    const answer = await session.check('PostToolUse')

    expect(answer.decision, answer.stderr).toBe('block')
    expect(repo.git('rev-parse', 'HEAD', 'refs/heads/many/000001')).toBe(`${tip}\n${tip}`)
    expect(repo.read('src/a.js')).toBe('a\n')
    expect((await session.check('PostToolUse')).stdout).toBe('')
  })

  test('with a commit each are read once, however many branches have a fix', async ({ world }) => {
    const repo = await world.shellRepo(`${BASE}
      awk -v base=$(git rev-parse HEAD) 'BEGIN { for (n = 1; n <= 10000; n++)
        printf "commit refs/tags/t%d\\ncommitter Dev <dev@example.invalid> %d +0000\\ndata 1\\nx\\nfrom %s\\n", n, 1767600000 + n, base
      }' | git fast-import --quiet; git pack-refs --all`)
    const { session } = await armIn(world, repo)
    const main = repo.git('rev-parse', 'main')
    repo.sh(`${STAGED_FIX}; tree=$(git write-tree); git reset -q --hard
      for n in $(seq 50); do
        echo "create refs/heads/fix-$n $(git commit-tree -m $n -p main $tree)"
      done | git update-ref --stdin`)

    const answer = await session.check('PostToolUse')

    expect(answer.decision, answer.stderr).toBe('block')
    const tips = repo.git('for-each-ref', '--format=%(objectname)', 'refs/heads/fix-*').split('\n')
    expect(tips).toEqual(Array.from({ length: 50 }, () => main))
  })

  test('(200, each a file of its own) are read all', async ({ world }) => {
    const repo = await world.shellRepo(BASE)
    const tip = repo.git('rev-parse', 'HEAD')
    mkdirSync(repo.path('.git/refs/heads/many'))
    for (const name of numbered(200)) writeFileSync(repo.path(`.git/refs/heads/many/${name}`), `${tip}\n`)
    const { session } = await armIn(world, repo)
    repo.sh(`git checkout -q many/000111; ${STAGED_FIX}; git commit -qm fix`)

    const answer = await session.check('PostToolUse')

    expect(answer.decision, answer.stderr).toBe('block')
    expect(repo.git('rev-parse', 'HEAD')).toBe(tip)
    expect(repo.git('symbolic-ref', 'HEAD')).toBe('refs/heads/many/000111')
  })
})

describe('a ref to something else than a commit', () => {
  const ODD = `git update-ref refs/odd/tree HEAD^{tree}; git update-ref refs/odd/blob HEAD:src/a.js
git tag tree HEAD^{tree}; git tag -a -m m note HEAD:src/b.js; git tag -a -m m tagged HEAD; git tag -a -m m twice tagged
git update-ref refs/remotes/origin/blob HEAD:src/a.js`

  test.for([
    ['loose', ''],
    ['packed', '; git pack-refs --all'],
  ])('(%s) disturbs nothing', async ([, more], { world }) => {
    const guarded = await guard(world, `${BASE}; ${ODD}${more ?? ''}`)
    const { repo, session } = guarded

    await expectHeld(guarded, STAGED_FIX)
    repo.sh(`${STAGED_FIX}; git commit -qm fix`)
    const answer = await session.check('PostToolUse')

    expect(answer.decision, answer.stderr).toBe('block')
    expect(repo.status()).toBe('')
  })

  test('made since does not make its content old', async ({ world }) => {
    const guarded = await guard(world, BASE)

    const { session, repo } = guarded
    repo.sh(
      `${STAGED_FIX}; git update-ref refs/odd/blob $(git hash-object -w src/a.js); git tag t refs/odd/blob`,
    )

    expect((await session.check('PostToolUse')).decision).toBe('block')
    expect(repo.read('src/a.js')).toBe('a\n')
  })
})

describe('a broken ref', () => {
  const BROKEN: readonly (readonly [string, string])[] = [
    ['that is empty', ': > .git/refs/heads/broken'],
    ['that is no id', 'echo nonsense > .git/refs/heads/broken'],
    ['of zeros', 'printf "%040d\\n" 0 > .git/refs/heads/broken'],
    ['to a missing object', 'echo 1234567890123456789012345678901234567890 > .git/refs/heads/broken'],
    ['to a branch that is not there', 'git symbolic-ref refs/heads/broken refs/heads/nowhere'],
    ['to itself', 'echo "ref: refs/heads/broken" > .git/refs/heads/broken'],
    [
      'with a name that git would not give',
      ': > ".git/refs/heads/a..b~ c"; cp .git/refs/heads/main ".git/refs/heads/d..e"',
    ],
  ]

  test.for(BROKEN)('%s disturbs nothing, older or made since', async ([, script], { world }) => {
    const { repo, session } = await guard(world, `${BASE}; ${script}; cp -a .git/refs/heads ../heads`)
    repo.sh(`${STAGED_FIX}; git commit -qm fix`)
    const older = await session.check('PostToolUse')
    expect(older.decision, older.stderr).toBe('block')
    expect(repo.read('src/a.js')).toBe('a\n')

    repo.sh(
      `for name in .git/refs/heads/*; do cp "$name" "$name-2" 2>/dev/null; done; rm -f .git/refs/heads/main-2; ${STAGED_FIX}; git commit -qm fix`,
    )
    const since = await session.check('PostToolUse')
    expect(since.decision, since.stderr).toBe('block')
    expect(repo.read('src/a.js')).toBe('a\n')

    session.reads('src/a.js').says(`Root cause: ${CAUSE}`)
    expect((await session.check('PreToolUse')).markers).toMatchObject([{ event: 'released' }])
  })

  test('in packed-refs, and lines that are none, are passed over', async ({ world }) => {
    const repo = await world.shellRepo(`${BASE}; git pack-refs --all`)
    appendFileSync(
      repo.path('.git/packed-refs'),
      '\nnonsense\n^\n1234567890123456789012345678901234567890 refs/tags/gone\n',
    )
    const { session } = await armIn(world, repo)
    repo.append('src/a.js', 'fix\n')

    expect((await session.check('PostToolUse')).decision).toBe('block')
  })
})
