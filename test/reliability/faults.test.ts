import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { armed } from '../helpers/armed.ts'
import { IS_LONG } from '../helpers/long.ts'
import { PACKAGE, test } from '../helpers/world.ts'
import {
  CAN_FAULT,
  CHANGES,
  errnoOf,
  faultAt,
  listOperations,
  waysOf,
  type Operation,
  type Preload,
} from './file-faults.ts'
import {
  checkUntilDone,
  codesOf,
  CONCLUDE_MERGE,
  disturbEach,
  PUT_BACK,
  stateOfRepo,
  UNDO,
  type Disturbance,
} from './passes.ts'

/** What changes nothing fails in one way each; of the others a long run takes every way, a short one a sample. */
function plan(operations: readonly Operation[], every: number): Disturbance[] {
  return operations.flatMap((operation, index) => {
    if (!IS_LONG && index % every !== 0) return []
    const ways = waysOf(operation)
    const chosen = IS_LONG && CHANGES.has(operation.name) ? ways : ways.slice(index % ways.length).slice(0, 1)
    return chosen.map((way) => ({
      name: `${String(index + 1)} ${operation.name} ${operation.path} ${way}`,
      fault: `${String(index + 1)}:${errnoOf(way)}`,
    }))
  })
}

describe.skipIf(!CAN_FAULT)('a file operation that fails', () => {
  for (const pass of [PUT_BACK, UNDO, CONCLUDE_MERGE])
    test(
      `while ${pass.name} loses nothing, is told, and the next check finishes`,
      { timeout: 7_200_000 },
      async ({ world }) => {
        const { wrong, operations } = await disturbEach(world, pass, (each) => plan(each, 29))

        expect(operations).toBeGreaterThan(100)
        expect(wrong).toEqual([])
      },
    )

  test(
    'at an object of git’s while a merge is opened again is told, and never moves the branch elsewhere',
    { timeout: 7_200_000 },
    async ({ world }) => {
      const { wrong } = await disturbEach(world, CONCLUDE_MERGE, (each) =>
        each.flatMap(({ name, path }, index) =>
          name === 'open' && path.includes('/objects/') && !path.includes('/pack')
            ? [
                {
                  name: `${String(index + 1)} open ${path} EIO`,
                  fault: `${String(index + 1)}:${errnoOf('EIO')}`,
                },
              ]
            : [],
        ),
      )

      expect(wrong).toEqual([])
    },
  )

  test(
    'while arming ends in a code or in an armed gate, and the next call arms',
    { timeout: 7_200_000 },
    async ({ world }) => {
      world.env['GSTACK_SKILL_GATE_DEADLINE_MS'] = '20000'
      const repo = world.repo('partially-staged')
      const before = stateOfRepo(repo)
      const list = repo.read('src/list.js')
      const load = () => world.session({ cwd: repo.folder }).loads('investigate')
      const operations = await listOperations(world, (preload) =>
        load().hook('PreToolUse', { run: { preload } }),
      )
      const wrong: string[] = []

      for (const [round, { name, fault }] of plan(operations, 29).entries()) {
        const session = load()
        const answer = await session.hook('PreToolUse', { run: { preload: faultAt(world, fault) } })
        const isArmed = answer.markers.some(({ event }) => event === 'fired')
        const codes = codesOf(answer)
        const isUntouched = JSON.stringify(stateOfRepo(repo)) === JSON.stringify(before)
        await session.arm()
        repo.append('src/list.js', `fix ${String(round)}\n`)
        const held = await checkUntilDone(session)

        const expectThat = (holds: boolean, words: string) => {
          if (!holds) wrong.push(`${name.replace(world.folder, '')}: ${words}`)
        }
        expectThat(answer.exitCode === 0, `exit code ${String(answer.exitCode)}: ${answer.stderr}`)
        expectThat(isArmed || codes.length > 0, `silent: ${answer.stdout}${answer.stderr}`)
        expectThat(!codes.includes('GATE_UNEXPECTED'), answer.stderr)
        expectThat(isUntouched, 'the repository was changed')
        expectThat(held.decision === 'block', `not held: ${held.stdout}${held.stderr}`)
        expectThat(JSON.stringify(stateOfRepo(repo)) === JSON.stringify(before), 'not put back')
        repo.write('src/list.js', list)
      }

      expect(operations.length).toBeGreaterThan(100)
      expect(wrong).toEqual([])
    },
  )

  test(
    'while report counts ends in an exit code and a sentence, and the next report counts the same',
    { timeout: 7_200_000 },
    async ({ world }) => {
      const { repo, session } = await armed(world)
      repo.append('src/cart.js', 'fix\n')
      await session.check('PostToolUse')
      const report = (preload: Preload) =>
        world.run(process.execPath, [join(PACKAGE, 'dist/cli.js'), 'gstack-skill-gates', 'report'], {
          cwd: world.home,
          env: { ...world.env, ...preload },
        })
      const operations = await listOperations(world, report)
      const record = join(session.stateFolder, 'record.json')
      const [before, recordBefore] = [await report({}), readFileSync(record, 'utf8')]
      const wrong: string[] = []

      for (const { name, fault } of plan(operations, 5)) {
        const { exitCode, stdout, stderr } = await report(faultAt(world, fault))
        const after = await report({})

        const expectThat = (holds: boolean, words: string) => {
          if (!holds) wrong.push(`${name.replace(world.folder, '')}: ${words}`)
        }
        expectThat(exitCode !== undefined && exitCode <= 3, `exit code ${String(exitCode)}: ${stderr}`)
        expectThat(exitCode === 0 ? stdout === before.stdout : stdout + stderr !== '', `silent: ${stdout}`)
        expectThat(!/^ {4}at /m.test(stderr), stderr)
        expectThat(after.stdout === before.stdout, `counts differently: ${after.stdout}${after.stderr}`)
        expectThat(readFileSync(record, 'utf8') === recordBefore, 'the record was changed')
      }

      expect(before.exitCode).toBe(0)
      expect(operations.length).toBeGreaterThan(10)
      expect(wrong).toEqual([])
    },
  )
})
