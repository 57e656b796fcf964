/** Sessions and subagents whose final stop waits for ranked risks. */

import { gateEvents } from './investigate.ts'
import type { Played } from './session.ts'
import { dispatches, loads, runs, says, writes } from './speech.ts'
import type { Scenario } from './stage.ts'

const RANK = `cat >> plan.md <<'END'

## Findings

1. Payment retries can charge twice when the provider times out.
2. There is no way back from the new orders schema.
END`

const reviewRuns = (played: Played): readonly object[] =>
  played.gate('ceo-review-gate').runs.map(({ fired_at, released_at, file, blocked, agent }) => ({
    hasFired: fired_at !== undefined,
    isReleased: released_at !== undefined,
    file,
    blocked,
    agent,
  }))

const HELD_ONCE = { hasFired: true, isReleased: true, file: 'plan.md', blocked: 1 }

const review: Scenario = {
  name: 'a plan review',
  async play({ world, check, session }) {
    const played = await session({
      prompt: 'Review the plan.',
      script: {
        main: [
          [loads('plan-ceo-review')],
          [writes(`${world.repository}/plan.md`, '# Plan\n\nShip the new orders schema.\n')],
          [says('The plan is reviewed.\n\nSTATUS: DONE')],
          [runs(RANK)],
          [says('The risks are ranked.\n\nSTATUS: DONE')],
        ],
      },
    })
    const { transcript, requests, id } = played
    const marker = `GSTACK_GATE ceo-review-gate blocked session=${id} skill=plan-ceo-review via=stop files=1`
    const blocks = transcript.blocks('Stop')

    check(
      'the stop without ranked risks is blocked, once',
      blocks.map((text) => text.split('\n')[0]),
      [marker],
    )
    check('the block names the plan', blocks[0]?.includes('plan.md'), true)
    check(
      'the block reaches the model',
      requests.some((body) => body.includes(marker)),
      true,
    )
    check('plan.md releases it', reviewRuns(played), [{ ...HELD_ONCE, agent: undefined }])
    check('the trace log tells', played.logged('ceo-review-gate'), ['fired', 'blocked', 'released'])
    check('fired and released are attached', gateEvents(transcript.systemMessages), ['fired', 'released'])
  },
}

const subagents: Scenario = {
  name: 'a plan review by a subagent',
  async play({ world, check, session }) {
    const played = await session({
      prompt: 'Have the plan reviewed.',
      script: {
        main: [
          [dispatches('REVIEW the plan', 'general-purpose'), dispatches('EXPLORE the code', 'Explore')],
          [says('Both are done.\n\nSTATUS: DONE')],
        ],
        agents: {
          'REVIEW the plan': [
            [loads('plan-ceo-review')],
            [writes(`${world.repository}/plan.md`, '# Plan\n\nShip the new orders schema.\n')],
            [says('The plan is reviewed.')],
            [runs(RANK)],
            [says('The risks are ranked.')],
          ],
          'EXPLORE the code': [[runs('ls src')], [says('Two files.')]],
        },
      },
    })
    const agents = Object.entries(played.agents)
    const blocked = agents.filter(([, transcript]) => transcript.blocks('SubagentStop').length > 0)

    check('two subagents ran', agents.length, 2)
    check(
      'one of them is blocked, once',
      blocked.map(([, transcript]) => transcript.blocks('SubagentStop').length),
      [1],
    )
    check('its run is counted under its id', reviewRuns(played), [{ ...HELD_ONCE, agent: blocked[0]?.[0] }])
    check('its markers stand in its own transcript', gateEvents(blocked[0]?.[1].systemMessages ?? []), [
      'fired',
      'released',
    ])
    check('the main session stops unheld', played.transcript.blocks('Stop'), [])
    check('the trace log tells', played.logged('ceo-review-gate'), ['fired', 'blocked', 'released'])
  },
}

export const ceoReviewScenarios: readonly Scenario[] = [review, subagents]
