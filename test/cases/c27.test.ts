import { describe, expect } from 'vitest'
import { armCase } from '../helpers/case.ts'
import { test } from '../helpers/world.ts'

const SETUP = "new_repo; printf 'a\\n' > src/a.js; save"

describe('C27: the deny', () => {
  test('is one JSON object of the event, with the marker first in its reason, and nothing else', async ({
    world,
  }) => {
    const { session } = await armCase(world, SETUP)

    const answer = await session.edit('src/a.js', 'a edited\n')

    expect(answer.exitCode).toBe(0)
    expect(answer.stderr).toBe('')
    expect(JSON.parse(answer.stdout)).toMatchObject({
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'deny',
        permissionDecisionReason: expect.stringMatching(
          /^GSTACK_GATE investigate-gate blocked session=\S+ /,
        ) as string,
      },
    })
    expect(answer.json).not.toHaveProperty('permissionDecision')
    expect(answer.json).not.toHaveProperty('decision')
  })

  for (const event of ['PreToolUse', 'Stop'] as const) {
    test(`that the host ignored is made good at the next ${event}`, async ({ world }) => {
      const { repo, session } = await armCase(world, SETUP)
      await session.edit('src/a.js', 'a edited\n')
      repo.write('src/a.js', 'a edited\n')

      const answer = await session.check(event)

      expect(answer.decision).toBe(event === 'Stop' ? 'block' : 'deny')
      expect(answer.reason).toContain('src/a.js')
      expect(repo.read('src/a.js')).toBe('a\n')
    })
  }

  test('of PostToolUse and Stop has their own shape', async ({ world }) => {
    const { repo, session } = await armCase(world, SETUP)
    repo.write('src/a.js', 'a edited\n')
    const post = await session.check('PostToolUse')
    repo.write('src/a.js', 'a edited\n')
    const stop = await session.stop()

    for (const { json } of [post, stop]) {
      expect(json).toMatchObject({
        decision: 'block',
        reason: expect.stringMatching(/^GSTACK_GATE /) as string,
      })
      expect(json).not.toHaveProperty('hookSpecificOutput')
    }
  })
})
