import { rmSync } from 'node:fs'
import { describe, expect } from 'vitest'
import { armIn, type Armed } from '../helpers/armed.ts'
import { CASE_CHECKS, chooseCaseEnvironment } from '../helpers/case.ts'
import { openRepo } from '../helpers/repo.ts'
import { checkStep, expectStandard } from '../helpers/standard.ts'
import { test, type World } from '../helpers/world.ts'

const UPSTREAM = `new_repo; for text in one two a; do printf '%s\\n' $text > src/a.js; save $text; done
git config uploadpack.allowFilter true`

/** A clone whose upstream is gone before the gate arms. */
async function armClone(world: World, options: string): Promise<Armed> {
  chooseCaseEnvironment(world)
  const upstream = await world.shellRepo(
    `${UPSTREAM}; git clone -q ${options} "file://$PWD" ../clone; cd ../clone; git config user.name D; git config user.email d@example.invalid`,
  )
  rmSync(upstream.folder, { recursive: true })
  return await armIn(world, openRepo(upstream.path('../clone')))
}

describe('C17: a repository with SHA-256 ids', () => {
  test('is skipped, which report tells', async ({ world }) => {
    chooseCaseEnvironment(world)
    const repo = await world.shellRepo("new_repo --object-format=sha256; printf 'a\\n' > src/a.js; save")
    const session = world.session().loads('investigate')
    await session.arm()
    repo.append('src/a.js', 'fix\n')

    const answer = await session.check('PostToolUse')
    const report = await world.program(
      'gstack-skill-gates',
      'report',
      '--session',
      session.id,
      '--expect',
      'armed',
    )

    expect(answer.stdout + answer.stderr).toBe('')
    expect(report.exitCode).toBe(2)
    expect(report.stdout).toContain('unsupported-format')
  })
})

describe.for([
  ['without old trees', '--filter=tree:0'],
  ['of the newest commit alone', '--depth=1'],
] as const)('C17: a clone %s whose upstream is gone', ([, options]) => {
  test.for(CASE_CHECKS)('is guarded at %s', async (event, { world }) => {
    const { repo, session } = await armClone(world, options)

    const step = await checkStep({ world, repo, session, event }, () => {
      repo.sh('echo fix >> src/a.js')
    })

    await expectStandard(step, ['src/a.js'])
  })

  test('has a commit undone to its tip', async ({ world }) => {
    const { repo, session } = await armClone(world, options)
    const tip = repo.git('rev-parse', 'HEAD')
    repo.sh('echo fix >> src/a.js; git commit -qam fix')

    const answer = await session.check('PostToolUse')

    expect(answer.decision, answer.stderr).toBe('block')
    expect(repo.git('rev-parse', 'HEAD')).toBe(tip)
    expect(repo.status()).toBe('')
  })
})
