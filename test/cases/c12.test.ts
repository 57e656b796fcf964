import { existsSync } from 'node:fs'
import { describe, expect } from 'vitest'
import { armCase, CASE_CHECKS } from '../helpers/case.ts'
import { readGitFolder, type FileStates } from '../helpers/file-states.ts'
import type { Repo } from '../helpers/repo.ts'
import { test } from '../helpers/world.ts'

const SETUP = `
mkdir ../lib; L=$(cd ../lib; pwd); git init -q -b main "$L"
(cd "$L"; git config user.email d@example.invalid; git config user.name D; echo lib > lib.c; git add .; git commit -qm lib)
new_repo
printf 'a\\n' > src/a.js; save
git -c protocol.file.allow=always submodule --quiet add "$L" dep; git commit -qm 'add dep'
git -C dep config user.email d@example.invalid; git -C dep config user.name D
git init -q vendor/tool; (cd vendor/tool; git config user.email d@example.invalid; git config user.name D; echo t > t.c; git add .; git commit -qm t)
git init -q vendor/empty
printf 'a user\\n' > src/a.js
`
const ACT =
  "echo more >> dep/lib.c; git -C dep commit -qam 'move dep'; echo fix >> src/a.js; git add -A 2>&1 | tail -1"

/** The git directories inside the tree, and what `dep` holds. */
const nestedOf = (repo: Repo): readonly FileStates[] => [
  ...['.git/modules/dep', 'vendor/tool/.git', 'vendor/empty/.git'].map((folder) =>
    readGitFolder(repo.path(folder)),
  ),
  { 'dep/lib.c': repo.read('dep/lib.c'), 'dep/.git': repo.read('dep/.git') },
]

describe('C12: a moved submodule and nested repositories', () => {
  test.for(CASE_CHECKS)('are left alone where a file goes back, at %s', async (event, { world }) => {
    const { repo, session } = await armCase(world, SETUP)
    repo.sh(ACT)
    const nested = nestedOf(repo)
    const moved = repo.git('-C', 'dep', 'rev-parse', 'HEAD')

    const answer = await session.check(event)

    expect(answer.decision, answer.stderr).toBe(event === 'PreToolUse' ? 'deny' : 'block')
    expect(answer.reason).toContain('src/a.js')
    expect(answer.markers.map(({ event: each }) => each)).not.toContain('error')
    expect(repo.read('src/a.js')).toBe('a user\n')
    expect(repo.git('diff', '--cached', '--', 'src/a.js')).toBe('')
    expect(repo.git('-C', 'dep', 'rev-parse', 'HEAD')).toBe(moved)
    expect(repo.read('dep/lib.c')).toBe('lib\nmore\n')
    expect(nestedOf(repo)).toEqual(nested)
    expect((await session.check('PostToolUse')).decision).toBeUndefined()
  })

  test.for(['replace-exchanged', 'index-locked'])(
    'are left alone by a hook that is killed at %s',
    async (killPoint, { world }) => {
      const { repo, session } = await armCase(world, SETUP)
      repo.sh(ACT)
      const nested = nestedOf(repo)

      await session.hook('PostToolUse', { run: { killPoint } })
      expect(nestedOf(repo)).toEqual(nested)
      await session.check('PostToolUse')

      expect(repo.read('src/a.js')).toBe('a user\n')
      expect(nestedOf(repo)).toEqual(nested)
      expect(existsSync(repo.path('.git/index.lock'))).toBe(false)
    },
  )
})
