import { describe, expect } from 'vitest'
import { armCase, CASE_CHECKS } from '../helpers/case.ts'
import { checkStep, expectStandard } from '../helpers/standard.ts'
import { test, type World } from '../helpers/world.ts'
import type { Session } from '../helpers/session.ts'

const SETUP = `
new_repo
printf '*.log\\n' > .gitignore; printf 'a\\n' > src/a.js; printf 'u\\n' > src/u.js; save
printf 'out/\\n' >> .gitignore; mkdir out; head -c 4096 /dev/urandom > out/data.bin
echo draft > notes.txt; echo 'two hours of work' >> src/u.js
`

const isKept = async (world: World, session: Session, text: string) =>
  (await world.run('grep', ['-rlF', text, session.stateFolder])).stdout !== ''

describe("C18: the user's uncommitted data", () => {
  test.for(CASE_CHECKS)('outlives a change of the ignore rules, at %s', async (event, { world }) => {
    const { repo, session } = await armCase(world, SETUP)

    const step = await checkStep({ world, repo, session, event }, () =>
      repo.sh("echo 'tmp/' > .gitignore; mkdir tmp; echo 'repro' > tmp/repro.js; echo fix >> src/a.js"),
    )

    await expectStandard(step, ['.gitignore', 'src/a.js'])
    expect(repo.read('.gitignore')).toBe('*.log\nout/\n')
  })

  const discards: readonly [string, string][] = [
    ['git checkout', 'git checkout -q -- src/u.js'],
    ['git reset --hard', 'git reset -q --hard'],
    ['git stash drop', 'git stash push -q; git stash drop -q'],
  ]
  test.for(discards)(
    'that %s throws away stays in the session folder, without a block',
    async ([, script], { world }) => {
      const { repo, session } = await armCase(world, SETUP)
      repo.sh(script)

      const answers = [
        await session.check('PostToolUse'),
        await session.check('PreToolUse'),
        await session.stop(),
      ]

      expect(answers.map(({ decision }) => decision)).toEqual([undefined, undefined, undefined])
      expect(repo.read('src/u.js')).toBe('u\n')
      expect(await isKept(world, session, 'two hours of work')).toBe(true)
    },
  )

  test('that was staged stays in the session folder after a hard reset, too', async ({ world }) => {
    const { repo, session } = await armCase(
      world,
      `${SETUP}\ngit add src/u.js; echo 'and unstaged' >> src/u.js`,
    )
    repo.sh('git reset -q --hard')

    await session.check('PostToolUse')

    expect(await isKept(world, session, 'and unstaged')).toBe(true)
    expect((await world.run('grep', ['-rLF', 'and unstaged', session.stateFolder])).stdout).not.toBe('')
  })
})
