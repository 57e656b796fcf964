/** What the gates of reviews, and contracts, say at a stop. */

import { join } from 'node:path'
import { expect } from 'vitest'
import { EXAMPLE_CONTRACT, story } from '../helpers/contract-story.ts'
import { install, stop, stopAt } from '../helpers/contract-world.ts'
import { PACKAGE } from '../helpers/world.ts'
import { FINDINGS, startReview, writeFile } from '../hook/ceo-review/review.ts'
import { saidBy, test } from './legible.ts'

test('a review without ranked risks is told what to write, where, and what each file lacks', async ({
  world,
}) => {
  const repo = world.repo('plain')
  const review = startReview(world).writes('plan.md', '# Plan\n\n## Findings\n\n- a bullet\n')
  writeFile(repo.path('notes.md'), '# Notes\n')

  const answer = await review.stop()

  expect(saidBy(world, answer, repo.folder)).toMatchInlineSnapshot(`
    "model:
    GSTACK_GATE ceo-review-gate blocked session=<session> skill=plan-ceo-review via=stop files=2
    The /plan-ceo-review run is not finished: no output file of this review ranks the top risks.

    Write a \`## Findings\` section to <repo>/plan.md that ranks the top risks of the reviewed plan:
    - a numbered list right below the heading, with \`1.\` for the most serious risk; bullets do not count
    - one risk per item, stated in words of your own: what breaks and when; no placeholder
    - outside code blocks, quotes and comments, and before a \`## GSTACK REVIEW REPORT\` heading where the file has one
    Create the file and its folder where they do not exist. Then end your turn again.

    Checked:
    - <repo>/plan.md: the section "Findings" has a bullet list, not a numbered one
    - <repo>/notes.md: it has no heading with Findings or Top risks

    person:
    GSTACK_GATE ceo-review-gate fired session=<session> skill=plan-ceo-review on=Stop"
  `)
})

test('a review that was blocked three times ends, and the person is told what is missing', async ({
  world,
}) => {
  const repo = world.repo('plain')
  const review = startReview(world).writes('plan.md', '# Plan\n')
  for (let round = 0; round < 3; round += 1) await review.stop()

  const answer = await review.stop()

  expect(saidBy(world, answer, repo.folder)).toMatchInlineSnapshot(`
    "person:
    GSTACK_GATE ceo-review-gate exhausted session=<session> skill=plan-ceo-review blocked=3
    /plan-ceo-review gate: the review ended after 3 blocks without ranked risks; they belong in a Findings section of <repo>/plan.md"
  `)
})

test('a review that ranks its risks is let go', async ({ world }) => {
  const repo = world.repo('plain')
  const review = startReview(world).writes('plan.md', FINDINGS)

  const answer = await review.stop()

  expect(saidBy(world, answer, repo.folder)).toMatchInlineSnapshot(`
    "person:
    GSTACK_GATE ceo-review-gate fired session=<session> skill=plan-ceo-review on=Stop
    GSTACK_GATE ceo-review-gate released session=<session> skill=plan-ceo-review file=plan.md blocked=0"
  `)
})

test('a contract that is not met is told item by item, once', async ({ world }) => {
  install(world, 'investigate')

  const answer = await stop(world, story().loads('investigate').edits().says('Fixed.'))

  expect(saidBy(world, answer, PACKAGE.slice(0, -1))).toMatchInlineSnapshot(`
    "model:
    SKILL_CONTRACT_UNMET investigate (contract v1): missing debug-report, repro-after-fix. Fix: debug-report: print the DEBUG REPORT with real values for Symptom, Root cause, Fix, Evidence; repro-after-fix: run the test or repro again after your last edit and show its result. If an item truly does not apply, run '<repo>/bin/gstack-skill-contract' waive <item> --reason "<why>" (this session only; counted as a miss for follow). This blocks once."
  `)
})

test('a contract that cannot be checked is told in one line', async ({ world }) => {
  install(world, 'investigate', { ...EXAMPLE_CONTRACT, version: 7 })

  const broken = await stop(world, story().loads('investigate').says('Fixed.'))
  const missing = await stopAt(world, join(world.home, 'no-transcript.jsonl'))

  expect(saidBy(world, broken)).toMatchInlineSnapshot(`
    "stderr:
    gstack-skill-contract: SKILL_CONTRACT_STATE_ERROR <config>/skills/investigate/SKILL.md: contract.version: 7 is not supported, only 1 is; stop allowed, miss not recorded (see docs/skill-routing-and-contracts.md#state-error)"
  `)
  expect(saidBy(world, missing)).toMatchInlineSnapshot(`
    "stderr:
    gstack-skill-contract: SKILL_CONTRACT_STATE_ERROR <world>/home/no-transcript.jsonl: the transcript is missing; stop allowed, miss not recorded (see docs/skill-routing-and-contracts.md#state-error)"
  `)
})
