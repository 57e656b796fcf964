import { describe, expect } from 'vitest'
import { armed } from '../../helpers/armed.ts'
import type { Repo } from '../../helpers/repo.ts'
import type { Session } from '../../helpers/session.ts'
import { checkStep, expectStandard } from '../../helpers/standard.ts'
import { test } from '../../helpers/world.ts'

/** Content that git brought back is old: it stays, and nobody hears of it. */
async function expectFolded(repo: Repo, session: Session, script: string): Promise<void> {
  repo.sh(script)
  const acted = repo.snapshot()

  const answers = [
    await session.check('PostToolUse'),
    await session.check('PreToolUse'),
    await session.stop(),
  ]

  expect(answers.map(({ decision, reason }) => decision ?? reason)).toEqual(['', '', ''])
  expect(repo.snapshot()).toEqual(acted)
}

describe('old content is folded into the baseline:', () => {
  const folds: readonly [string, string, string][] = [
    ['git checkout -- f', 'dirty-start', 'git checkout -q -- src/edited.js'],
    ['git checkout of a deleted file', 'dirty-start', 'git checkout -q -- src/deleted.js'],
    ['git restore of everything', 'dirty-start', 'git restore .'],
    ['git reset --hard', 'staged-only', 'git reset -q --hard'],
    ['git reset of what was staged', 'staged-only', 'git reset -q'],
    ['git stash', 'dirty-start', 'git stash push -q'],
    ['git stash and pop', 'dirty-start', 'git stash push -q; git stash pop -q'],
    [
      'git stash, a check between, and pop',
      'partially-staged',
      'git stash push -q; git stash pop -q --index',
    ],
    ['a stash entry from before', 'stash-before', 'git stash pop -q'],
    ['an old branch', 'branch-behind', 'git checkout -q old'],
    ['an old branch and back', 'branch-behind', 'git checkout -q old; git checkout -q feature'],
    ['an older commit, detached', 'branch-behind', 'git checkout -q HEAD~2'],
    ['one file of an older commit', 'branch-behind', 'git checkout -q old -- src/cart.js'],
    ['a merge of an old branch', 'branch-behind', 'git checkout -q main; git merge -q feature'],
    ['git pull', 'remote-ahead', 'git pull -q'],
    [
      'git fetch and a hard reset to upstream',
      'remote-ahead',
      'git fetch -q; git reset -q --hard origin/main',
    ],
    ['git bisect', 'branch-behind', 'git bisect start -q HEAD old >/dev/null'],
  ]
  for (const [name, shape, script] of folds) {
    test(name, async ({ world }) => {
      const { repo, session } = await armed(world, shape)

      await expectFolded(repo, session, script)
    })
  }

  test('stash, a check, and pop', async ({ world }) => {
    const { repo, session } = await armed(world, 'dirty-start')
    const status = repo.status()

    await expectFolded(repo, session, 'git stash push -q')
    await expectFolded(repo, session, 'git stash pop -q')

    expect(repo.status()).toBe(status)
    expect(repo.read('src/edited.js')).toBe('one\nuser line')
  })

  test('content equal to the baseline, written anew', async ({ world }) => {
    const { repo, session } = await armed(world, 'dirty-start')

    await expectFolded(repo, session, "printf 'one\\nuser line' > k; chmod 600 k; mv k src/edited.js")
  })

  test('content that was the baseline before another fold', async ({ world }) => {
    const { repo, session } = await armed(world, 'dirty-start')

    await expectFolded(repo, session, 'cp src/edited.js ../kept; git checkout -q -- src/edited.js')
    await expectFolded(repo, session, 'cat ../kept > src/edited.js')
  })
})

describe('after a fold', () => {
  test('the folded content is what is put back', async ({ world }) => {
    const { repo, session } = await armed(world, 'dirty-start')
    repo.sh('git checkout -q -- src/edited.js')
    await session.check('PostToolUse')

    const step = await checkStep({ world, repo, session, event: 'PostToolUse' }, () =>
      repo.append('src/edited.js', 'fix\n'),
    )

    await expectStandard(step, ['src/edited.js'])
    expect(repo.read('src/edited.js')).toBe('one\n')
  })

  test('of a branch switch its files are the baseline', async ({ world }) => {
    const { repo, session } = await armed(world, 'branch-behind')
    repo.sh('git checkout -q old')
    await session.check('PostToolUse')

    const step = await checkStep({ world, repo, session, event: 'PostToolUse' }, () =>
      repo.sh('echo fix >> src/cart.js; echo fix >> src/gone.js'),
    )

    await expectStandard(step, ['src/cart.js', 'src/gone.js'])
  })

  test('a fix in the same command as the switch goes back to the checked-out branch', async ({ world }) => {
    const { repo, session } = await armed(world, 'branch-behind')

    repo.sh('git checkout -q old; echo fix >> src/cart.js')
    const answer = await session.check('PostToolUse')

    expect(answer.decision).toBe('block')
    expect(repo.read('src/cart.js')).toBe('old cart\n')
    expect(repo.git('symbolic-ref', 'HEAD')).toBe('refs/heads/old')
    expect(repo.status()).toBe('')
  })

  test('the user’s own text stays in the session folder', async ({ world }) => {
    const { repo, session } = await armed(world, 'dirty-start')
    repo.sh('git checkout -q -- src/edited.js')
    await session.check('PostToolUse')
    await session.stop()

    const found = await world.run('grep', ['-rlF', 'user line', session.stateFolder])

    expect(found.stdout).not.toBe('')
  })
})

describe('new content is not old because', () => {
  const detours: readonly [string, string][] = [
    ['it went through a new stash entry', 'echo fix >> src/edited.js; git stash push -q; git stash pop -q'],
    ['its blob is in the object database', 'echo fix >> src/edited.js; git hash-object -w src/edited.js'],
    ['it was staged', 'echo fix >> src/edited.js; git add src/edited.js'],
    ['another path holds it', 'echo both > src/edited.js'],
  ]
  for (const [name, script] of detours) {
    test(name, async ({ world }) => {
      const { repo, session } = await armed(world, 'dirty-start')
      repo.sh(script)

      const answer = await session.check('PostToolUse')

      expect(answer.decision).toBe('block')
      expect(answer.reason).toContain('src/edited.js')
      expect(repo.read('src/edited.js')).toBe('one\nuser line')
    })
  }
})
