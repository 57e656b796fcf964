import { describe, expect } from 'vitest'
import { armIn, type Armed } from '../helpers/armed.ts'
import { IS_LONG } from '../helpers/long.ts'
import { test } from '../helpers/world.ts'
import { CAN_FAULT, faultAt } from './file-faults.ts'

const COMMITS = IS_LONG ? 200_000 : 20_000

/** A line of commits in one pack, each with its own `src/a.js`, in a tree of 300 files. */
const LONG_LINE = `
new_repo
awk -v commits=${String(COMMITS)} 'BEGIN {
  for (n = 1; n <= commits; n++) {
    printf "commit refs/heads/main\\ncommitter Dev <dev@example.invalid> %d +0000\\ndata 1\\nx\\n", 1767600000 + n
    text = "line " n "\\n"
    printf "M 100644 inline src/a.js\\ndata %d\\n%s\\n", length(text), text
    if (n > 1) continue
    for (file = 0; file < 300; file++) printf "M 100644 inline src/d%d/f%d.js\\ndata 2\\nx\\n\\n", file / 20, file
  }
}' | git fast-import --quiet
git reset -q --hard
git gc -q
`

/** Nothing is put back or said, and it stays so. */
async function expectLeft({ repo, session }: Armed): Promise<void> {
  const left = repo.snapshot()
  const answers = [await session.check('PostToolUse'), await session.check('PreToolUse')]

  expect(answers.map(({ stdout, stderr }) => stdout + stderr)).toEqual(['', ''])
  expect(repo.snapshot()).toEqual(left)
}

describe(`within its deadline, with ${String(COMMITS)} commits,`, () => {
  test('each call is answered', { timeout: 300_000 }, async ({ world }) => {
    const armed = await armIn(world, await world.shellRepo(LONG_LINE))
    const { repo, session } = armed
    const main = repo.git('rev-parse', 'main')
    const text = repo.read('src/a.js')
    await expectLeft(armed)

    repo.append('src/a.js', 'fix\n')
    const edited = await session.check('PostToolUse')
    expect(edited.reason + edited.stderr).toMatch(/^GSTACK_GATE investigate-gate blocked/)
    expect(repo.read('src/a.js')).toBe(text)

    repo.sh('echo fix >> src/a.js; git commit -qam fix; git commit -q --allow-empty -m empty')
    const committed = await session.check('PostToolUse')
    expect(committed.reason + committed.stderr).toMatch(/^GSTACK_GATE investigate-gate blocked/)
    expect(repo.git('rev-parse', 'main')).toBe(main)
    expect(repo.read('src/a.js')).toBe(text)

    repo.sh(`git checkout -q main~${String(COMMITS - 2)} -- src/a.js`)
    await expectLeft(armed)
    expect(repo.read('src/a.js')).toBe('line 2\n')

    repo.sh('git reset -q --hard; git checkout -q -b side main~1000; git merge -q --no-edit main')
    await expectLeft(armed)
  })
})

describe.skipIf(!CAN_FAULT)('content that a history too long to search may hold', () => {
  const LOOSE_COMMITS = 120
  const LOOSE_LINE = `
    new_repo; echo kept > src/a.js; save
    echo dangling | git hash-object -w --stdin
    for n in $(seq ${String(LOOSE_COMMITS)}); do git commit -q --allow-empty -m $n; done`

  test('is left, is counted, and is never searched for again', { timeout: 60_000 }, async ({ world }) => {
    const armed = await armIn(world, await world.shellRepo(LOOSE_LINE))
    const { repo, session } = armed
    repo.write('src/a.js', 'dangling\n')
    const objects = repo.path('.git/objects')

    const slow = await session.hook('PostToolUse', {
      run: { preload: { ...faultAt(world, 'delay:60000'), GATE_FAULT_UNDER: objects } },
    })

    expect(slow.decision, slow.reason).toBeUndefined()
    expect(slow.stderr).toBe('')
    expect(world.log().at(-1)).toMatch(/ event=observed .* files=1$/)
    await expectLeft(armed)
    expect(repo.read('src/a.js')).toBe('dangling\n')
  })

  test('is put back when there is time to search it', async ({ world }) => {
    const { repo, session } = await armIn(world, await world.shellRepo(LOOSE_LINE))
    repo.write('src/a.js', 'dangling\n')

    const answer = await session.check('PostToolUse')

    expect(answer.decision, answer.stderr).toBe('block')
    expect(repo.read('src/a.js')).toBe('kept\n')
  })
})
