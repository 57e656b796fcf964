import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { test } from '../../helpers/world.ts'
import { checkedFiles, FINDINGS, makeOld, recordWrite, released, startReview, writeFile } from './review.ts'

describe('the named output file', () => {
  test('counts before all others', async ({ world }) => {
    world.repo('plain')
    world.env['GSTACK_CEO_REVIEW_OUTPUT'] = join(world.home, 'review.md')
    const review = startReview(world)
      .writes('plan.md', FINDINGS)
      .writesByShell(join(world.home, 'review.md'), FINDINGS)

    expect((await review.stop()).markers).toMatchObject(released('review.md'))
  })

  test('is relative to the directory of the session', async ({ world }) => {
    const repo = world.repo('plain')
    world.env['GSTACK_CEO_REVIEW_OUTPUT'] = 'out/review.txt'
    const review = startReview(world)
    review.session.cwd = repo.path('src')
    review.writesByShell(repo.path('src/out/review.txt'), FINDINGS)

    expect((await review.stop()).markers).toMatchObject(released('review.txt'))
  })

  test('may be given from the home directory', async ({ world }) => {
    world.repo('plain')
    world.env['GSTACK_CEO_REVIEW_OUTPUT'] = '~/review.md'
    const review = startReview(world).writesByShell(join(world.home, 'review.md'), FINDINGS)

    expect((await review.stop()).markers).toMatchObject(released('review.md'))
  })

  test('leaves the other sources open when it falls short', async ({ world }) => {
    world.repo('plain')
    world.env['GSTACK_CEO_REVIEW_OUTPUT'] = 'review.md'
    const review = startReview(world).writes('plan.md', FINDINGS)

    expect((await review.stop()).markers).toMatchObject(released('plan.md'))
  })
})

describe('files that the run wrote', () => {
  test.for(['Write', 'Edit', 'MultiEdit'])(
    'with %s count, also outside a repository',
    async (tool, { world }) => {
      world.repo('plain')
      const review = startReview(world)
      const file = join(world.home, 'notes', 'plan.md')
      writeFile(file, FINDINGS)
      review.session.transcript.toolUse('toolu_w', tool, { file_path: file })
      review.session.transcript.toolResult('toolu_w', 'ok')

      expect((await review.stop()).markers).toMatchObject(released('plan.md'))
    },
  )

  test('are found where the session stood when it wrote them', async ({ world }) => {
    const repo = world.repo('plain')
    const review = startReview(world)
    const other = join(world.home, 'elsewhere')
    mkdirSync(other)
    review.session.cwd = other
    recordWrite(review.session, 'plan.md', FINDINGS)
    writeFile(join(other, 'plan.md'), FINDINGS)
    review.session.cwd = repo.folder

    expect((await review.stop()).markers).toMatchObject(released('plan.md'))
  })

  test('before the load do not count', async ({ world }) => {
    world.repo('plain')
    const review = startReview(world, { loads: false })
    const file = join(world.home, 'plan.md')
    review.writes(file, FINDINGS)
    makeOld(file)
    review.session.loads('plan-ceo-review')

    expect((await review.stop()).decision).toBe('block')
  })

  test('and nobody modified since the load do not count', async ({ world }) => {
    const repo = world.repo('plain')
    const review = startReview(world).writes('plan.md', FINDINGS)
    makeOld(repo.path('plan.md'))

    const answer = await review.stop()

    expect(checkedFiles(answer.reason)).toEqual({
      [repo.path('plan.md')]: 'not modified since the review loaded',
    })
  })

  test('by a write that was denied do not count', async ({ world }) => {
    const repo = world.repo('plain')
    const review = startReview(world)
    const file = join(world.home, 'plan.md')
    writeFile(file, FINDINGS)
    review.session.transcript.toolUse('toolu_w', 'Write', { file_path: file })
    review.session.transcript.toolResult('toolu_w', 'PreToolUse:Write hook error: no', { is_error: true })

    expect((await review.stop()).decision, repo.folder).toBe('block')
  })
})

describe('Markdown files of the repository', () => {
  test.for(['plan.md', 'docs/deep/PLAN.MD', 'plan.mdx', 'plan.markdown', 'größe plan.md'])(
    'count when they are untracked: %s',
    async (file, { world }) => {
      const repo = world.repo('plain')
      const review = startReview(world).writesByShell(repo.path(file), FINDINGS)

      expect((await review.stop()).markers[1]).toMatchObject({ event: 'released' })
    },
  )

  test('count when they are tracked and differ from HEAD, staged or not', async ({ world }) => {
    const repo = world.repo('plain')
    repo.write('plan.md', '# Plan\n')
    repo.sh('git add plan.md && git commit -qm plan')
    const review = startReview(world)
    review.writesByShell('plan.md', FINDINGS)
    repo.sh('git add plan.md')

    expect((await review.stop()).markers).toMatchObject(released('plan.md'))
  })

  test('count from a subdirectory of it', async ({ world }) => {
    const repo = world.repo('plain')
    const review = startReview(world).writesByShell(repo.path('plan.md'), FINDINGS)
    review.session.cwd = repo.path('src')

    expect((await review.stop()).markers).toMatchObject(released('plan.md'))
  })

  test('count before its first commit', async ({ world }) => {
    const repo = await world.shellRepo('new_repo')
    const review = startReview(world).writesByShell(repo.path('plan.md'), FINDINGS)

    expect((await review.stop()).markers).toMatchObject(released('plan.md'))
  })

  test('do not count when git ignores them', async ({ world }) => {
    const repo = world.repo('plain')
    repo.write('.gitignore', 'private/\n')
    const review = startReview(world).writesByShell(repo.path('private/plan.md'), FINDINGS)

    expect((await review.stop()).decision).toBe('block')
  })

  test('do not count when they are as in HEAD', async ({ world }) => {
    const repo = world.repo('plain')
    const review = startReview(world).writesByShell(repo.path('plan.md'), FINDINGS)
    repo.sh('git add plan.md && git commit -qm plan')

    expect((await review.stop()).decision).toBe('block')
  })

  test('do not count when they are old', async ({ world }) => {
    const repo = world.repo('plain')
    repo.write('plan.md', FINDINGS)
    makeOld(repo.path('plan.md'))

    expect((await startReview(world).stop()).decision).toBe('block')
  })

  test('are no other files', async ({ world }) => {
    const repo = world.repo('plain')
    const review = startReview(world).writesByShell(repo.path('plan.txt'), FINDINGS)

    expect((await review.stop()).decision).toBe('block')
  })

  test('are found without a git on the PATH', async ({ world }) => {
    const repo = world.repo('plain')
    const bin = join(world.folder, 'bin')
    mkdirSync(bin)
    for (const name of ['node', 'sh', 'env', 'dirname', 'readlink', 'bash', 'cat'])
      symlinkSync(
        execFileSync('sh', ['-c', `command -v ${name}`])
          .toString()
          .trim(),
        join(bin, name),
      )
    world.env['PATH'] = bin
    const review = startReview(world).writesByShell(repo.path('plan.md'), FINDINGS)

    expect((await review.stop()).markers).toMatchObject(released('plan.md'))
  })
})

describe('plans below the state root', () => {
  const plansIn = (root: string) => join(root, 'projects', 'acme-shop', 'ceo-plans')

  test('count, with the slug of the repository', async ({ world }) => {
    const repo = world.repo('plain')
    repo.sh('git remote add origin git@example.invalid:acme/shop.git')
    const review = startReview(world).writesByShell(
      join(plansIn(world.stateRoot), '2026-08-21-x.md'),
      FINDINGS,
    )

    expect((await review.stop()).markers).toMatchObject(released('2026-08-21-x.md'))
  })

  test('count below ~/.gstack too when the state root is another', async ({ world }) => {
    world.repo('plain')
    Object.assign(world.env, {
      GSTACK_STATE_ROOT: join(world.folder, 'state'),
      GSTACK_PROJECT_SLUG: 'acme-shop',
    })
    const review = startReview(world).writesByShell(
      join(plansIn(join(world.home, '.gstack')), 'x.md'),
      FINDINGS,
    )

    expect((await review.stop()).markers).toMatchObject(released('x.md'))
  })

  test('do not count from the archive', async ({ world }) => {
    world.repo('plain')
    world.env['GSTACK_PROJECT_SLUG'] = 'acme-shop'
    const review = startReview(world).writesByShell(
      join(plansIn(world.stateRoot), 'archive', 'x.md'),
      FINDINGS,
    )

    expect((await review.stop()).decision).toBe('block')
  })
})
