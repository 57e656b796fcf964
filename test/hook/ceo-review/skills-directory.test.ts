import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { GIT_ENV } from '../../helpers/git.ts'
import { test } from '../../helpers/world.ts'
import { FINDINGS, released, startReview } from './review.ts'

describe('a file in a skills directory', () => {
  test('never releases, whoever wrote it', async ({ world }) => {
    world.repo('plain')
    const review = startReview(world).writes('skills/review/notes.md', FINDINGS)

    const answer = await review.stop()

    expect(answer.decision).toBe('block')
    expect(answer.reason).not.toContain('skills/review')
  })

  test('never releases as the named output file', async ({ world }) => {
    const repo = world.repo('plain')
    world.env['GSTACK_CEO_REVIEW_OUTPUT'] = '.claude/skills/out.md'
    const review = startReview(world).writesByShell(repo.path('.claude/skills/out.md'), FINDINGS)

    expect((await review.stop()).decision).toBe('block')
  })

  test('never releases through a link from outside', async ({ world }) => {
    const repo = world.repo('plain')
    const page = join(world.configDir, 'skills', 'plan-ceo-review', 'risks.md')
    const review = startReview(world).writesByShell(page, FINDINGS)
    symlinkSync(page, repo.path('plan.md'))

    expect((await review.stop()).decision).toBe('block')
  })

  test('is judged from the root of the project', async ({ world }) => {
    const folder = join(world.home, 'skills', 'shop')
    mkdirSync(folder, { recursive: true })
    execFileSync('git', ['init', '-q', folder], { env: GIT_ENV })
    const review = startReview({ ...world, session: () => world.session({ cwd: folder }) })
    review.writes('plan.md', FINDINGS)

    expect((await review.stop()).markers).toMatchObject(released('plan.md'))
  })

  test('is judged from the root of a project that is reached through a link', async ({ world }) => {
    const repo = world.repo('plain')
    mkdirSync(join(world.home, 'skills'))
    const link = join(world.home, 'skills', 'shop')
    symlinkSync(repo.folder, link)
    const review = startReview({ ...world, session: () => world.session({ cwd: link }) })
    review.writes('plan.md', FINDINGS)

    expect((await review.stop()).markers).toMatchObject(released('plan.md'))
  })
})
