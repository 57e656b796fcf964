import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import type { HookAnswer } from '../../helpers/run-hook.ts'
import { runHook } from '../../helpers/run-hook.ts'
import { GIT_ENV } from '../../helpers/git.ts'
import { test } from '../../helpers/world.ts'
import { checkedFiles, FINDINGS, startReview } from './review.ts'

function expectError(answer: HookAnswer, code: string): void {
  expect(answer.exitCode).toBe(0)
  expect(answer.decision, answer.reason).toBeUndefined()
  expect(answer.markers.at(-1)).toMatchObject({ event: 'error', fields: { code } })
  expect(answer.stderr).toContain(code)
}

describe('a stop goes through with', () => {
  test('GATE_BAD_PAYLOAD for an input that is no payload', async ({ world }) => {
    world.env['GSTACK_CEO_REVIEW_GATE'] = 'on'

    expectError(await runHook(world, '{}', { hook: 'ceo-review-gate' }), 'GATE_BAD_PAYLOAD')
  })

  test('GATE_TRANSCRIPT for a missing transcript, once per session', async ({ world }) => {
    world.repo('plain')
    const review = startReview(world)
    const payload = { transcript_path: join(world.home, 'none.jsonl') }

    const [first, second] = [await review.stop('Done.', payload), await review.stop('Done.', payload)]

    expectError(first, 'GATE_TRANSCRIPT')
    expect(second.stdout).toBe('')
    expect(review.record().gates['ceo-review-gate']).toMatchObject({
      unchecked: 2,
      errors: [{ code: 'GATE_TRANSCRIPT' }],
    })
  })

  test('GATE_TRANSCRIPT for a transcript over 32 MiB', async ({ world }) => {
    world.repo('plain')
    const review = startReview(world)
    truncateSync(review.session.transcript.file, 33 * 1024 * 1024)

    expectError(await review.stop(), 'GATE_TRANSCRIPT')
  })

  test('GATE_TRANSCRIPT for lines of an unknown shape', async ({ world }) => {
    world.repo('plain')
    const review = startReview(world)
    const file = join(world.home, 'other.jsonl')
    writeFileSync(file, '{"kind":"turn","skill":"plan-ceo-review"}\n')

    expectError(await review.stop('Done.', { transcript_path: file }), 'GATE_TRANSCRIPT')
  })

  test('GATE_TRANSCRIPT for a load without a timestamp', async ({ world }) => {
    world.repo('plain')
    const review = startReview(world, { loads: false })
    const record = {
      type: 'user',
      message: {
        role: 'user',
        content:
          '<command-message>plan-ceo-review</command-message>\n<command-name>/plan-ceo-review</command-name>',
      },
      cwd: review.session.cwd,
    }
    review.session.transcript.raw(`${JSON.stringify(record)}\n`)

    const answer = await review.stop()

    expectError(answer, 'GATE_TRANSCRIPT')
    expect(answer.markers[0]?.fields['why']).toContain('has no timestamp')
  })

  test('GATE_SLUG when no name can be made of the directory', async ({ world }) => {
    const folder = join(world.home, '決済')
    mkdirSync(folder)
    const review = startReview({ ...world, session: () => world.session({ cwd: folder }) })

    expectError(await review.stop(), 'GATE_SLUG')
  })

  test('GATE_GIT when the repository is broken', async ({ world }) => {
    const repo = world.repo('plain')
    const review = startReview(world)
    writeFileSync(repo.path('.git/index'), 'no index')

    expectError(await review.stop(), 'GATE_GIT')
  })

  test('GATE_STATE when the record is not JSON', async ({ world }) => {
    world.repo('plain')
    const review = startReview(world)
    await review.stop()
    writeFileSync(join(review.session.stateFolder, 'record.json'), 'no record')

    expectError(await review.stop(), 'GATE_STATE')
  })

  test('GATE_STATE when the state root cannot be written', async ({ world }) => {
    world.repo('plain')
    const review = startReview(world)
    rmSync(world.stateRoot, { recursive: true })
    writeFileSync(world.stateRoot, '')

    const answer = await review.stop()

    expect(answer.decision).toBeUndefined()
    expect(answer.exitCode).toBe(0)
    expect(answer.markers.at(-1)).toMatchObject({ event: 'error' })
  })

  test('GATE_LOCKED while another hook keeps the lock', async ({ world }) => {
    world.repo('plain')
    const review = startReview(world)
    await review.stop()
    const lock = join(review.session.stateFolder, 'lock')
    const holder = world.run('flock', [lock, 'sleep', '6'])

    const answer = await review.stop()

    await holder
    expect(answer.decision).toBeUndefined()
    expect(answer.stderr + answer.stdout).toMatch(/GATE_LOCKED|GATE_STATE/)
  })

  test('GATE_TIMEOUT when there is no time', async ({ world }) => {
    world.repo('plain')
    const review = startReview(world).writes('plan.md', FINDINGS)
    world.env['GSTACK_SKILL_GATE_DEADLINE_MS'] = '1'

    expectError(await review.stop(), 'GATE_TIMEOUT')
  })
})

test('a stop goes through when libgit2 cannot open the repository, and says so once', async ({ world }) => {
  const folder = join(world.home, 'sha256')
  execFileSync('git', ['init', '-q', '--object-format=sha256', folder], { env: GIT_ENV })
  const review = startReview({ ...world, session: () => world.session({ cwd: folder }) })

  const answers = [await review.stop(), await review.stop()]

  expect(answers.map(({ stdout }) => stdout)).toEqual(['', ''])
  expect(review.record().gates['ceo-review-gate']?.skipped).toMatchObject([{ reason: 'unsupported-format' }])
  expect(world.log('ceo-review-gate').filter((line) => line.includes('event=skipped'))).toHaveLength(1)
})

test.runIf(process.getuid?.() === 0)(
  "a stop goes through in somebody else's repository",
  async ({ world }) => {
    const repo = world.repo('plain')
    repo.sh('chown -R 65534:65534 .')

    const review = startReview(world)

    expect((await review.stop()).stdout).toBe('')
    expect(review.record().gates['ceo-review-gate']?.skipped).toMatchObject([{ reason: 'not-owner' }])
  },
)

test('what the run wrote itself counts where libgit2 cannot open the repository', async ({ world }) => {
  const folder = join(world.home, 'sha256')
  execFileSync('git', ['init', '-q', '--object-format=sha256', folder], { env: GIT_ENV })
  const review = startReview({ ...world, session: () => world.session({ cwd: folder }) })
  review.writes('plan.md', FINDINGS)

  expect((await review.stop()).markers).toMatchObject([{ event: 'fired' }, { event: 'released' }])
})

test.skipIf(process.getuid?.() === 0)('a file that may not be read is named so', async ({ world }) => {
  const repo = world.repo('plain')
  const review = startReview(world).writes('plan.md', FINDINGS)
  chmodSync(repo.path('plan.md'), 0)

  expect(checkedFiles((await review.stop()).reason)[repo.path('plan.md')]).toBe('it cannot be read (EACCES)')
})

describe('within its deadline the gate answers', () => {
  test('in a repository with 100,000 untracked files', { timeout: 240_000 }, async ({ world }) => {
    const repo = world.repo('plain')
    repo.sh('mkdir d{0..99}; printf "%s\\0" d{0..99}/f{0..499}.{md,txt} | xargs -0 touch -d 2020-01-01')
    world.env['GSTACK_SKILL_GATE_DEADLINE_MS'] = '20000'

    const answer = await startReview(world).stop()

    expect(answer.decision, answer.stderr).toBe('block')
    expect(answer.reason).toContain('- and 49980 more')
    expect(answer.ms).toBeLessThan(21_000)
  })

  test('beside a Markdown file of a gigabyte', async ({ world }) => {
    const repo = world.repo('plain')
    const review = startReview(world).writes('plan.md', FINDINGS)
    truncateSync(repo.path('plan.md'), 1024 ** 3)

    const answer = await review.stop()

    expect(checkedFiles(answer.reason)[repo.path('plan.md')]).toBe(
      'it is 1048576 KiB long, and only files up to 256 KiB are read',
    )
    expect(answer.ms).toBeLessThan(5_000)
  })

  test('on a text that is slow to read', async ({ world }) => {
    world.repo('plain')
    const bomb = `${'> '.repeat(90)}a\n${'a\n'.repeat(500)}`
    const review = startReview(world).writes(
      'plan.md',
      `${bomb.repeat(300)}\n\n## Findings\n`.slice(0, 256 * 1024),
    )

    const answer = await review.stop()

    expect(answer.exitCode).toBe(0)
    expect(answer.ms).toBeLessThan(20_000)
  })

  test('with a pipe in the place of the output file', async ({ world }) => {
    const repo = world.repo('plain')
    world.env['GSTACK_CEO_REVIEW_OUTPUT'] = 'pipe.md'
    repo.sh('mkfifo pipe.md')

    const answer = await startReview(world).stop()

    expect(checkedFiles(answer.reason)[repo.path('pipe.md')]).toBe('it is not a regular file')
  })
})

test('markers go to the trace log, one line each', async ({ world }) => {
  const repo = world.repo('plain')
  const review = startReview(world)
  await review.stop()
  review.writes('my plan.md', FINDINGS)
  utimesSync(repo.path('my plan.md'), new Date(), new Date(Date.now() + 1_000))
  await review.stop()

  const lines = world.log('ceo-review-gate').map((line) => line.replace(/^\S+ session=\S+ /, ''))

  expect(lines).toEqual([
    'event=fired skill=plan-ceo-review on=Stop',
    'event=blocked skill=plan-ceo-review via=stop files=0',
    'event=released skill=plan-ceo-review file=my%20plan.md blocked=1',
  ])
})

test('a hook that was killed is told by the next one as GATE_KILLED', async ({ world }) => {
  world.repo('plain')
  const review = startReview(world)
  await review.stop()
  const dead = {
    pid: 2 ** 22 + 1,
    startedAt: '1',
    session: review.session.id,
    hook: 'ceo-review-gate',
    event: 'Stop',
  }
  writeFileSync(join(world.stateRoot, 'skill-gates/.in-flight/dead.json'), JSON.stringify(dead))

  const answer = await review.stop()

  expect(answer.decision).toBe('block')
  expect(answer.markers).toContainEqual(
    expect.objectContaining({ event: 'error', fields: expect.objectContaining({ code: 'GATE_KILLED' }) }),
  )
  expect(review.record().gates['ceo-review-gate']).toMatchObject({
    unchecked: 1,
    errors: [{ code: 'GATE_KILLED' }],
  })
})
