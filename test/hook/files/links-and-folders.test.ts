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
import { armIn } from '../../helpers/armed.ts'
import { checkStep, expectStandard } from '../../helpers/standard.ts'
import { test } from '../../helpers/world.ts'

const DEEP = "new_repo; mkdir -p a/b/c; printf 'deep\\n' > a/b/c/f.js; printf 'k\\n' > src/k.js; save"

describe('each parent of a file that becomes a link is refused, and nothing is written behind it:', () => {
  for (const parent of ['a', 'a/b', 'a/b/c']) {
    for (const where of ['outside', 'nowhere', 'itself'] as const) {
      test(`${parent}, leading ${where}`, async ({ world }) => {
        const { repo, session } = await armIn(world, await world.shellRepo(DEEP))
        const outside = join(world.home, 'outside')
        mkdirSync(join(outside, 'b/c'), { recursive: true })
        mkdirSync(join(outside, 'c'))
        for (const folder of ['b/c', 'c', '.']) writeFileSync(join(outside, folder, 'f.js'), 'private\n')
        repo.sh(`mv ${parent} ${parent}.real; echo fix >> src/k.js`)
        const targets = { outside, nowhere: join(outside, 'none'), itself: repo.path(parent) }
        symlinkSync(targets[where], repo.path(parent))

        const answer = await session.check('PostToolUse')

        expect(answer.reason).toContain('GATE_RESTORE_FAILED')
        expect(answer.reason).toContain('a/b/c/f.js (a parent is a link')
        expect(repo.read('src/k.js')).toBe('k\n')
        expect(readlinkSync(repo.path(parent))).toBe(targets[where])
        for (const folder of ['b/c', 'c', '.'])
          expect(readFileSync(join(outside, folder, 'f.js'), 'utf8')).toBe('private\n')
        expect(existsSync(join(outside, 'none'))).toBe(false)
        repo.sh(`rm ${parent}; mv ${parent}.real ${parent}`)
        expect((await session.check('PostToolUse')).stdout).toBe('')
      })
    }
  }
})

describe('a file and a folder that change places', () => {
  const SETUP = "new_repo; mkdir lib; printf 'a\\n' > src/a.js; printf 'l\\n' > lib/l.js; save"
  const swaps: readonly [name: string, there: string, back: string][] = [
    ['a file', 'mv src/a.js k; mkdir src/a.js; echo notes > src/a.js/n', 'rm -r src/a.js; mv k src/a.js'],
    ['a folder', 'mv lib k; echo data > lib', 'rm lib; mv k lib'],
  ]
  for (const [name, there, back] of swaps) {
    test(`and back, before a check, leave ${name} unchanged`, async ({ world }) => {
      const { repo, session } = await armIn(world, await world.shellRepo(SETUP))
      repo.sh(`${there}; ${back}`)

      expect((await session.check('PostToolUse')).stdout).toBe('')
    })

    test(`and back, with a check between, leave ${name} unchanged`, async ({ world }) => {
      const { repo, session } = await armIn(world, await world.shellRepo(SETUP))
      repo.sh(there)
      const refused = await session.check('PostToolUse')
      repo.sh(back)

      expect(refused.reason).toContain('GATE_RESTORE_FAILED')
      expect((await session.check('PostToolUse')).stdout).toBe('')
      expect(repo.status()).toBe('')
    })
  }

  test('by a switch to an old branch are followed there and back', async ({ world }) => {
    const setup = `${SETUP}
git checkout -q -b other; git rm -q src/a.js lib/l.js; mkdir -p src/a.js; echo o > src/a.js/o.js; echo l > lib; save other
git checkout -q main`
    const { repo, session } = await armIn(world, await world.shellRepo(setup))
    const answers = []
    for (const branch of ['other', 'main']) {
      repo.git('checkout', '-q', branch)
      answers.push((await session.check('PostToolUse')).stdout)
    }
    repo.git('checkout', '-q', 'other')

    const step = await checkStep({ world, repo, session, event: 'PostToolUse' }, () =>
      repo.sh('echo fix >> src/a.js/o.js; echo fix >> lib'),
    )

    expect(answers).toEqual(['', ''])
    await expectStandard(step, ['src/a.js/o.js', 'lib'])
  })
})

test('a whole tree that is deleted comes back, links and modes included', async ({ world }) => {
  const setup = `${DEEP}; ln -s a/b link; printf 'x\\n' > run.sh; chmod +x run.sh; save more`
  const { repo, session } = await armIn(world, await world.shellRepo(setup))
  const { workTree } = repo.snapshot()

  repo.sh('find . -mindepth 1 -maxdepth 1 ! -name .git -exec rm -r {} +')
  const answer = await session.check('PostToolUse')

  expect(answer.decision, answer.stderr).toBe('block')
  // A tracked link is no gated file.
  expect(lstatSync(repo.path('link'), { throwIfNoEntry: false })).toBeUndefined()
  const { link: _, ...files } = workTree
  expect(repo.snapshot().workTree).toEqual(files)
})
