import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { REPORT, story, type Story } from '../../helpers/contract-story.ts'
import { install, recordOf, stop, stopAt, transcriptOf } from '../../helpers/contract-world.ts'
import { test } from '../../helpers/world.ts'
import { outcomes, start } from './runs.ts'

describe('a long session', () => {
  const OUTPUT = 'src/cart.ts: export function total(items)\n'.repeat(4_000)
  const longRun = () => start().bash('cat src/cart.ts', { result: OUTPUT }).edits().says('Fixed.')
  const goesOn = () =>
    longRun().record({
      type: 'user',
      isMeta: true,
      message: { role: 'user', content: 'Stop hook feedback:\nSKILL_CONTRACT_UNMET' },
    })
  const readingOf = (world: Parameters<typeof recordOf>[0]) =>
    join(world.stateRoot, 'skill-contracts/.readings/s1.json')

  test('is read on from where the last stop left it', async ({ world }) => {
    install(world, 'investigate')
    expect((await stop(world, longRun())).stdout).toContain('SKILL_CONTRACT_UNMET')
    const told = goesOn().says(REPORT)
    const file = transcriptOf(world, told)
    // Whoever read it from the start would find no edit, and nothing to test.
    writeFileSync(file, readFileSync(file, 'utf8').replace('"name":"Edit"', '"name":"Glob"'))

    await stopAt(world, file, { payload: { last_assistant_message: REPORT, stop_hook_active: true } })

    expect(recordOf(world).runs).toMatchObject([{ outcome: 'miss', missing: ['repro-after-fix'] }])
  })

  test('is kept without what no contract asks, and for nobody else to read', async ({ world }) => {
    install(world, 'investigate')
    await stop(world, longRun())

    const { size, mode } = statSync(readingOf(world))

    expect(size).toBeLessThan(OUTPUT.length / 20)
    expect((mode & 0o777).toString(8)).toBe('600')
  })

  test.for<[string, (text: string) => string]>([
    ['damaged', (text) => text.slice(0, -20)],
    ['of another version', (text) => text.replace('"version":1', '"version":0')],
    ['of another file', (text) => text.replace(/"inode":\d+/, '"inode":1')],
    ['no object', () => 'null'],
  ])('a reading that is %s is read again', async ([, damage], { world }) => {
    install(world, 'investigate')
    await stop(world, longRun())
    writeFileSync(readingOf(world), damage(readFileSync(readingOf(world), 'utf8')))

    const second = await stop(world, goesOn().bash('bun test').says(REPORT))

    expect(second).toMatchObject({ stdout: '', stderr: '', exitCode: 0 })
    expect(outcomes(world)).toEqual(['investigate met_after_block'])
  })

  test('a contract that looks for other words finds them in what was read before', async ({ world }) => {
    const selects = (marker?: string) => ({
      version: 1,
      items: [
        {
          id: 'it',
          kind: 'selected_specialists_dispatched',
          ...(marker === undefined ? {} : { marker }),
        },
      ],
    })
    install(world, 'investigate', selects())
    const told = () =>
      start()
        .bash('./select', { result: `${OUTPUT}Chosen 0 reviewers:` })
        .says('Done.')
    expect((await stop(world, told())).stdout).toContain('SKILL_CONTRACT_UNMET')
    install(world, 'investigate', selects('Chosen N reviewers:'))

    await stop(world, told().prompts('Go on.').says('Done.'))

    expect(outcomes(world)).toEqual(['investigate met_after_block'])
  })

  test('and does not take for the run what was printed before it began', async ({ world }) => {
    const selects = (marker: string) => ({
      version: 1,
      items: [{ id: 'it', kind: 'selected_specialists_dispatched', marker }],
    })
    const told = () => {
      const before = Array.from({ length: 5 }).reduce<Story>(
        (session) => session.bash('ls', { result: 'src' }),
        story().prompts('Look at it.'),
      )
      return before
        .bash('./select', { result: 'Chosen 0 reviewers:' })
        .loads('investigate')
        .bash('cat src/cart.ts', { result: OUTPUT })
        .says('Done.')
    }
    install(world, 'investigate', selects('Dispatching N specialists:'))
    expect((await stop(world, told())).stdout).toContain('SKILL_CONTRACT_UNMET')
    install(world, 'investigate', selects('Chosen N reviewers:'))

    await stop(world, told().prompts('Go on.').says('Done.'))

    expect(outcomes(world)).toEqual(['investigate miss'])
  })
})
