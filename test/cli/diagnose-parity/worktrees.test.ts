import { FIX, testParity, type Situation } from './parity.ts'

const COMMIT = 'echo fix >> src/a.js; git commit -qam fix'

const WORKTREES: readonly Situation[] = [
  { name: 'a commit in another work tree', shape: 'worktree', act: `cd ../second; ${COMMIT}` },
  { name: 'a commit here beside another work tree', shape: 'worktree', act: COMMIT },
  {
    name: 'a commit by plumbing on a branch of another work tree',
    shape: 'worktree',
    act: 'echo fix >> src/a.js; git add src/a.js; git update-ref refs/heads/topic $(git commit-tree -m fix -p topic $(git write-tree)); git reset -q --hard',
  },
  {
    name: 'a commit of a work tree that is gone',
    shape: 'worktree',
    act: `(cd ../second; ${COMMIT}); git worktree remove ../second`,
  },
  {
    name: 'a commit in a work tree made since',
    shape: 'history',
    act: `git worktree add -q -b aside ../aside; cd ../aside; ${FIX}; git commit -qam fix`,
  },
  {
    name: 'a fix in the second work tree, seen from there',
    shape: 'worktree',
    in: '../second',
    act: 'echo fix >> src/a.js; git add -A',
  },
  {
    name: 'a commit in the second work tree, seen from there',
    shape: 'worktree',
    in: '../second',
    act: COMMIT,
  },
  {
    name: 'a commit in the first work tree, seen from the second',
    shape: 'worktree',
    in: '../second',
    act: `cd ../project; ${COMMIT}`,
  },
]

testParity('with several work trees', WORKTREES)
