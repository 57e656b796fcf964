import { IS_LONG } from '../../helpers/long.ts'
import { FIX, testParity, type Situation } from './parity.ts'

const RESOLVE = 'echo resolved > src/a.js; git add src/a.js'

/** An operation of git's that stops at a conflict in src/a.js: its start, its end, and how it is given up. */
const OPERATIONS: Readonly<Record<string, readonly [start: string, end: string, abort: string]>> = {
  merge: [
    'git checkout -q top; git merge -q clash >/dev/null || true',
    'git commit -q --no-edit',
    'git merge --abort',
  ],
  rebase: [
    'git checkout -q clash; git rebase -q top >/dev/null 2>&1 || true',
    'git rebase --continue',
    'git rebase --abort',
  ],
  'rebase by apply': [
    'git checkout -q clash; git rebase -q --apply top >/dev/null 2>&1 || true',
    'git rebase --continue',
    'git rebase --abort',
  ],
  'cherry-pick': [
    'git checkout -q top; git cherry-pick clash >/dev/null 2>&1 || true',
    'git cherry-pick --continue',
    'git cherry-pick --abort',
  ],
  am: [
    'git checkout -q top; git format-patch -q -1 --stdout clash > ../p; git am -q -3 ../p >/dev/null 2>&1 || true',
    'git am --continue',
    'git am --abort',
  ],
}

const ofOperation = (name: string): Situation[] => {
  const [start = '', end = '', abort = ''] = OPERATIONS[name] ?? []
  const shape = 'history'
  return [
    { name: `a resolution staged in an open ${name}`, shape, setup: start, act: RESOLVE },
    {
      name: `a fix beside an open ${name}`,
      shape,
      setup: start,
      act: 'echo fix >> src/b.js; git add src/b.js',
    },
    { name: `an open ${name} that was given up`, shape, setup: start, act: abort },
    { name: `an open ${name} that was concluded`, shape, setup: start, act: `${RESOLVE}; ${end} >/dev/null` },
    { name: `a ${name} that began since`, shape, act: start },
    { name: `a ${name} begun and concluded since`, shape, act: `${start}; ${RESOLVE}; ${end} >/dev/null` },
    {
      name: `a ${name} seen open and concluded since`,
      shape,
      first: start,
      act: `${RESOLVE}; ${end} >/dev/null`,
    },
  ]
}

const STOPPED = `git checkout -q topic; git rebase -q -x "${FIX}; git commit -qam fix; false" top >/dev/null 2>&1 || true`

const IN_REBASES: readonly Situation[] = [
  { name: 'a fix commit in an open rebase', shape: 'history', act: STOPPED, commits: ['wait'] },
  { name: 'the same commit once it is named', shape: 'history', first: STOPPED, act: ':' },
  {
    name: 'a fix commit in a rebase that has ended',
    shape: 'history',
    first: STOPPED,
    act: 'git reset -q --hard; git rebase --quit; git branch -q -f topic HEAD; git checkout -q topic',
  },
  {
    name: 'a rebase that stops for an edit',
    shape: 'history',
    act: 'git checkout -q topic; GIT_SEQUENCE_EDITOR="sed -i 1s/pick/edit/" git rebase -q -i top 2>/dev/null',
  },
  {
    name: 'a commit found by a bisect',
    shape: 'history',
    first: 'git bisect start main v1 >/dev/null',
    act: `${FIX}; git commit -qam fix; git branch -q found`,
  },
]

const MERGES: readonly Situation[] = [
  {
    name: 'a merge of old branches',
    shape: 'history',
    act: 'git checkout -q top; git merge -q --no-edit bottom',
  },
  {
    name: 'a merge that a fix was added to',
    shape: 'history',
    act: `git checkout -q top; git merge -q --no-commit bottom; ${FIX}; git commit -qam evil`,
  },
  {
    name: 'an open merge without a conflict, concluded',
    shape: 'history',
    setup: 'git checkout -q top; git merge -q --no-commit bottom',
    act: 'git commit -q --no-edit',
  },
  {
    name: 'an open merge without a conflict, concluded with a fix',
    shape: 'history',
    setup: 'git checkout -q top; git merge -q --no-commit bottom',
    act: `${FIX}; git commit -qam evil`,
  },
]

const USUAL = new Set(['merge', 'rebase'])
const operations = Object.keys(OPERATIONS).filter((name) => IS_LONG || USUAL.has(name))

testParity('while an operation is open, or once it has ended', operations.flatMap(ofOperation))
testParity('in rebases and bisects', IN_REBASES)
testParity('in merges', MERGES)
