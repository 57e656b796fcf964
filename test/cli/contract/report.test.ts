import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { describe, expect } from 'vitest'
import { install, PROGRAM, recordFile, stop, transcriptOf } from '../../helpers/contract-world.ts'
import { REPORT, story, type Story } from '../../helpers/contract-story.ts'
import { test, type World } from '../../helpers/world.ts'

const start = () => story().prompts('The login fails.').loads('investigate')
const unmet = () => start().edits().says('Fixed.')
const met = () => start().edits().bash('bun test').says(REPORT)

const report = (world: World, ...args: string[]) => world.program('gstack-skill-contract', 'report', ...args)
const waive = (world: World, ...args: string[]) => world.program('gstack-skill-contract', 'waive', ...args)

/** Outcome and whether it is a miss, per session. */
async function outcomes(world: World): Promise<string[]> {
  const { runs } = JSON.parse((await report(world, '--json')).stdout) as {
    runs: { session: string; outcome: string; miss: boolean }[]
  }
  return runs.map(({ session, outcome, miss }) => `${session} ${outcome}${miss ? ' (miss)' : ''}`)
}

async function stopped(world: World, session: string, told: Story): Promise<void> {
  await stop(world, told, { session })
}

describe('report', () => {
  test('without records there is nothing to list', async ({ world }) => {
    const ran = await report(world)

    expect(ran).toMatchObject({ exitCode: 0, stderr: '' })
    expect(ran.stdout).toBe('SKILL_CONTRACT_MET report: 0 runs in 0 sessions, 0 misses\n')
  })

  test('misses by skill and item come first, then each missed run', async ({ world }) => {
    install(world, 'investigate')
    await stopped(world, 's1', unmet())
    await stopped(world, 's2', start().edits().says(REPORT))
    await stopped(world, 's3', met())

    const { stdout, exitCode } = await report(world)

    expect(exitCode).toBe(0)
    expect(stdout.replace(/\d{4}-\S+Z/g, 'AT'))
      .toBe(`SKILL_CONTRACT_MET report: 3 runs in 3 sessions, 2 misses

misses by skill and item:
  2  investigate  repro-after-fix
  1  investigate  debug-report

missed runs:
  AT  s1  investigate  blocked  missing debug-report, repro-after-fix
  AT  s2  investigate  blocked  missing repro-after-fix
`)
  })

  test('a run fixed after its block is no miss', async ({ world }) => {
    install(world, 'investigate')
    await stopped(world, 's1', unmet())
    transcriptOf(world, unmet().bash('bun test').says(REPORT), 's1')

    expect(await outcomes(world)).toEqual(['s1 fixed_after_block'])
  })

  test('a blocked run whose transcript is gone stays a miss', async ({ world }) => {
    install(world, 'investigate')
    await stopped(world, 's1', unmet())
    rmSync(transcriptOf(world, '', 's1'))

    expect(await outcomes(world)).toEqual(['s1 blocked (miss)'])
  })

  test('an earlier run is re-checked up to the next load of its skill', async ({ world }) => {
    install(world, 'investigate')
    await stopped(world, 's1', unmet())
    transcriptOf(world, unmet().loads('investigate').bash('bun test').says(REPORT), 's1')

    expect(await outcomes(world)).toEqual(['s1 blocked (miss)'])
  })

  test('a deferred run is checked when its agents have ended', async ({ world }) => {
    install(world, 'investigate')
    const launched = () => unmet().launches('Testing', 'a1').says('STATUS: DONE')
    await stopped(world, 's1', launched())
    expect(await outcomes(world)).toEqual(['s1 deferred'])

    transcriptOf(world, launched().notices('a1'), 's1')
    expect(await outcomes(world)).toEqual(['s1 miss (miss)'])

    transcriptOf(world, launched().notices('a1').bash('bun test').says(REPORT), 's1')
    expect(await outcomes(world)).toEqual(['s1 met'])
  })

  test('met only through a waiver is a miss of the waived item', async ({ world }) => {
    install(world, 'investigate')
    await stopped(
      world,
      's1',
      unmet().bash(`'${PROGRAM}' waive repro-after-fix --reason "docs only"`).says(REPORT),
    )

    expect((await report(world)).stdout).toContain('  1  investigate  repro-after-fix\n')
    expect(await outcomes(world)).toEqual(['s1 met_waived (miss)'])
  })

  test('--session lists that one alone', async ({ world }) => {
    install(world, 'investigate')
    await stopped(world, 's1', unmet())
    await stopped(world, 's2', unmet())

    expect((await report(world, '--session', 's2')).stdout).toContain('1 run in 1 session, 1 miss\n')
    expect((await report(world, '--session', '../s2')).exitCode).toBe(2)
  })

  test('a corrupt record exits 3, is named, and hides no other', async ({ world }) => {
    install(world, 'investigate')
    await stopped(world, 's1', unmet())
    mkdirSync(dirname(recordFile(world)), { recursive: true })
    writeFileSync(recordFile(world, 's2'), '{')

    const ran = await report(world)

    expect(ran.exitCode).toBe(3)
    expect(ran.stdout).toMatch(/^SKILL_CONTRACT_STATE_ERROR report: 1 run in 2 sessions, 1 miss\n/)
    expect(ran.stderr).toContain(recordFile(world, 's2'))
  })
})

describe('waive', () => {
  test('prints an acknowledgement and keeps nothing', async ({ world }) => {
    const ran = await waive(world, 'repro-after-fix', '--reason', 'docs only')

    expect(ran).toMatchObject({ exitCode: 0, stderr: '' })
    expect(ran.stdout).toMatch(
      /^SKILL_CONTRACT_MET: repro-after-fix is waived for this session \(docs only\)/,
    )
    expect((await report(world)).stdout).toContain('0 runs')
  })

  test('--skill checks that the contract has the item', async ({ world }) => {
    install(world, 'investigate')

    const known = await waive(
      world,
      'repro-after-fix',
      '--reason',
      'docs only',
      '--skill',
      'investigate',
      '--json',
    )
    expect(JSON.parse(known.stdout)).toEqual({
      code: 'SKILL_CONTRACT_MET',
      exit: 0,
      skill: 'investigate',
      item: 'repro-after-fix',
      reason: 'docs only',
    })

    const unknown = await waive(world, 'tests', '--reason', 'docs only', '--skill', 'investigate')
    expect(unknown).toMatchObject({ exitCode: 2, stdout: '' })
    expect(unknown.stderr).toMatch(/^SKILL_CONTRACT_USAGE investigate: the contract has no item tests/)
    expect((await waive(world, 'tests', '--reason', 'x', '--skill', 'nowhere')).exitCode).toBe(5)
  })

  test.for([
    ['no item', ['--reason', 'docs only']],
    ['no reason', ['repro-after-fix']],
    ['an empty reason', ['repro-after-fix', '--reason', '']],
    ['a blank reason', ['repro-after-fix', '--reason', '  ']],
    ['the placeholder as reason', ['repro-after-fix', '--reason', '<why>']],
    ['an item that is no id', ['Repro after fix', '--reason', 'docs only']],
    ['two items', ['a', 'b', '--reason', 'docs only']],
  ] as const)('%s exits 2', async ([, args], { world }) => {
    const ran = await waive(world, ...args)

    expect(ran).toMatchObject({ exitCode: 2, stdout: '' })
    expect(ran.stderr).toContain('SKILL_CONTRACT_USAGE')
  })

  test('--json tells errors too', async ({ world }) => {
    const ran = await waive(world, 'a', '--json')

    expect(ran.exitCode).toBe(2)
    expect(JSON.parse(ran.stdout)).toMatchObject({ code: 'SKILL_CONTRACT_USAGE', exit: 2 })
  })
})
