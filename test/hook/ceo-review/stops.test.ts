import { describe, expect } from 'vitest'
import { test } from '../../helpers/world.ts'
import { FINDINGS, INTERACTIVE, SKILL, startReview } from './review.ts'

describe('a final stop without ranked risks', () => {
  test('is blocked, and the reason starts with the marker', async ({ world }) => {
    world.repo('plain')
    const review = startReview(world).writes('plan.md', '# Plan\n')

    const answer = await review.stop()

    expect(answer).toMatchObject({ decision: 'block', exitCode: 0, stderr: '' })
    expect(answer.reason.split('\n')[0]).toBe(
      `GSTACK_GATE ceo-review-gate blocked session=${review.session.id} skill=${SKILL} via=stop files=1`,
    )
    expect(answer.systemMessage).toBe(
      `GSTACK_GATE ceo-review-gate fired session=${review.session.id} skill=${SKILL} on=Stop`,
    )
  })

  test.for(['skill-tool', 'typed', 'read'] as const)(
    'is blocked after a load by %s',
    async (via, { world }) => {
      world.repo('plain')

      expect((await startReview(world, { via }).stop()).decision).toBe('block')
    },
  )

  test('is blocked also while another hook keeps the turn going', async ({ world }) => {
    world.repo('plain')

    expect((await startReview(world).stop('Done.', { stop_hook_active: true })).decision).toBe('block')
  })

  test('is blocked at most three times in a run, then goes through', async ({ world }) => {
    world.repo('plain')
    const review = startReview(world)

    const answers = [await review.stop(), await review.stop(), await review.stop(), await review.stop()]

    expect(answers.map(({ decision }) => decision)).toEqual(['block', 'block', 'block', undefined])
    expect(answers[3]?.markers).toMatchObject([
      { event: 'exhausted', fields: { skill: SKILL, blocked: '3' } },
    ])
    expect(review.record().gates['ceo-review-gate']?.runs).toMatchObject([
      { skill: SKILL, blocked: 3, exhausted_at: expect.any(String) },
    ])
  })

  test('counts for nothing once the run is exhausted', async ({ world }) => {
    world.repo('plain')
    const review = startReview(world)
    for (let stop = 0; stop < 4; stop++) await review.stop()
    const before = review.record()

    const answer = await review.stop()

    expect(answer).toMatchObject({ stdout: '', stderr: '' })
    expect(review.record()).toEqual(before)
  })

  test('is blocked again after a new load', async ({ world }) => {
    world.repo('plain')
    const review = startReview(world).writes('plan.md', FINDINGS)
    await review.stop()
    review.session.loads(SKILL)

    const answer = await review.stop()

    expect(answer.decision).toBe('block')
    expect(review.record().gates['ceo-review-gate']?.runs).toHaveLength(2)
  })
})

describe('a final stop with ranked risks', () => {
  test('is let go, and the run is released once', async ({ world }) => {
    world.repo('plain')
    const review = startReview(world)
    await review.stop()
    review.writes('plan.md', FINDINGS)

    const [first, second] = [await review.stop(), await review.stop()]

    expect(first.decision).toBeUndefined()
    expect(first.markers).toMatchObject([
      { event: 'released', fields: { skill: SKILL, file: 'plan.md', blocked: '1' } },
    ])
    expect(second.stdout).toBe('')
    expect(review.record().gates['ceo-review-gate']?.runs).toMatchObject([
      { file: 'plan.md', blocked: 1, released_at: expect.any(String), fired_at: expect.any(String) },
    ])
  })

  test('fires and releases at once when the first stop meets it', async ({ world }) => {
    world.repo('plain')
    const review = startReview(world).writes('plan.md', FINDINGS)

    expect((await review.stop()).markers.map(({ event }) => event)).toEqual(['fired', 'released'])
  })

  test('stays released when the file changes afterwards', async ({ world }) => {
    world.repo('plain')
    const review = startReview(world).writes('plan.md', FINDINGS)
    await review.stop()
    review.writes('plan.md', '# Plan\n')

    expect((await review.stop()).stdout).toBe('')
  })
})

describe('a stop is left alone', () => {
  test('in a session that never loaded the skill', async ({ world }) => {
    world.repo('plain')

    expect(await startReview(world, { loads: false }).stop()).toMatchObject({
      stdout: '',
      stderr: '',
      exitCode: 0,
    })
  })

  test('when the load failed', async ({ world }) => {
    world.repo('plain')
    const review = startReview(world, { loads: false })
    review.session.transcript.toolUse('toolu_1', 'Skill', { skill: SKILL })
    review.session.transcript.toolResult('toolu_1', 'Unknown skill', { is_error: true })

    expect((await review.stop()).stdout).toBe('')
  })

  test('when the switch is off', async ({ world }) => {
    world.repo('plain')
    const review = startReview(world)
    world.env['GSTACK_CEO_REVIEW_GATE'] = 'off'

    expect((await review.stop()).stdout).toBe('')
  })

  test.for([
    'I read the plan.\n\nWhich mode do you want?',
    'STATUS: NEEDS_CONTEXT\n\nThe plan file is missing.',
    'D1 — Mode\n\nRecommendation: HOLD because it is small.\n\nNet: HOLD is safer.',
  ])('when it waits for its user: %s', async (text, { world }) => {
    world.repo('plain')
    Object.assign(world.env, INTERACTIVE)
    const review = startReview(world)

    expect((await review.stop(text)).stdout).toBe('')
  })

  test('when a question under an MCP name is open', async ({ world }) => {
    world.repo('plain')
    Object.assign(world.env, INTERACTIVE)
    const review = startReview(world)
    review.session.transcript.toolUse('toolu_q', 'mcp__conductor__AskUserQuestion', { questions: [] })

    expect((await review.stop('I asked.')).stdout).toBe('')
  })
})

describe('a stop counts as final', () => {
  test('on a question that no human answers', async ({ world }) => {
    world.repo('plain')

    expect((await startReview(world).stop('Which mode do you want?')).decision).toBe('block')
  })

  test.for([{ GSTACK_HEADLESS: '1' }, { OPENCLAW_SESSION: 'x' }])(
    'on a question under %o',
    async (env, { world }) => {
      world.repo('plain')
      Object.assign(world.env, INTERACTIVE, env)

      expect((await startReview(world).stop('Which mode do you want?')).decision).toBe('block')
    },
  )

  test('with a STATUS line before a closing question', async ({ world }) => {
    world.repo('plain')
    Object.assign(world.env, INTERACTIVE)

    expect((await startReview(world).stop('STATUS: DONE\n\nShall I start?')).decision).toBe('block')
  })

  test('with the STATUS line in a text block that the payload lacks', async ({ world }) => {
    world.repo('plain')
    Object.assign(world.env, INTERACTIVE)
    const review = startReview(world)
    review.session.says('STATUS: DONE')

    expect((await review.stop('Shall I start?')).decision).toBe('block')
  })

  test('before its last message is in the transcript', async ({ world }) => {
    world.repo('plain')
    Object.assign(world.env, INTERACTIVE)
    const review = startReview(world)
    review.session.says('Which mode do you want?').prompts('Hold.')

    expect((await review.stop('It is done.')).decision).toBe('block')
  })
})
