import { FIX, testParity, type Situation } from './parity.ts'

const SITUATIONS: readonly Situation[] = [
  { name: 'a fix write', shape: 'history', act: FIX, paths: ['src/a.js put-back'] },
  { name: 'a staged fix', shape: 'history', act: `${FIX}; git add -A`, paths: ['src/a.js put-back'] },
  {
    name: 'a fix commit',
    shape: 'history',
    act: `${FIX}; git commit -qam fix`,
    paths: ['src/a.js put-back'],
    commits: ['move'],
  },
  {
    name: 'a fix commit that was reverted in the work tree alone',
    shape: 'history',
    act: `${FIX}; git commit -qam fix; git show HEAD~1:src/a.js > src/a.js`,
    paths: ['src/a.js put-back'],
    commits: ['move'],
  },
  {
    name: 'a fix and a checkout of another branch',
    shape: 'history',
    act: `git checkout -q -b other; ${FIX}`,
    paths: ['src/a.js put-back'],
  },
  {
    name: 'a checkout of old content',
    shape: 'history',
    setup: `${FIX}; git commit -qam older; git revert -n HEAD; git commit -qm back`,
    act: 'git checkout -q HEAD~1 -- src/a.js',
    paths: ['src/a.js fold'],
  },
  {
    name: 'the pop of an old stash entry',
    shape: 'history',
    setup: `${FIX}; git stash -q`,
    act: 'git stash pop -q',
    paths: ['src/a.js fold'],
  },
  {
    name: 'a merge of upstream',
    shape: 'remote-ahead',
    act: 'git pull -q --no-rebase --no-edit',
  },
  { name: 'an excluded file', shape: 'plain', act: 'echo more >> README.md', paths: ['README.md observe'] },
  {
    name: 'a file that became a folder',
    shape: 'history',
    act: 'rm src/a.js; mkdir src/a.js; echo x > src/a.js/b',
    paths: ['src/a.js cannot-put-back'],
  },
  {
    name: 'a dirty file that was dropped',
    shape: 'history',
    setup: FIX,
    act: 'git checkout -q -- src/a.js',
    paths: ['src/a.js fold'],
  },
  { name: 'a deleted file', shape: 'history', act: 'rm src/a.js', paths: ['src/a.js put-back'] },
  {
    name: 'a fix commit on a detached HEAD',
    shape: 'history',
    act: `git checkout -q --detach; ${FIX}; git commit -qam fix`,
    paths: ['src/a.js put-back'],
    commits: ['move'],
  },
]

testParity('in plain situations', SITUATIONS)
