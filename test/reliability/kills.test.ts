import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { armed, armIn, type Armed } from '../helpers/armed.ts'
import { IS_LONG } from '../helpers/long.ts'
import type { RepoSnapshot } from '../helpers/repo.ts'
import { test, type World } from '../helpers/world.ts'
import { CAN_FAULT, CHANGES, faultAt, listOperations, type Operation } from './file-faults.ts'
import {
  checkUntilDone,
  CONCLUDE_MERGE,
  disturbEach,
  lostContents,
  PUT_BACK,
  stateOfRepo,
  UNDO,
  type WritingPass,
} from './passes.ts'
import { randomFrom, SEED } from './random.ts'

/** Places of the operations that change something; a short run takes some of them and both ends. */
function changesOf(operations: readonly Operation[], every: number): number[] {
  const places = operations.flatMap(({ name }, index) => (CHANGES.has(name) ? [index + 1] : []))
  return places.filter((_, index) => IS_LONG || index % every === 0 || index === places.length - 1)
}

/**
 * Kills the hook once it has made a file and written nothing to it.
 *
 * @param prepare gives the same start twice: the first pass tells when that is
 * @param place of the file; a folder ends in a slash
 */
async function killWhileFilling(
  world: World,
  prepare: () => Promise<Armed>,
  place: (at: Armed) => string,
): Promise<Armed> {
  const seen = await prepare()
  const operations = await listOperations(world, (preload) =>
    seen.session.hook('PostToolUse', { run: { preload: { ...preload, GATE_FAULT_UNDER: place(seen) } } }),
  )
  const write = 1 + operations.findIndex(({ name }) => name === 'write')
  const at = await prepare()
  const preload = { ...faultAt(world, `${String(write)}:kill`), GATE_FAULT_UNDER: place(at) }
  await at.session.hook('PostToolUse', { run: { preload } })
  return at
}

describe.skipIf(!CAN_FAULT)('SIGKILL before an operation that changes a file', () => {
  for (const pass of [PUT_BACK, UNDO, CONCLUDE_MERGE])
    test(
      `while ${pass.name} loses nothing, and the next check finishes and tells`,
      { timeout: 3_600_000 },
      async ({ world }) => {
        const { wrong, kills } = await disturbEach(world, pass, (operations) =>
          changesOf(operations, 12).map((place) => {
            const { name, path } = operations[place - 1] ?? { name: '', path: '' }
            return { name: `${String(place)} ${name} ${path}`, fault: `${String(place)}:kill` }
          }),
        )

        expect(kills).toBeGreaterThan(3)
        expect(wrong).toEqual([])
      },
    )

  for (const file of ['.git/MERGE_HEAD', '.git/MERGE_MSG', '.git/AUTO_MERGE'])
    test(`while it fills ${file} of a merge that it opens again: the next check fills it`, async ({
      world,
    }) => {
      let before: RepoSnapshot | undefined
      const prepare = async () => {
        const at = await CONCLUDE_MERGE.start(world)
        before = stateOfRepo(at.repo)
        CONCLUDE_MERGE.act(at, 1)
        return at
      }
      const { repo, session } = await killWhileFilling(world, prepare, (at) => at.repo.path(file))
      expect(repo.read(file)).toBe('')

      await session.check('PostToolUse')

      expect(stateOfRepo(repo)).toEqual(before)
    })

  test('while it fills its own mark: the next check takes the mark away', async ({ world }) => {
    const marks = join(world.stateRoot, 'skill-gates/.in-flight')
    const { session } = await killWhileFilling(
      world,
      () => armed(world),
      () => `${marks}/`,
    )
    expect(readdirSync(marks)).toHaveLength(1)

    await session.check('PostToolUse')

    expect(readdirSync(marks)).toEqual([])
  })

  test('while arming: the next call arms', { timeout: 3_600_000 }, async ({ world }) => {
    world.env['GSTACK_SKILL_GATE_DEADLINE_MS'] = '20000'
    const repo = world.repo('partially-staged')
    const before = stateOfRepo(repo)
    const list = repo.read('src/list.js')
    const operations = await listOperations(world, (preload) =>
      world.session({ cwd: repo.folder }).loads('investigate').hook('PreToolUse', { run: { preload } }),
    )
    const wrong: string[] = []

    for (const place of changesOf(operations, 12)) {
      const session = world.session({ cwd: repo.folder }).loads('investigate')
      const run = { preload: faultAt(world, `${String(place)}:kill`) }
      await session.hook('PreToolUse', { run })
      await session.arm()
      repo.append('src/list.js', `fix ${String(place)}\n`)

      const answer = await checkUntilDone(session)

      const isHeld =
        answer.decision === 'block' && JSON.stringify(stateOfRepo(repo)) === JSON.stringify(before)
      if (!isHeld) wrong.push(`${String(place)}: ${answer.stdout}${answer.stderr}`)
      repo.write('src/list.js', list)
    }

    expect(wrong).toEqual([])
  })
})

const KILLS = IS_LONG ? 500 : 3

/** Two thousand dirty files: each has a raw copy to come back from and content to keep. */
async function startLarge(world: World): ReturnType<WritingPass['start']> {
  world.env['GSTACK_SKILL_GATE_DEADLINE_MS'] = '20000'
  const repo = world.repo('large')
  return await armIn(world, repo)
}

const FILES = 2_000
const fileOf = (index: number): string => `src/d${String(Math.floor(index / 100))}/f${String(index)}.js`

test(
  `SIGKILL at ${String(KILLS)} random times of a 2,000-file restore (seed ${String(SEED)}) loses nothing, and the next check finishes`,
  { timeout: 14_400_000 },
  async ({ world }) => {
    const { repo, session } = await startLarge(world)
    const before = stateOfRepo(repo)
    const random = randomFrom(SEED)
    const wrong: string[] = []
    const paths = Array.from({ length: FILES }, (_, index) => fileOf(index))
    let killed = 0
    let longestMs = 0

    for (let round = 0; round < KILLS; round += 1) {
      const contents = paths.map((path) => `fix ${String(round)} of ${path}\n`)
      paths.forEach((path, index) => repo.write(path, contents[index] ?? ''))
      if (longestMs === 0) {
        longestMs = (await session.check('PostToolUse')).ms
        paths.forEach((path, index) => repo.write(path, contents[index] ?? ''))
      }
      const killAfterMs = Math.round(random() * longestMs)

      const answer = await session.hook('PostToolUse', { run: { killAfterMs } })

      if (answer.exitCode === undefined) killed += 1
      // The machine became faster: later kills are to hit, too.
      else longestMs = Math.min(longestMs, answer.ms)
      const at = `round ${String(round)} after ${String(killAfterMs)} ms`
      if (lostContents({ repo, session }, contents).length > 0) wrong.push(`${at}: lost by the killed pass`)
      repo.git('status', '--porcelain')
      const next = await checkUntilDone(session)
      if (JSON.stringify(stateOfRepo(repo)) !== JSON.stringify(before))
        wrong.push(`${at}: ${next.stdout}${next.stderr}`)
      if (lostContents({ repo, session }, contents).length > 0) wrong.push(`${at}: lost by the next pass`)
      if (existsSync(repo.path('.git/index.lock'))) wrong.push(`${at}: index.lock stays`)
      if (repo.git('fsck', '--no-dangling') !== '') wrong.push(`${at}: git fsck complains`)
      await world.run('find', [`${session.stateFolder}/kept`, '-type', 'f', '-delete'])
    }

    expect(killed).toBeGreaterThan(0)
    expect(wrong).toEqual([])
  },
)
