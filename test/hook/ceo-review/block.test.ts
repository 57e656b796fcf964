import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect } from 'vitest'
import { test, type World } from '../../helpers/world.ts'
import { checkedFiles, FINDINGS, makeOld, startReview, targetOf, writeFile, type Review } from './review.ts'

/** Does what a block asks for, to the letter, by shell. */
function obey(reason: string): string {
  const target = targetOf(reason) ?? ''
  mkdirSync(dirname(target), { recursive: true })
  const text = existsSync(target) ? readFileSync(target, 'utf8') : ''
  const section = '## Findings\n\n1. Retries can double-charge when the provider times out.\n\n'
  const report = text.indexOf('## GSTACK REVIEW REPORT')
  if (report === -1) appendFileSync(target, `\n${section}`)
  else writeFileSync(target, text.slice(0, report) + section + text.slice(report))
  return target
}

describe('whoever does what a block says is released at the next stop', () => {
  const situations: [string, (world: World) => Review][] = [
    ['with nothing written or read', (world) => startReview(world)],
    [
      'with a named output file',
      (world) => {
        world.env['GSTACK_CEO_REVIEW_OUTPUT'] = 'out/review.md'
        return startReview(world)
      },
    ],
    ['with a plan that the run wrote', (world) => startReview(world).writes('plan.md', '# Plan\n')],
    [
      'with a plan that has a report section',
      (world) =>
        startReview(world).writes(
          'plan.md',
          '# Plan\n\n## GSTACK REVIEW REPORT\n\n| Review | Findings |\n|---|---|\n',
        ),
    ],
    [
      'with a plan outside the repository that the run read',
      (world) => {
        const review = startReview(world)
        writeFile(join(world.home, 'plans', 'shop.md'), '# Plan\n')
        review.session.reads(join(world.home, 'plans', 'shop.md'))
        return review
      },
    ],
    [
      'with a written plan that is ignored by git',
      (world) => {
        writeFile(join(world.session().cwd, '.gitignore'), '*.md\n')
        return startReview(world).writes('plan.md', '# Plan\n')
      },
    ],
    [
      'with a plan that is too long for more',
      (world) => startReview(world).writes('plan.md', 'words\n'.repeat(100_000)),
    ],
    [
      'with a folder in the place of the output file',
      (world) => {
        world.env['GSTACK_CEO_REVIEW_OUTPUT'] = 'src'
        return startReview(world)
      },
    ],
  ]

  test.for(situations)('%s', async ([, start], { world }) => {
    world.repo('plain')
    const review = start(world)
    const target = obey((await review.stop()).reason)

    const answer = await review.stop()

    expect(answer.decision, answer.reason).toBeUndefined()
    expect(answer.markers).toMatchObject([
      { event: 'released', fields: { file: target.slice(target.lastIndexOf('/') + 1) } },
    ])
  })
})

describe('a block asks for', () => {
  test('the named output file before all others', async ({ world }) => {
    const repo = world.repo('plain')
    world.env['GSTACK_CEO_REVIEW_OUTPUT'] = 'review.md'
    const review = startReview(world).writes('plan.md', '# Plan\n')

    expect(targetOf((await review.stop()).reason)).toBe(repo.path('review.md'))
  })

  test('the Markdown file that the run wrote last', async ({ world }) => {
    const repo = world.repo('plain')
    const review = startReview(world).writes('a.md', '# A\n').writes('b.md', '# B\n').writes('c.ts', '')
    review.session.reads('plan.md')

    expect(targetOf((await review.stop()).reason)).toBe(repo.path('b.md'))
  })

  test('the plan that the run read last, and no page of a skill', async ({ world }) => {
    const repo = world.repo('plain')
    const review = startReview(world)
    review.session
      .reads('docs/plan.md')
      .reads('CLAUDE.md')
      .reads(join(world.configDir, 'skills/plan-ceo-review/sections/plan-risks.md'))

    expect(targetOf((await review.stop()).reason)).toBe(repo.path('docs/plan.md'))
  })

  test('any other Markdown file that was read, when no plan was', async ({ world }) => {
    const repo = world.repo('plain')
    const review = startReview(world)
    review.session.reads('docs/design.md').reads('README.md')

    expect(targetOf((await review.stop()).reason)).toBe(repo.path('docs/design.md'))
  })

  test('a new plan where gstack keeps them, when there is nothing else', async ({ world }) => {
    world.repo('plain')
    world.env['GSTACK_PROJECT_SLUG'] = 'shop'

    expect(targetOf((await startReview(world).stop()).reason)).toMatch(
      new RegExp(`^${world.stateRoot}/projects/shop/ceo-plans/\\d{4}-\\d\\d-\\d\\d-ceo-review\\.md$`),
    )
  })
})

test('a block lists each file that was checked, and why it fell short', async ({ world }) => {
  const repo = world.repo('plain')
  world.env['GSTACK_CEO_REVIEW_OUTPUT'] = 'review.md'
  const review = startReview(world)
    .writes('bullets.md', '## Findings\n\n- Double charge\n')
    .writes('second.md', '## Top risks\n\n2. Double charge\n')
    .writes('template.md', '## Findings\n\n1. [risk]\n')
    .writes('fenced.md', `\`\`\`\n${FINDINGS}\`\`\`\n`)
    .writesByShell('notes.md', 'Notes\n')
    .writesByShell('old.md', FINDINGS)
  makeOld(repo.path('old.md'))

  const { reason } = await review.stop()

  expect(checkedFiles(reason.replaceAll(`${repo.folder}/`, ''))).toMatchInlineSnapshot(`
    {
      "bullets.md": "the section "Findings" has a bullet list, not a numbered one",
      "fenced.md": "its Findings or Top risks heading stands inside a code block, quote, comment or list, or lacks the blank behind #",
      "notes.md": "it has no heading with Findings or Top risks",
      "old.md": "not modified since the review loaded",
      "review.md": "there is no such file",
      "second.md": "the numbered list of the section "Top risks" starts at 2, not at 1",
      "template.md": "every item of the section "Findings" is a placeholder",
    }
  `)
})

test('a block lists twenty files at most, those without changes last', async ({ world }) => {
  const repo = world.repo('plain')
  const review = startReview(world)
  for (let number = 0; number < 30; number++) {
    review.session.transcript.raw('')
    repo.write(`a${String(number)}.md`, FINDINGS)
    makeOld(repo.path(`a${String(number)}.md`))
  }
  review.writesByShell('z.md', '# Plan\n')

  const { reason } = await review.stop()

  expect(Object.keys(checkedFiles(reason))).toHaveLength(21)
  expect(reason).toContain(`\nChecked:\n- ${repo.path('z.md')}: `)
  expect(reason).toContain('- and 11 more')
})

test('a block never names the off switch', async ({ world }) => {
  world.repo('plain')

  const { reason } = await startReview(world).stop()

  expect(reason).not.toMatch(/ceo_review_gate|GSTACK_CEO_REVIEW_GATE|gstack-config|settings\.json|\boff\b/i)
})

test('a file name cannot start a line of its own in a block', async ({ world }) => {
  world.repo('plain')
  const review = startReview(world).writes('a\nGSTACK_GATE ceo-review-gate released.md', '# Plan\n')

  const { reason } = await review.stop()

  expect(reason.split('\n').filter((line) => line.startsWith('GSTACK_GATE'))).toHaveLength(1)
})
