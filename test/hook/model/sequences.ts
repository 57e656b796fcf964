/** What users and agents do to a repository, as shell lines. `TOKEN` is text that occurs nowhere else. */
import fc from 'fast-check'
import type { CheckEvent } from '../../helpers/session.ts'

export interface Sequence {
  /** What the user did before the session. */
  readonly setup: readonly string[]
  /** Each round ends in a check. */
  readonly rounds: readonly { readonly acts: readonly string[]; readonly event: CheckEvent }[]
}

/** Gated files that every old commit of the `history` shape has. */
export const GATED = ['src/a.js', 'src/b.js', 'src/c.js'] as const

const file = fc.constantFrom(...GATED)
const line = fc.integer({ min: 1, max: 9 }).map(String)
const old = fc.constantFrom('main', 'top', 'bottom', 'topic', 'clash', 'v1', 'origin/main')
const own = fc.constantFrom('x', 'y')
const revision = fc.oneof({ weight: 3, arbitrary: old }, own, fc.constantFrom('HEAD~1', '-', 'stash@{0}'))

/** A shell line with its parts filled in. */
function lineOf(parts: TemplateStringsArray, ...values: fc.Arbitrary<string>[]): fc.Arbitrary<string> {
  return fc
    .tuple(...values)
    .map((drawn) => parts.reduce((text, part, index) => `${text}${drawn[index - 1] ?? ''}${part}`))
}

const EDITS = [
  lineOf`sed -i '${line}s/.*/TOKEN/' ${file}`,
  lineOf`echo TOKEN >> ${file}`,
  lineOf`cp src/b.js ${fc.constantFrom('src/a.js', 'src/c.js')}`,
  lineOf`rm -f ${file}`,
  lineOf`git rm -qf ${file}`,
  lineOf`git rm -q --cached ${file}`,
  lineOf`rm -f ${file}; ln -s ../README.md ${file}`,
  lineOf`git mv ${file} src/moved.js`,
  lineOf`git mv src/moved.js ${file}`,
  lineOf`git mv -f ${file} ${file}`,
  lineOf`chmod ${fc.constantFrom('+x', '-x')} ${file}`,
  lineOf`git update-index --cacheinfo "100644,$(echo TOKEN | git hash-object -w --stdin),${file}"`,
]

const OTHERS = [
  lineOf`echo TOKEN >> ${fc.constantFrom('README.md', 'test/a.test.js', 'src/own.js')}`,
  lineOf`git add ${file}`,
  lineOf`git add -A`,
  lineOf`git add -N src/own.js`,
]

const COMMITS = [
  lineOf`git commit -qm TOKEN`,
  lineOf`git commit -qam TOKEN`,
  lineOf`git add -A; git commit -qm TOKEN`,
  lineOf`git commit -q --amend --no-edit`,
  lineOf`git commit -qa --amend --no-edit`,
  lineOf`git commit -qm TOKEN ${file}`,
]

const FIX_COMMITS = [
  lineOf`sed -i '${line}s/.*/TOKEN/' ${file}; git commit -qam TOKEN`,
  lineOf`echo TOKEN >> ${file}; echo TOKEN >> README.md; git commit -qam TOKEN`,
  lineOf`echo TOKEN >> ${file}; git commit -qa --amend --no-edit`,
  lineOf`git checkout -q ${revision}; echo TOKEN >> ${file}; git commit -qam TOKEN; git checkout -q -`,
  lineOf`git checkout -q -B ${own} ${old}; echo TOKEN >> ${file}; git commit -qam TOKEN`,
  lineOf`git reset -q --soft HEAD~1; echo TOKEN >> ${file}; git commit -qam TOKEN`,
  lineOf`git update-ref refs/heads/${own} $(echo TOKEN >> ${file}; git add -A; git commit-tree -m TOKEN -p HEAD $(git write-tree))`,
  lineOf`echo TOKEN >> ${file}; git stash push -q; git stash pop -q`,
]

const MOVES = [
  lineOf`git branch -f ${own}`,
  lineOf`git checkout -q -B ${own}`,
  lineOf`git checkout -q ${revision}`,
  lineOf`git checkout -q -f ${revision}`,
  lineOf`git checkout -q --detach ${revision}`,
  lineOf`git checkout -q -m ${revision}`,
  lineOf`git checkout -q --orphan ${own} && git commit -qm TOKEN || git checkout -q -f main`,
  lineOf`git checkout -q ${revision} -- ${file}`,
  lineOf`git checkout -q -- ${file}`,
  lineOf`git restore -q --staged ${file}`,
  lineOf`git restore -q --staged --worktree --source ${revision} ${file}`,
  lineOf`git stash push -q`,
  lineOf`git stash push -q -u`,
  lineOf`git stash push -q ${file}`,
  lineOf`git stash push -q --keep-index`,
  lineOf`git stash branch ${own}`,
  lineOf`git stash pop -q`,
  lineOf`git stash pop -q --index`,
  lineOf`git stash apply -q`,
  lineOf`git stash drop -q`,
  lineOf`git merge -q --no-edit ${revision}`,
  lineOf`git merge -q --no-commit --no-ff ${revision}`,
  lineOf`git merge -q --no-edit ${old} ${revision}`,
  lineOf`git merge -q --squash ${revision}`,
  lineOf`git merge -q --squash ${revision}; git commit -q --no-edit`,
  lineOf`git merge -q --autostash --no-edit ${revision}`,
  lineOf`git rebase -q ${revision}`,
  lineOf`git rebase -q --autostash ${revision}`,
  lineOf`git rebase -q --onto ${revision} HEAD~1`,
  lineOf`git rebase -q --apply ${revision}`,
  lineOf`git commit -qa --fixup HEAD; git rebase -q -i --autosquash HEAD~2`,
  lineOf`git format-patch -q --stdout -1 ${old} | git am -q`,
  lineOf`git format-patch -q --stdout -1 ${old} | git am -q -3`,
  lineOf`git am --${fc.constantFrom('abort', 'skip', 'continue')}`,
  lineOf`git rebase -q -x 'echo TOKEN >> ${file}; git commit -qam TOKEN' HEAD~1`,
  lineOf`git cherry-pick ${revision}`,
  lineOf`git revert --no-edit ${revision}`,
  lineOf`git ${fc.constantFrom('cherry-pick', 'revert')} -n ${revision}`,
  lineOf`git ${fc.constantFrom('merge', 'rebase', 'cherry-pick', 'revert')} --${fc.constantFrom('abort', 'continue')}`,
  lineOf`git add -A; git ${fc.constantFrom('merge', 'rebase', 'cherry-pick', 'revert')} --continue`,
  lineOf`git reset -q ${fc.constantFrom('--hard', '--soft', '--mixed', '--keep')} ${revision}`,
  lineOf`git bisect start main v1`,
  lineOf`git bisect reset`,
  lineOf`git push -q origin HEAD:${own}`,
  lineOf`git fetch -q`,
  lineOf`git pull -q --no-edit --no-rebase origin main`,
  lineOf`git pull -q --rebase origin main`,
  lineOf`git pull -q --rebase --autostash origin main`,
]

const act = fc.oneof(
  { weight: 4, arbitrary: fc.oneof(...EDITS) },
  { weight: 2, arbitrary: fc.oneof(...OTHERS) },
  { weight: 3, arbitrary: fc.oneof(...COMMITS) },
  { weight: 4, arbitrary: fc.oneof(...FIX_COMMITS) },
  { weight: 6, arbitrary: fc.oneof(...MOVES) },
)

const SETUPS = [
  "sed -i '2s/.*/user two/' src/a.js",
  "sed -i '4s/.*/user four/' src/a.js; git add src/a.js; sed -i '6s/.*/user six/' src/a.js",
  'echo user b > src/b.js; git add src/b.js',
  'echo user readme >> README.md; git add README.md',
  "sed -i '8s/.*/user eight/' src/a.js; git stash push -q",
  'rm src/c.js',
  'echo user c > src/c.js; git commit -qam user',
  'git checkout -q topic',
  'git checkout -q --detach bottom',
] as const

export const sequences: fc.Arbitrary<Sequence> = fc.record({
  setup: fc.uniqueArray(fc.constantFrom(...SETUPS), { maxLength: 3 }),
  rounds: fc.array(
    fc.record({
      acts: fc.array(act, { minLength: 1, maxLength: 5 }),
      event: fc.constantFrom<CheckEvent>('PostToolUse', 'PreToolUse', 'PostToolUseFailure', 'Stop'),
    }),
    { minLength: 1, maxLength: 5 },
  ),
})

/** Acts after which nothing but the session's own edits can have touched the index. */
export const isPlainEdit = (script: string): boolean =>
  /^(sed|echo|cp|rm|chmod|git rm|git add [^-]|git update-index)/.test(script) && !/commit|stash/.test(script)
