import { describe, expect } from 'vitest'
import { armCase, CASE_CHECKS, chooseCaseEnvironment } from '../helpers/case.ts'
import { test } from '../helpers/world.ts'

const UNBORN = "new_repo; printf 'a\\n' > src/a.js; git add src/a.js"
const BORN = "new_repo; printf 'a\\n' > src/a.js; save"

describe('C16: a repository without a commit', () => {
  test('is skipped once, and nothing in it is touched', async ({ world }) => {
    chooseCaseEnvironment(world)
    const repo = await world.shellRepo(UNBORN)
    const session = world.session().loads('investigate')

    const answers = [await session.arm()]
    repo.sh('echo fix >> src/a.js')
    const acted = repo.index()
    for (const event of CASE_CHECKS) answers.push(await session.check(event))

    expect(answers.map(({ decision, exitCode }) => [decision, exitCode])).toEqual(
      answers.map(() => [undefined, 0]),
    )
    const markers = answers.flatMap((answer) => answer.markers)
    expect(markers.filter(({ event }) => event === 'fired')).toEqual([])
    expect(world.log().filter((line) => line.includes('event=skipped'))).toHaveLength(1)
    expect([repo.read('src/a.js'), repo.index()]).toEqual(['a\nfix\n', acted])
  })

  test('arms by a new load after its first commit', async ({ world }) => {
    chooseCaseEnvironment(world)
    const repo = await world.shellRepo(UNBORN)
    const session = world.session().loads('investigate')
    await session.arm()
    repo.sh('git commit -qm first')

    const answer = await session.loads('investigate').arm()

    expect(answer.markers).toMatchObject([{ event: 'fired' }])
  })
})

describe('C16: a HEAD that stops resolving', () => {
  test.for(CASE_CHECKS)(
    'is GATE_GIT, and nothing is restored from nothing, at %s',
    async (event, { world }) => {
      const { repo, session } = await armCase(world, BORN)
      repo.sh('git checkout -q --orphan fresh; echo fix >> src/a.js')
      const acted = repo.snapshot()

      const answer = await session.check(event)

      expect(answer.decision).toBeUndefined()
      expect(answer.markers).toMatchObject([{ event: 'error', fields: { code: 'GATE_GIT' } }])
      expect(repo.snapshot()).toEqual(acted)
    },
  )

  test('is checked against the same baseline once it resolves', async ({ world }) => {
    const { repo, session } = await armCase(world, BORN)
    repo.sh('git checkout -q --orphan fresh; echo fix >> src/a.js')
    await session.check('PostToolUse')
    repo.sh('git symbolic-ref HEAD refs/heads/main')

    const answer = await session.check('PostToolUse')

    expect(answer.decision).toBe('block')
    expect(repo.read('src/a.js')).toBe('a\n')
    expect(repo.status()).toBe('')
  })
})
