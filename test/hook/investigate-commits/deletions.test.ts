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

test.for([
  'rm src/b.js; echo new > new.txt; git stash push -q -u; git checkout -q stash@{0}',
  'git checkout -q --orphan new; git rm -qrf .; echo n > n.txt; git add n.txt; git commit -qm new; git checkout -q main; git merge -q --allow-unrelated-histories --no-commit new; git rm -q src/b.js; git commit -qm merged',
])('a merge with a commit of new files alone deletes nothing: %s', async (command, { world }) => {
  const repo = await world.shellRepo(GROWN)
  const { session } = await armIn(world, repo)
  const tip = repo.git('rev-parse', 'HEAD')

  const { post } = await session.bash(command)

  expect(post?.decision, post?.stderr).toBe('block')
  expect(repo.git('rev-parse', 'HEAD')).toBe(tip)
  expect(repo.read('src/b.js')).toBe('b\n')
  expect((await session.check('PostToolUse')).stdout).toBe('')
})
