import { describe, expect } from 'vitest'
import { test } from '../../helpers/world.ts'
import { BASE, guard } from './guarded.ts'

/** One such name, and a twin that differs only in the byte which is not UTF-8. */
const SETUP = `${BASE}; name=$(printf 'caf\\351.js'); twin=$(printf 'caf\\350.js'); seq 1 9 > "$name"; seq 11 19 > "$twin"; save raw`
const NAME = `name=$(printf 'caf\\351.js')`

describe('a file whose name is not UTF-8', () => {
  test('goes back with the commit that changed it', async ({ world }) => {
    const guarded = await guard(world, SETUP)
    const { repo, session } = guarded
    const tip = repo.git('rev-parse', 'HEAD')
    repo.sh(`${NAME}; echo fix >> "$name"; git commit -qam fix`)

    const answer = await session.check('PostToolUse')

    expect(answer.decision, answer.stderr).toBe('block')
    expect(answer.reason).toContain('caf\\xe9.js')
    expect(repo.git('rev-parse', 'HEAD')).toBe(tip)
    expect(repo.status()).toBe('')
  })

  test('may be changed by a pick, a merge and a revert of old commits', async ({ world }) => {
    const { repo, session } = await guard(
      world,
      `${SETUP}; git checkout -qb topic; sed -i 1s/1/one/ "$name"; save topic; git checkout -q main; sed -i 9s/9/nine/ "$name"; save nine`,
    )
    for (const act of [
      'git cherry-pick topic',
      'git revert --no-edit HEAD',
      'git merge -q --no-edit topic',
    ]) {
      repo.sh(`${act} >/dev/null`)
      const acted = repo.snapshot()

      const answer = await session.check('PostToolUse')

      expect(answer.decision, `${act}: ${answer.reason}`).toBeUndefined()
      expect(repo.snapshot()).toEqual(acted)
    }
  })
})
