/** What `diagnose` announces and what the next check then does are the same, and looking changes nothing. */
import { describe, expect } from 'vitest'
import { armIn, type Armed } from '../helpers/armed.ts'
import { diagnosis, type Diagnosis } from '../helpers/diagnosis.ts'
import { IS_LONG } from '../helpers/long.ts'
import { openRepo, type RepoSnapshot } from '../helpers/repo.ts'
import type { HookAnswer } from '../helpers/run-hook.ts'
import { everythingIn } from '../helpers/untouched.ts'
import { test, type World } from '../helpers/world.ts'

interface Situation {
  readonly name: string
  readonly shape: string
  /** What the user did before the session. */
  readonly setup?: string
  /** What the agent does before a first check, if there is one. */
  readonly first?: string
  readonly act: string
  /** `path verdict`, sorted by path; undefined: whatever the check does. */
  readonly paths?: readonly string[]
  /** `plan` of each branch with new commits; undefined: whatever the check does. */
  readonly commits?: readonly string[]
}

const FIX = "sed -i '7s/.*/fix/' src/a.js"

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

const COMMIT = 'echo fix >> src/a.js; git commit -qam fix'

const WORKTREES: readonly (Situation & { readonly in?: string })[] = [
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

interface Looked {
  readonly told: Diagnosis
  readonly acted: RepoSnapshot
  readonly checked: HookAnswer
  readonly after: RepoSnapshot
}

async function play(world: World, situation: Situation & { readonly in?: string }): Promise<Looked> {
  const first = world.repo(situation.shape)
  const repo = situation.in === undefined ? first : openRepo(first.path(situation.in))
  const act = (script: string): void => {
    repo.sh(`export GIT_EDITOR=true\n${script.replaceAll('../project', first.folder)}`)
  }
  act(situation.setup ?? ':')
  // A busy machine must not end one of the two sooner than the other.
  world.env['GSTACK_SKILL_GATE_DEADLINE_MS'] = '20000'
  const armed: Armed = await armIn(world, repo)
  if (situation.first !== undefined) {
    act(situation.first)
    await armed.session.check('PostToolUse')
  }
  act(situation.act)
  const looked = () => everythingIn(world.folder, world.temporary)
  const before = looked()

  const told = await diagnosis(world, armed)

  expect(looked()).toEqual(before)
  const acted = repo.snapshot()
  const checked = await armed.session.check('PostToolUse')
  expectNothingLeft(await diagnosis(world, armed))
  return { told, acted, checked, after: repo.snapshot() }
}

/** Files, index entries and refs that the check changed are those that were announced, and no others. */
function expectAnnounced({ told, acted, checked, after }: Looked): void {
  const [root] = told.roots
  expect(root).not.toHaveProperty('error')
  const paths = root?.paths ?? []
  const fixes = paths.filter(({ verdict }) => verdict === 'put-back' || verdict === 'cannot-put-back')
  const goesBack = (side: string) =>
    paths
      .filter(({ verdict, changed }) => verdict === 'put-back' && changed.includes(side))
      .map(({ path }) => path)
  const moves = (root?.commits ?? []).filter(({ plan }) => plan === 'move' || plan === 'leave-branch')

  expect(changedKeys(acted.workTree, after.workTree)).toEqual(goesBack('work-tree').sort())
  expect(changedEntries(acted, after).filter((path) => goesBack('index').includes(path))).toEqual(
    goesBack('index').sort(),
  )
  expect(changedEntries(acted, after).filter((path) => !fixes.some((fix) => fix.path === path))).toEqual([])
  expect(changedRefs(acted, after)).toEqual(
    [...new Set(moves.flatMap(({ ref, plan }) => (plan === 'move' && ref !== 'HEAD' ? [ref] : [])))].sort(),
  )
  expect(told.exitCode).toBe(fixes.length + moves.length > 0 ? 4 : 0)
  expect(told.would_change).toBe(told.exitCode === 4)
  expect(checked.decision, `${checked.reason}${checked.stderr}`).toBe(
    told.exitCode === 4 ? 'block' : undefined,
  )
  for (const { path, verdict, why } of fixes) {
    expect(checked.reason).toContain(path)
    if (verdict === 'cannot-put-back') expect(checked.reason).toContain(why)
  }
  for (const { commits } of moves) expect(checked.reason).toContain(commits[0])
  if (told.exitCode === 0) expect(after).toEqual(acted)
}

function expectNothingLeft(told: Diagnosis): void {
  const [root] = told.roots
  expect(root?.paths.filter(({ verdict }) => verdict === 'put-back')).toEqual([])
  expect(root?.commits.filter(({ plan }) => plan === 'move' || plan === 'leave-branch')).toEqual([])
}

function changedKeys(before: RepoSnapshot['workTree'], after: RepoSnapshot['workTree']): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((path) => before[path] !== after[path])
    .sort()
}

function changedEntries(before: RepoSnapshot, after: RepoSnapshot): string[] {
  const [old, fresh] = [before, after].map(
    ({ index }) => new Set(index.split('\0').filter((entry) => entry !== '')),
  )
  const differing = [...(old ?? [])].filter((entry) => fresh?.has(entry) !== true)
  const added = [...(fresh ?? [])].filter((entry) => old?.has(entry) !== true)
  return [...new Set([...differing, ...added].map((entry) => entry.slice(entry.indexOf('\t') + 1)))].sort()
}

/** Refs of branches by name; those of ours keep undone commits. */
function changedRefs(before: RepoSnapshot, after: RepoSnapshot): string[] {
  const [old, fresh] = [before, after].map(
    ({ refs }) => new Map(refs.split('\n').map((line) => [line.split('\t')[1] ?? '', line] as const)),
  )
  return [...new Set([...(old?.keys() ?? []), ...(fresh?.keys() ?? [])])]
    .filter((name) => name.startsWith('refs/heads/') && old?.get(name) !== fresh?.get(name))
    .sort()
}

const USUAL = new Set(['merge', 'rebase'])
const operations = Object.keys(OPERATIONS).filter((name) => IS_LONG || USUAL.has(name))

describe.for([
  ['in plain situations', SITUATIONS],
  ['while an operation is open, or once it has ended', operations.flatMap(ofOperation)],
  ['in rebases and bisects', IN_REBASES],
  ['in merges', MERGES],
  ['with several work trees', WORKTREES],
] as const)('what is announced %s is what the next check does:', ([, situations]) => {
  test.for([...situations])('$name', { timeout: 120_000 }, async (situation, { world }) => {
    const looked = await play(world, situation)

    const [root] = looked.told.roots
    if (situation.paths !== undefined)
      expect(root?.paths.map(({ path, verdict }) => `${path} ${verdict}`)).toEqual(situation.paths)
    if (situation.commits !== undefined)
      expect(root?.commits.map(({ plan }) => plan)).toEqual(situation.commits)
    expectAnnounced(looked)
  })
})
