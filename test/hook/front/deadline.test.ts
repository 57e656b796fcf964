/** The front and Node share one deadline: what one of them spends, the other does not have. Needs the build. */

import { createHash } from 'node:crypto'
import { readdirSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect } from 'vitest'
import { encodeCertificate } from '../../../src/core/certificate.ts'
import { armed } from '../../helpers/armed.ts'
import { lonelyFront } from '../../helpers/lonely-front.ts'
import type { Session } from '../../helpers/session.ts'
import { PACKAGE, test, type World } from '../../helpers/world.ts'

/** The front alone, with its input so many seconds after its start. */
function withLateInput(world: World, seconds: number): string {
  const program = join(world.folder, 'late-input')
  const front = lonelyFront(world)
  writeFileSync(program, `#!/bin/sh\n{ sleep ${String(seconds)}; cat; } | '${front}' "$@"\n`, { mode: 0o755 })
  return program
}

/** A certificate that says no more than that the tree is as it was pinned. */
function certifyTree(world: World, session: Session): void {
  const [folder = ''] = readdirSync(join(session.stateFolder, 'roots'))
  const pins = join(session.stateFolder, 'roots', folder)
  const pinned = (start: string): string =>
    relative(world.stateRoot, join(pins, readdirSync(pins).find((name) => name.startsWith(start)) ?? ''))
  const tree = {
    kind: 'tree',
    root: session.cwd,
    index: pinned('index-'),
    table: pinned('table-'),
    patch: '',
    outside: [],
  } as const
  const content = encodeCertificate('armed', [tree]) ?? Buffer.alloc(0)
  writeFileSync(
    join(world.stateRoot, 'skill-gates/.front', `investigate-gate~${session.id}`),
    Buffer.concat([content, createHash('sha1').update(content).digest()]),
  )
}

describe('a deadline', () => {
  test('that the front has used up ends in GATE_TIMEOUT, and the next check finishes', async ({ world }) => {
    world.env['GSTACK_SKILL_GATE_DEADLINE_MS'] = '20000'
    const { repo, session } = await armed(world)
    repo.append('src/cart.js', 'fix\n')
    const program = join(PACKAGE, 'bin/hook-launcher')

    const late = await session.hook('PostToolUse', {
      run: { program, env: { GSTACK_HOOK_SPENT_MS: '20000' } },
    })
    const next = await session.check('PostToolUse')

    expect(late.exitCode).toBe(0)
    expect(late.markers).toMatchObject([{ event: 'error', fields: { code: 'GATE_TIMEOUT' } }])
    expect(next.decision, next.stderr).toBe('block')
  })

  test('is shared: Node is told what the front has spent, whoever else had said so before', async ({
    world,
  }) => {
    world.repo('plain')
    const program = withLateInput(world, 0.4)
    writeFileSync(
      join(world.folder, 'lonely/dist/node'),
      `#!/bin/sh\nprintf '{"spent":%s}' "$GSTACK_HOOK_SPENT_MS"\n`,
    )

    const { json } = await world
      .session()
      .hook('PreToolUse', { run: { program, env: { GSTACK_HOOK_SPENT_MS: '1' } } })

    expect(json?.['spent']).toBeGreaterThan(350)
    expect(json?.['spent']).toBeLessThan(20_000)
  })

  test('that is over lets the front look at no tree', async ({ world }) => {
    world.env['GSTACK_SKILL_GATE_DEADLINE_MS'] = '20000'
    const { session } = await armed(world)
    await session.check('PreToolUse')
    const answerOf = async (deadlineMs: string) => {
      certifyTree(world, session)
      const run = { program: withLateInput(world, 0.3), env: { GSTACK_SKILL_GATE_DEADLINE_MS: deadlineMs } }
      const { json } = await session.hook('PreToolUse', { recorded: false, run })
      return json === undefined ? 'front' : 'node'
    }

    expect(await answerOf('20000')).toBe('front')
    expect(await answerOf('200')).toBe('node')
  })
})
