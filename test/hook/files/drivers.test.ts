import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { armIn } from '../../helpers/armed.ts'
import { checkStep, expectStandard } from '../../helpers/standard.ts'
import { test, type World } from '../../helpers/world.ts'

/** A store of large files beside the repository: the repository has pointers, `filter.mjs` of the test fetches contents. */
const LFS_FILTER = new URL('../../helpers/large-file-filter.mjs', import.meta.url).pathname

/**
 * Two files behind a driver and one that is not.
 *
 * @param kind `process` keeps one program running for all files, `one-shot` starts one for each
 */
async function lfsRepo(world: World, kind: 'process' | 'one-shot') {
  const command = join(world.folder, 'large-files')
  const store = join(world.folder, 'store')
  mkdirSync(store)
  writeFileSync(
    command,
    `#!/bin/sh\necho "$1" >> ${store}/calls\nexec ${process.execPath} ${LFS_FILTER} ${store} "$1"\n`,
    { mode: 0o755 },
  )
  const settings =
    kind === 'process'
      ? `git config filter.big.process '${command} process'`
      : `git config filter.big.clean '${command} clean'; git config filter.big.smudge '${command} smudge'`
  const repo = await world.shellRepo(`
new_repo
${settings}; git config filter.big.required true
printf '*.bin filter=big -text\\n' > .gitattributes
printf 'one\\r\\n\\000' > src/a.bin; printf 'two\\n' > src/b.bin; printf 'k\\n' > src/k.js
for i in 1 2 3 4 5 6 7 8; do cp src/b.bin src/c$i.bin; done
touch -d 2020-01-01 src/*; save`)
  const calls = (): string[] =>
    existsSync(`${store}/calls`) ? readFileSync(`${store}/calls`, 'utf8').trim().split('\n') : []
  return { ...(await armIn(world, repo)), command, calls }
}

describe.each(['process', 'one-shot'] as const)('behind a %s driver', (kind) => {
  test('files come back in their working form', async ({ world }) => {
    const { repo, session } = await lfsRepo(world, kind)
    expect(repo.git('cat-file', '-p', ':src/b.bin')).toMatch(/^pointer [0-9a-f]{64}$/)

    const step = await checkStep({ world, repo, session, event: 'PostToolUse' }, () =>
      repo.sh('echo fix >> src/a.bin; rm src/b.bin; echo fix >> src/k.js; git add -A'),
    )

    await expectStandard(step, ['src/a.bin', 'src/b.bin', 'src/k.js'])
    expect(repo.read('src/b.bin')).toBe('two\n')
  })

  test('touched files and those of an old commit are no change', async ({ world }) => {
    const { repo, session } = await lfsRepo(world, kind)
    repo.sh('touch src/a.bin; echo fix > src/b.bin; git checkout -q -- src/b.bin')

    expect((await session.check('PostToolUse')).stdout).toBe('')
  })

  test('a pointer in the place of its content is a change', async ({ world }) => {
    const { repo, session } = await lfsRepo(world, kind)

    const step = await checkStep({ world, repo, session, event: 'PostToolUse' }, () =>
      repo.sh('git cat-file -p :src/b.bin > k; mv k src/b.bin'),
    )

    await expectStandard(step, ['src/b.bin'])
  })

  for (const [name, breakIt] of [
    ['breaks', (command: string) => writeFileSync(command, '#!/bin/sh\nexit 1\n')],
    ['is missing', rmSync],
  ] as const) {
    test(`that ${name} since files keep what they hold, and others are put back`, async ({ world }) => {
      const { repo, session, command } = await lfsRepo(world, kind)
      repo.git('config', 'filter.big.required', String(name === 'breaks'))
      repo.sh('echo fix > src/a.bin; echo fix >> src/k.js')
      breakIt(command)

      const answer = await session.check('PostToolUse')

      expect(answer.reason).toContain('GATE_RESTORE_FAILED')
      expect(answer.reason).toMatch(/src\/a\.bin \(its content could not be made/)
      expect(repo.read('src/a.bin')).toBe('fix\n')
      expect(repo.read('src/k.js')).toBe('k\n')
      expect((await session.check('PostToolUse')).stdout).toBe('')
    })
  }

  test('that is repaired again the file comes back', async ({ world }) => {
    const { repo, session, command } = await lfsRepo(world, kind)
    const program = readFileSync(command)
    repo.sh('echo fix > src/a.bin')
    writeFileSync(command, '#!/bin/sh\nexit 1\n')
    await session.check('PostToolUse')
    writeFileSync(command, program)

    const answer = await session.check('PostToolUse')

    expect(answer.decision).toBe('block')
    expect(repo.read('src/a.bin')).toBe('one\r\n\0')
  })

  test('many files start it a bounded number of times', async ({ world }) => {
    const { repo, session, calls } = await lfsRepo(world, kind)
    repo.sh('for i in 1 2 3 4 5 6 7 8; do echo fix >> src/c$i.bin; done')
    const before = calls().length

    await session.check('PostToolUse')

    expect(calls().length - before).toBeLessThanOrEqual(kind === 'process' ? 3 : 24)
  })
})

describe('a driver cannot be used to hide a fix', () => {
  const ROT = `
new_repo
git config filter.rot.clean "tr a-z n-za-m"; git config filter.rot.smudge "tr a-z n-za-m"; git config filter.rot.required true
printf 'src/big.js filter=rot\\n' > .gitattributes
printf 'hello\\n' > src/big.js; printf 'k\\n' > src/k.js; touch -d 2020-01-01 src/*; save
`
  const tricks: readonly [name: string, script: string][] = [
    ['by another clean command', "git config filter.rot.clean 'echo uryyb'"],
    [
      'by both commands changed',
      "git config filter.rot.clean 'echo uryyb'; git config filter.rot.smudge 'cat src/big.js || echo fix'",
    ],
    ['by a process that is added', "git config filter.rot.process 'false'"],
    [
      'by another driver in info/attributes',
      "git config filter.evil.clean 'echo uryyb'; git config filter.evil.smudge cat; mkdir -p .git/info; echo 'src/* filter=evil' > .git/info/attributes",
    ],
    [
      'by another driver in .gitattributes',
      "git config filter.evil.clean 'echo uryyb'; git config filter.evil.smudge cat; echo 'src/* filter=evil' > .gitattributes",
    ],
  ]
  for (const [name, script] of tricks) {
    test(name, async ({ world }) => {
      const { repo, session } = await armIn(world, await world.shellRepo(ROT))
      repo.sh(`${script}; echo fix > src/big.js; echo fix > src/k.js`)

      const answer = await session.check('PostToolUse')

      expect(answer.reason).toContain('src/big.js')
      expect(repo.read('src/k.js')).toBe('k\n')
      if (repo.read('src/big.js') !== 'hello\n') expect(answer.reason).toContain('GATE_RESTORE_FAILED')
    })
  }
})
