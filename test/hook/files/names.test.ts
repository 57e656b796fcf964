import { describe, expect } from 'vitest'
import { showPath, repoPathFromText } from '../../../src/core/ids.ts'
import { armIn } from '../../helpers/armed.ts'
import { checkStep, expectStandard } from '../../helpers/standard.ts'
import { test } from '../../helpers/world.ts'

describe('a change of letter case alone', () => {
  const SETUP = "new_repo; printf 'a\\n' > src/Read.js; printf 'b\\n' > src/b.js; save"

  for (const ignorecase of ['false', 'true']) {
    test(`by git mv is a change, and the new name stays (core.ignorecase=${ignorecase})`, async ({
      world,
    }) => {
      const { repo, session } = await armIn(
        world,
        await world.shellRepo(`${SETUP}; git config core.ignorecase ${ignorecase}`),
      )
      repo.sh('git mv -f src/Read.js src/read.js')

      const answer = await session.check('PostToolUse')

      expect(answer.reason).toContain('src/Read.js')
      expect(repo.read('src/Read.js')).toBe('a\n')
      expect(repo.read('src/read.js')).toBe('a\n')
      expect((await session.check('PostToolUse')).stdout).toBe('')
    })
  }
})

const TWINS: readonly [name: string, first: string, second: string, config: string][] = [
  ['names that differ by case, under a wrong core.ignorecase', 'src/Twin.js', 'src/twin.js', 'ignorecase'],
  ['both normal forms of a name', 'src/caf\u00e9.js', 'src/cafe\u0301.js', 'precomposeunicode'],
]
describe.each(TWINS)('%s', (_, first, second, setting) => {
  const setup = `new_repo; printf 'one\\n' > ${first}; printf 'two\\n' > ${second}; save; git config core.${setting} true`

  test('are two files, each with its own content and entry', async ({ world }) => {
    const { repo, session } = await armIn(world, await world.shellRepo(setup))

    const step = await checkStep({ world, repo, session, event: 'PostToolUse' }, () =>
      repo.sh(`echo fix > ${first}; echo fix >> ${second}; git add ${second}`),
    )

    expect(step.answer.reason).toContain(showPath(repoPathFromText(first)))
    expect(step.answer.reason).toContain(showPath(repoPathFromText(second)))
    expect(step.after).toEqual(step.before)
    expect((await session.check('PostToolUse')).stdout).toBe('')
  })

  test('one of which was dirty keeps its own dirty text', async ({ world }) => {
    const { repo, session } = await armIn(world, await world.shellRepo(`${setup}; echo user >> ${first}`))

    const step = await checkStep({ world, repo, session, event: 'PostToolUse' }, () => repo.remove(first))

    await expectStandard(step, [first])
    expect(repo.read(first)).toBe('one\nuser\n')
    expect(repo.read(second)).toBe('two\n')
  })
})

/** Folders of 250 bytes, so that the path in the repository has about this many. */
const deepPath = (bytes: number): string =>
  `${Array.from({ length: Math.floor(bytes / 250) }, (_, i) => `d${String(i)}`.padEnd(249, 'x')).join('/')}/f.js`

describe('a long path is put back when it is', () => {
  const paths: readonly [name: string, path: string][] = [
    ['a name of 255 bytes', `src/${'n'.repeat(252)}.js`],
    ['a name of 255 bytes in letters of two', `src/${'é'.repeat(126)}.js`],
    ['a path of 4,000 bytes', deepPath(4_000)],
  ]
  for (const [name, path] of paths) {
    test(name, async ({ world }) => {
      const setup = `new_repo; mkdir -p "$(dirname '${path}')"; printf 'a\\n' > '${path}'; printf 'b\\n' > src/b.js; save`
      const { repo, session } = await armIn(world, await world.shellRepo(setup))

      const step = await checkStep({ world, repo, session, event: 'PostToolUse' }, () =>
        repo.sh(`echo fix >> '${path}'; echo fix >> src/b.js`),
      )

      expect(step.answer.decision, step.answer.stderr).toBe('block')
      expect(repo.read('src/b.js')).toBe('b\n')
      expect(repo.read(path)).toBe('a\n')
      expect((await session.check('PostToolUse')).stdout).toBe('')
      repo.sh(`rm '${path}'`)
      await session.check('PostToolUse')
      expect(repo.read(path)).toBe('a\n')
    })
  }
})

test('a path that is too long for the whole way names itself alone when a driver stands before it', async ({
  world,
}) => {
  const path = deepPath(4_000)
  const { repo, session } = await armIn(
    world,
    await world.shellRepo(`
new_repo; git config filter.rot.clean "tr a-z n-za-m"; git config filter.rot.smudge "tr a-z n-za-m"
printf '*.js filter=rot\\n' > .gitattributes
mkdir -p "$(dirname '${path}')"; printf 'a\\n' > '${path}'; printf 'b\\n' > src/b.js; touch -d 2020-01-01 src/b.js '${path}'; save`),
  )
  repo.sh(`echo fix >> '${path}'; echo fix >> src/b.js`)

  const answer = await session.check('PostToolUse')

  expect(answer.decision, answer.stderr).toBe('block')
  expect(repo.read('src/b.js')).toBe('b\n')
  if (repo.read(path) !== 'a\n') expect(answer.reason).toContain('GATE_RESTORE_FAILED')
})

test('names that are quoted, patterns or not UTF-8 come back through a filter driver, too', async ({
  world,
}) => {
  const NAMES = String.raw`NAMES=( 'with space.js' $'tab\there.js' $'new\nline.js' 'quote"q.js' 'back\slash.js' '-dash.js' ':(top)colon.js' '*.js' '[x].js' $'caf\351.js' $'dir\377/f.js' )`
  const { repo, session } = await armIn(
    world,
    await world.shellRepo(`
new_repo; ${NAMES}; mkdir -p $'src/dir\\377'
git config filter.rot.clean "tr a-z n-za-m"; git config filter.rot.smudge "tr a-z n-za-m"
printf '*.js filter=rot\\n' > .gitattributes
for n in "\${NAMES[@]}"; do printf 'x\\n' > "src/$n"; done; save`),
  )
  const before = repo.snapshot()
  repo.sh(`${NAMES}; for n in "\${NAMES[@]}"; do echo fix >> "src/$n"; done; rm 'src/*.js'`)

  const answer = await session.check('PostToolUse')

  expect(answer.decision, answer.stderr).toBe('block')
  expect(answer.reason).not.toContain('GATE_RESTORE_FAILED')
  expect(repo.snapshot()).toEqual(before)
})
