/** What a hook says when it could not do its work: what happened, that the call went through, and what to do. */

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { armed } from '../helpers/armed.ts'
import { runHook } from '../helpers/run-hook.ts'
import { startReview } from '../hook/ceo-review/review.ts'
import { saidBy, test } from './legible.ts'

describe('the call goes through, and the person reads', () => {
  test('GATE_BAD_PAYLOAD', async ({ world }) => {
    const answer = await runHook(world, '{"hook_event_name": "Stop"}')

    expect(saidBy(world, answer)).toMatchInlineSnapshot(`
      "person:
      GSTACK_GATE investigate-gate error session=unknown code=GATE_BAD_PAYLOAD why=the%20hook%20input%20cannot%20be%20used:%20session_id%20is%20missing
      /investigate gate: GATE_BAD_PAYLOAD: the hook input cannot be used: session_id is missing. That call went through unchecked. Claude Code may have changed its format: update gstack.

      stderr:
      gstack-skill-gates: GATE_BAD_PAYLOAD the hook input cannot be used: session_id is missing. The call was let through. Claude Code may have changed its format: update gstack."
    `)
  })

  test('GATE_TRANSCRIPT', async ({ world }) => {
    const { repo, session } = await armed(world)

    const answer = await session.hook('PreToolUse', { payload: { transcript_path: '/no/transcript.jsonl' } })

    expect(saidBy(world, answer, repo.folder)).toMatchInlineSnapshot(`
      "person:
      GSTACK_GATE investigate-gate error session=<session> code=GATE_TRANSCRIPT why=the%20transcript%20is%20missing:%20/no/transcript.jsonl
      /investigate gate: GATE_TRANSCRIPT: the transcript is missing: /no/transcript.jsonl. That call went through unchecked. Start a new session; if it stays, update gstack.

      stderr:
      gstack-skill-gates: GATE_TRANSCRIPT the transcript is missing: /no/transcript.jsonl. The call was let through. Start a new session; if it stays, update gstack."
    `)
  })

  test('GATE_TIMEOUT', async ({ world }) => {
    const { repo, session } = await armed(world)
    repo.append('src/cart.js', 'fix\n')
    world.env['GSTACK_SKILL_GATE_DEADLINE_MS'] = '1'

    const answer = await session.check('PostToolUse')

    expect(saidBy(world, answer, repo.folder)).toMatchInlineSnapshot(`
      "person:
      GSTACK_GATE investigate-gate error session=<session> code=GATE_TIMEOUT why=no%20time%20left%20for%20comparing%20the%20tree%20within%201%20ms
      /investigate gate: GATE_TIMEOUT: no time left for comparing the tree within 1 ms. That call went through unchecked. A very large dirty tree or a slow disk: raise GSTACK_SKILL_GATE_DEADLINE_MS (at most 20000).

      stderr:
      gstack-skill-gates: GATE_TIMEOUT no time left for comparing the tree within 1 ms. The call was let through. A very large dirty tree or a slow disk: raise GSTACK_SKILL_GATE_DEADLINE_MS (at most 20000)."
    `)
  })

  test('GATE_GIT', async ({ world }) => {
    const { repo, session } = await armed(world)
    writeFileSync(repo.path('.git/index'), 'no index')

    const answer = await session.check('PostToolUse')

    expect(saidBy(world, answer, repo.folder)).toMatchInlineSnapshot(`
      "person:
      GSTACK_GATE investigate-gate error session=<session> code=GATE_GIT why=git%20ls-files%20failed:%20EBADINDEX:%20no%20index%20header,%20index:%20<repo>/.git/index
      /investigate gate: GATE_GIT: git ls-files failed: EBADINDEX: no index header, index: <repo>/.git/index. That call went through unchecked. Run the named git command in the repository.

      stderr:
      gstack-skill-gates: GATE_GIT git ls-files failed: EBADINDEX: no index header, index: <repo>/.git/index. The call was let through. Run the named git command in the repository."
    `)
  })

  test('GATE_STATE', async ({ world }) => {
    const { repo, session } = await armed(world)
    repo.append('src/cart.js', 'fix\n')
    writeFileSync(join(session.stateFolder, 'record.json'), 'damaged')

    const answer = await session.check('PostToolUse')

    expect(saidBy(world, answer, repo.folder)).toMatchInlineSnapshot(`
      "person:
      GSTACK_GATE investigate-gate error session=<session> code=GATE_STATE why=this%20file%20is%20not%20JSON:%20<state>/skill-gates/<session>/record.json:%20Unexpected%20token%20%27d%27,%20%22damaged%22%20is%20not%20valid%20JSON
      /investigate gate: GATE_STATE: this file is not JSON: <state>/skill-gates/<session>/record.json: Unexpected token 'd', "damaged" is not valid JSON. That call went through unchecked. Make $GSTACK_STATE_ROOT writable, or delete skill-gates/<session id>/.

      stderr:
      gstack-skill-gates: GATE_STATE this file is not JSON: <state>/skill-gates/<session>/record.json: Unexpected token 'd', "damaged" is not valid JSON. The call was let through. Make $GSTACK_STATE_ROOT writable, or delete skill-gates/<session id>/."
    `)
  })

  test('GATE_SLUG', async ({ world }) => {
    const folder = join(world.home, '決済')
    mkdirSync(folder)
    const review = startReview({ ...world, session: () => world.session({ cwd: folder }) })

    const answer = await review.stop()

    expect(saidBy(world, answer)).toMatchInlineSnapshot(`
      "person:
      GSTACK_GATE ceo-review-gate error session=<session> code=GATE_SLUG why=no%20name%20can%20be%20made%20of%20<world>/home/%E6%B1%BA%E6%B8%88
      /plan-ceo-review gate: GATE_SLUG: no name can be made of <world>/home/決済. That call went through unchecked. Run gstack-slug in the repository; GSTACK_PROJECT_SLUG pins it.

      stderr:
      gstack-skill-gates: GATE_SLUG no name can be made of <world>/home/決済. The call was let through. Run gstack-slug in the repository; GSTACK_PROJECT_SLUG pins it."
    `)
  })
})
