import { expect } from 'vitest'
import { armIn } from '../../helpers/armed.ts'
import { test } from '../../helpers/world.ts'

/** Each file came with an old commit of its own, whose revert would delete it. */
const GROWN =
  'new_repo; echo a > src/a.js; save; mkdir lib; echo l > lib/l.js; save two; echo b > src/b.js; save three'

test.for([
  'git rm -q lib/l.js',
  'git rm -q src/b.js && git commit -qm fix',
  'echo fix >> src/a.js; git add src/a.js; rm lib/l.js',
])('a file that an old commit added is put back after: %s', async (command, { world }) => {
  const repo = await world.shellRepo(GROWN)
  const { session } = await armIn(world, repo)

  const { post } = await session.bash(command)

  expect(post?.decision).toBe('block')
  repo.sh('git reset -q')
  expect(repo.status()).toBe('')
  expect(repo.git('log', '--format=%s', '-1').trim()).toBe('three')
})
