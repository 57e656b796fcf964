import { describe, expect } from 'vitest'
import { runHook } from '../../helpers/run-hook.ts'
import { test } from '../../helpers/world.ts'
import { FINDINGS, INTERACTIVE, recordWrite, SKILL, startReview, writeFile } from './review.ts'

describe('a subagent that loaded the review', () => {
  test('is held at its end, and counted as a run of its own', async ({ world }) => {
    world.repo('plain')
    const review = startReview(world, { loads: false })
    const agent = review.session.subagent('ag1').loads(SKILL)

    const answer = await review.agentStop(agent)

    expect(answer.decision).toBe('block')
    expect(answer.markers).toMatchObject([
      { event: 'blocked', fields: { via: 'stop' } },
      { event: 'fired', fields: { on: 'SubagentStop' } },
    ])
    expect(review.record().gates['ceo-review-gate']?.runs).toMatchObject([{ agent: 'ag1', blocked: 1 }])
  })

  test('ends on a final turn also with a question in an interactive session', async ({ world }) => {
    world.repo('plain')
    Object.assign(world.env, INTERACTIVE)
    const review = startReview(world, { loads: false })
    const agent = review.session.subagent('ag1').loads(SKILL)

    expect((await review.agentStop(agent, { text: 'Which mode?' })).decision).toBe('block')
  })

  test('is released by what it wrote itself', async ({ world }) => {
    const repo = world.repo('plain')
    const review = startReview(world, { loads: false })
    const agent = review.session.subagent('ag1').loads(SKILL)
    writeFile(repo.path('plan.md'), FINDINGS)
    recordWrite(agent, 'plan.md', FINDINGS)

    expect((await review.agentStop(agent)).markers).toMatchObject([
      { event: 'fired' },
      { event: 'released', fields: { file: 'plan.md' } },
    ])
  })

  test('has a cap of its own beside a parallel one', async ({ world }) => {
    world.repo('plain')
    const review = startReview(world, { loads: false })
    const [one, two] = [
      review.session.subagent('ag1').loads(SKILL),
      review.session.subagent('ag2').loads(SKILL),
    ]
    for (let stop = 0; stop < 3; stop++) await review.agentStop(one)

    const answers = await Promise.all([review.agentStop(one), review.agentStop(two)])

    expect(answers.map(({ decision }) => decision)).toEqual([undefined, 'block'])
    expect(review.record().gates['ceo-review-gate']?.runs).toMatchObject([
      { agent: 'ag1', blocked: 3, exhausted_at: expect.any(String) },
      { agent: 'ag2', blocked: 1 },
    ])
  })

  test('does not hold the session that started it', async ({ world }) => {
    world.repo('plain')
    const review = startReview(world, { loads: false })
    await review.agentStop(review.session.subagent('ag1').loads(SKILL))

    expect((await review.stop()).stdout).toBe('')
  })
})

describe('left alone is', () => {
  test('a subagent of a session that ran the review, when it did not load it itself', async ({ world }) => {
    world.repo('plain')
    const review = startReview(world)
    const explorer = review.session.subagent('ag1', 'Explore').says('Found it.')

    expect(await review.agentStop(explorer)).toMatchObject({ stdout: '', stderr: '', exitCode: 0 })
  })

  test.for([{ agent_transcript_path: '' }, { agent_transcript_path: undefined }])(
    'the end of a subagent whose payload has %o',
    async (payload, { world }) => {
      world.repo('plain')
      const review = startReview(world)
      const agent = review.session.subagent('ag1').loads(SKILL)

      expect(await review.agentStop(agent, { payload })).toMatchObject({
        stdout: '',
        stderr: '',
        exitCode: 0,
      })
    },
  )

  test('a compaction, which names a file that never was', async ({ world }) => {
    world.repo('plain')
    const review = startReview(world)
    const payload = { agent_type: '', agent_transcript_path: `${world.home}/none.jsonl` }

    expect(await review.agentStop(review.session.subagent('ag1'), { payload })).toMatchObject({
      stdout: '',
      stderr: '',
    })
  })

  test("the session's stop, when only sidechain records in its transcript load the skill", async ({
    world,
  }) => {
    world.repo('plain')
    const review = startReview(world, { loads: false })
    review.session.transcript.assistant(
      { type: 'tool_use', id: 'toolu_s', name: 'Skill', input: { skill: SKILL } },
      { isSidechain: true, agentId: 'ag1' },
    )

    expect((await review.stop()).stdout).toBe('')
  })
})

test('a subagent whose transcript is missing goes through with GATE_TRANSCRIPT', async ({ world }) => {
  world.repo('plain')
  const review = startReview(world)
  const payload = { agent_transcript_path: `${world.home}/none.jsonl` }

  const answer = await review.agentStop(review.session.subagent('ag1'), { payload })

  expect(answer.decision).toBeUndefined()
  expect(answer.markers).toMatchObject([{ event: 'error', fields: { code: 'GATE_TRANSCRIPT' } }])
})

test('a payload of the client as it was recorded is understood', async ({ world }) => {
  const repo = world.repo('plain')
  world.env['GSTACK_CEO_REVIEW_GATE'] = 'on'
  const agent = world.session().subagent('a59b8c6f3c8e9d0a1', 'general-purpose').loads(SKILL)

  const answer = await runHook(
    world,
    {
      session_id: agent.id,
      transcript_path: `${world.configDir}/projects/p/${agent.id}.jsonl`,
      cwd: repo.folder,
      prompt_id: 'c63c6bf0-3120-4328-8fef-30955e690f55',
      permission_mode: 'acceptEdits',
      agent_id: 'a59b8c6f3c8e9d0a1',
      agent_type: 'general-purpose',
      effort: { level: 'medium' },
      hook_event_name: 'SubagentStop',
      stop_hook_active: false,
      agent_transcript_path: agent.transcript.file,
      last_assistant_message: 'Reviewed.',
      background_tasks: [],
      session_crons: [],
    },
    { hook: 'ceo-review-gate' },
  )

  expect(answer.json).toEqual({
    decision: 'block',
    reason: answer.reason,
    systemMessage: answer.systemMessage,
  })
})
