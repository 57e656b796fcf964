import { closeSync, openSync, utimesSync, statSync } from 'node:fs'
import { describe, expect } from 'vitest'
import { armed } from '../../helpers/armed.ts'
import { CHECK_EVENTS } from '../../helpers/session.ts'
import { checkStep, copiesIn, expectStandard } from '../../helpers/standard.ts'
import { test } from '../../helpers/world.ts'

describe('a fix write is put back', () => {
  for (const event of CHECK_EVENTS) {
    test(`at the next ${event}, which is blocked`, async ({ world }) => {
      const { repo, session } = await armed(world)

      const step = await checkStep({ world, repo, session, event }, () =>
        repo.sh("sed -i 's/sum + /sum - /' src/cart.js"),
      )

      await expectStandard(step, ['src/cart.js'])
      expect(step.answer.markers).toMatchObject([
        { event: 'blocked', fields: { via: event === 'Stop' ? 'stop' : 'bash', files: '1' } },
      ])
    })
  }

  const writes: readonly [string, string, string[]][] = [
    ['by a redirect', 'echo fix > src/cart.js', ['src/cart.js']],
    ['by tee in two files', 'echo fix | tee src/cart.js >> src/price.js', ['src/cart.js', 'src/price.js']],
    ['that deletes the file', 'rm src/cart.js', ['src/cart.js']],
    ['that deletes a folder', 'rm -r src/deep', ['src/deep/rate.js']],
    ['that renames the file', 'mv src/cart.js src/basket.js', ['src/cart.js']],
    ['that is staged', 'echo fix >> src/cart.js; git add src/cart.js', ['src/cart.js']],
    [
      'that is staged and undone in the work tree',
      'cp src/cart.js k; echo fix >> src/cart.js; git add src/cart.js; mv k src/cart.js',
      ['src/cart.js'],
    ],
    [
      'by git apply',
      "printf '%s\\n' '--- a/src/deep/rate.js' '+++ b/src/deep/rate.js' '@@ -1 +1 @@' '-export const RATE = 7' '+export const RATE = 8' | git apply",
      ['src/deep/rate.js'],
    ],
    ['of a script', 'echo fix >> bin/run.sh', ['bin/run.sh']],
    ['of a hidden file', "echo '*.tmp' >> .gitignore", ['.gitignore']],
  ]
  for (const [name, script, files] of writes) {
    test(name, async ({ world }) => {
      const { repo, session } = await armed(world)

      const step = await checkStep({ world, repo, session, event: 'PostToolUse' }, () => repo.sh(script))

      if (name === 'that is staged and undone in the work tree') {
        expect(step.answer.decision).toBe('block')
        expect(step.after.index).toBe(step.before.index)
        return
      }
      await expectStandard(step, files)
    })
  }

  test('when size and time of the file are as before', async ({ world }) => {
    const { repo, session } = await armed(world)
    const { atime, mtime } = statSync(repo.path('src/price.js'))
    const text = repo.read('src/price.js')

    repo.write('src/price.js', text.replace('*', '+'))
    utimesSync(repo.path('src/price.js'), atime, mtime)
    const answer = await session.check('PostToolUse')

    expect(answer.decision).toBe('block')
    expect(repo.read('src/price.js')).toBe(text)
  })

  test('whichever call made it: a background write is found at the next call', async ({ world }) => {
    const { repo, session } = await armed(world)
    const { post } = await session.bash(
      '(until [ -e ../go ]; do sleep 0.02; done; echo late >> src/cart.js; touch ../done) >/dev/null 2>&1 &',
    )
    repo.sh('touch ../go; until [ -e ../done ]; do sleep 0.02; done')

    const answer = await session.check('PreToolUse')

    expect(post?.decision).toBeUndefined()
    expect(answer.decision).toBe('deny')
    expect(repo.read('src/cart.js')).toBe(repo.committed('src/cart.js'))
  })

  test('by an edit of another file, which is denied', async ({ world }) => {
    const { repo, session } = await armed(world)
    repo.append('src/cart.js', 'fix\n')

    const answer = await session.edit(repo.path('notes.js'), 'note\n')

    expect(answer).toMatchObject({ decision: 'deny' })
    expect(answer.markers).toMatchObject([{ event: 'blocked', fields: { via: 'edit' } }])
    expect(repo.read('src/cart.js')).toBe(repo.committed('src/cart.js'))
  })

  test('again and again, each time with a copy of its own', async ({ world }) => {
    const { repo, session } = await armed(world)

    for (const fix of ['one', 'two', 'three']) {
      const step = await checkStep({ world, repo, session, event: 'PostToolUse' }, () =>
        repo.write('src/cart.js', fix),
      )
      await expectStandard(step, ['src/cart.js'])
    }
  })

  test('when the command that made it failed', async ({ world }) => {
    const { repo, session } = await armed(world)

    const { post } = await session.bash('echo fix >> src/cart.js; exit 3')

    expect(post?.decision).toBe('block')
    expect(repo.status()).toBe('')
  })

  test('when a subagent made it', async ({ world }) => {
    const { repo, session } = await armed(world)

    const { post } = await session.subagent().bash('echo fix >> src/cart.js')

    expect(post?.decision).toBe('block')
    expect(repo.status()).toBe('')
  })
})

describe('no fix write', () => {
  const harmless: readonly [string, string][] = [
    ['a new untracked file', 'echo repro > src/repro.js'],
    ['a new file that is staged', 'echo repro > src/repro.js; git add src/repro.js'],
    ['a changed mode', 'chmod +x src/cart.js'],
    ['a touched file', 'touch src/cart.js'],
    ['the same bytes in a new file', 'cp src/cart.js k; mv k src/cart.js'],
    ['an ignored file', 'echo x > debug.log; mkdir out; echo y > out/z.js'],
    ['a new empty folder', 'mkdir src/empty'],
  ]
  for (const [name, script] of harmless) {
    test(`is ${name}`, async ({ world }) => {
      const { repo, session } = await armed(world)
      repo.sh(script)
      const acted = repo.snapshot()

      const answers = [await session.check('PostToolUse'), await session.stop()]

      expect(answers.map(({ stdout }) => stdout)).toEqual(['', ''])
      expect(repo.snapshot()).toEqual(acted)
    })
  }

  test('leaves the index file alone, byte for byte', async ({ world }) => {
    const { repo, session } = await armed(world)
    repo.sh('touch src/*.js')
    const index = repo.bytes('.git/index')

    await session.check('PostToolUse')

    expect(repo.bytes('.git/index').equals(index)).toBe(true)
  })
})

test('a file that was put back while a program still writes to it loses nothing of that program', async ({
  world,
}) => {
  const { repo, session } = await armed(world)
  const descriptor = openSync(repo.path('src/cart.js'), 'a')
  try {
    const step = await checkStep({ world, repo, session, event: 'PostToolUse' }, () =>
      repo.append('src/cart.js', 'first\n'),
    )
    const [copy = ''] = copiesIn(step.answer.reason, session)

    repo.sh(`printf 'second\\n' >> /proc/${String(process.pid)}/fd/${String(descriptor)}`)

    expect(repo.read('src/cart.js')).toBe(repo.committed('src/cart.js'))
    expect(statSync(copy).size).toBe(repo.bytes('src/cart.js').length + 'first\nsecond\n'.length)
  } finally {
    closeSync(descriptor)
  }
})

describe('stops in a row', () => {
  test('are let through after three blocks, and the file is still put back', async ({ world }) => {
    const { repo, session } = await armed(world)
    const decisions: unknown[] = []

    for (const round of [1, 2, 3, 4]) {
      repo.write('src/cart.js', `watcher ${String(round)}\n`)
      decisions.push((await session.stop()).decision)
    }

    expect(decisions).toEqual(['block', 'block', 'block', undefined])
    expect(repo.read('src/cart.js')).toBe(repo.committed('src/cart.js'))
  })

  test('are checked whichever hook made the turn go on', async ({ world }) => {
    const { repo, session } = await armed(world)
    repo.append('src/cart.js', 'fix\n')

    const answer = await session.hook('Stop', { payload: { stop_hook_active: true } })

    expect(answer.decision).toBe('block')
  })

  test('block again after a call between them', async ({ world }) => {
    const { repo, session } = await armed(world)
    for (const round of [1, 2, 3]) {
      repo.write('src/cart.js', `watcher ${String(round)}\n`)
      await session.stop()
    }
    await session.check('PreToolUse')
    repo.write('src/cart.js', 'watcher 4\n')

    expect((await session.stop()).decision).toBe('block')
  })
})
