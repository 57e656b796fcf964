import { describe } from 'vitest'
import { test } from '../../helpers/world.ts'
import { armAfter, DIRTY, expectFolded, FIX, LOCAL_COMMIT } from './story.ts'

const LESS =
  'git checkout -q -b less; git rm -q src/c.js; git commit -qm less; git checkout -q main; echo b >> src/b.js; git commit -qam b'
const MERGED =
  'git checkout -q top; git merge -q --no-edit topic; git branch -q merged; git reset -q --hard HEAD~1; git checkout -q main'
const LOCAL_TOP = "sed -i '1s/.*/local/' src/a.js; git commit -qam local"
const MANY_COMMITS = `${LOCAL_TOP.replace('1s', '9s')}
  T=$(git rev-parse 'HEAD^{tree}'); C=$(git rev-parse HEAD)
  for i in $(seq 250); do C=$(git commit-tree -m "$i" -p $C $T); done; git reset -q --soft $C`

describe('folded without a word:', () => {
  const folds: readonly (readonly [name: string, script: string, setup?: string])[] = [
    ['checkout of a branch', 'git checkout -q top'],
    ['checkout of a tag', 'git checkout -q v1'],
    ['checkout of a remote-tracking branch', 'git fetch -q; git checkout -q origin/main'],
    [
      'checkout of a branch that a fetch brought',
      'git -C ../colleague push -q origin pull-request; git fetch -q; git checkout -q pull-request',
    ],
    ['an old version of one file', 'git checkout -q top -- src/a.js'],
    ['git restore from an old commit', 'git restore --source clash src/a.js src/c.js'],
    ['an old file written by git show', 'git show top:src/a.js > src/a.js'],
    ['bisect', 'git bisect start main v1 >/dev/null'],
    [
      'bisect run',
      'git bisect start main v1 >/dev/null; git bisect run true >/dev/null 2>&1; git bisect reset 2>/dev/null',
    ],
    [
      'bisect from start to reset',
      'git bisect start main v1 >/dev/null; git bisect good >/dev/null; git bisect reset',
    ],
    ['pull', 'git pull -q'],
    ['pull --rebase without local commits', 'git pull -q --rebase'],
    ['pull --rebase with local commits', 'git pull -q --rebase', LOCAL_COMMIT],
    ['fast-forward to a remote-tracking ref', 'git fetch -q; git merge -q origin/main'],
    [
      'a true merge of a remote-tracking ref',
      'git fetch -q; git merge -q --no-edit origin/main',
      'echo c two > src/c.js; git commit -qam local',
    ],
    [
      'a merge that mixes lines of one file',
      'git fetch -q; git merge -q --no-edit origin/main',
      LOCAL_COMMIT,
    ],
    [
      'such a merge that waits for its commit',
      'git fetch -q; git merge -q --no-commit --no-ff origin/main',
      LOCAL_COMMIT,
    ],
    ['a merge of two old branches', 'git checkout -q top; git merge -q --no-edit bottom'],
    ['cherry-pick of an old commit', 'git cherry-pick top >/dev/null', LOCAL_COMMIT],
    [
      'cherry-pick of two old commits',
      'git cherry-pick top topic >/dev/null || git cherry-pick --abort; git cherry-pick v1..topic >/dev/null',
      LOCAL_COMMIT,
    ],
    [
      'revert of an old commit',
      'git revert --no-edit HEAD~1 >/dev/null',
      `${FIX}; git commit -qam user; ${LOCAL_COMMIT}`,
    ],
    [
      'am of an old commit’s patch',
      'git am -q ../top.patch',
      `git format-patch -q -1 --stdout top > ../top.patch; ${LOCAL_COMMIT}`,
    ],
    ['cherry-pick of an old merge', 'git cherry-pick -m 1 merged >/dev/null', `${MERGED}; ${LOCAL_COMMIT}`],
    [
      'revert of an old merge',
      'git revert --no-edit -m 1 merged >/dev/null',
      `${MERGED}; git checkout -q -B main merged; ${LOCAL_COMMIT}`,
    ],
    [
      'revert of a revert',
      'git revert --no-edit HEAD~1 >/dev/null; git revert --no-edit HEAD >/dev/null',
      `${FIX}; git commit -qam user; ${LOCAL_COMMIT}`,
    ],
    ['a rebase with a command after each commit', 'git rebase -q -x true top', 'git checkout -q topic'],
    [
      'a rebase -i that makes one commit of two old ones',
      'GIT_SEQUENCE_EDITOR="sed -i 2s/pick/fixup/" git rebase -q -i top',
      'git checkout -q topic',
    ],
    [
      'a rebase -i that drops one of two old commits and renames the other',
      'GIT_SEQUENCE_EDITOR="sed -i -e 1s/pick/reword/ -e 2d" git rebase -q -i top',
      'git checkout -q topic',
    ],
    ['a rebase of two old commits', 'git rebase -q top', 'git checkout -q topic'],
    [
      'a rebase of an old branch and a rebase of its result',
      'git rebase -q top; git rebase -q --onto bottom top',
      'git checkout -q topic',
    ],
    ['hard reset to an old commit', 'git reset -q --hard v1'],
    ['hard reset to a reflog entry', "git reset -q --hard 'main@{1}'"],
    [
      'hard reset to a commit that only a reflog has',
      "git reset -q --hard 'HEAD@{1}'",
      `${FIX}; git commit -qam user; git reset -q --hard HEAD~1`,
    ],
    ['mixed reset to an old commit', 'git reset -q v1'],
    ['a pull-request fetch', 'git fetch -q ../colleague pull-request; git checkout -q FETCH_HEAD'],
    [
      'one file of a pull request',
      'git fetch -q ../colleague pull-request; git checkout -q FETCH_HEAD -- src/c.js',
    ],
    ['a narrower sparse checkout', 'git sparse-checkout set --no-cone /src/b.js'],
    ['a sparse checkout of one folder', 'git sparse-checkout set --cone test'],
    [
      'sparse checkout on and off',
      'git sparse-checkout set --no-cone /src/b.js; git sparse-checkout disable',
    ],
    ['pop of an old stash entry', 'git stash pop -q', `${FIX}; git stash push -q`],
    [
      'pop of an old stash entry onto another commit',
      'git checkout -q top; git stash pop -q',
      `${FIX}; git stash push -q`,
    ],
    ['pop of an old stash entry that deletes a file', 'git stash pop -q', 'rm src/c.js; git stash push -q'],
    ['such a pop that stages it', 'git stash pop -q --index', 'git rm -q src/c.js; git stash push -q'],
    [
      'a merge of an old branch that deletes a file, not committed yet',
      'git merge -q --no-commit --no-ff less',
      LESS,
    ],
    ['cherry-pick -n of an old commit that deletes a file', 'git cherry-pick -n less', LESS],
    [
      'an octopus merge that mixes lines of one file',
      'git merge -q --no-edit bottom topic',
      'git checkout -q top',
    ],
    [
      'such an octopus that waits for its commit',
      'git merge -q --no-commit bottom topic',
      'git checkout -q top',
    ],
    ['pull --rebase --autostash over the user’s own changes', 'git pull -q --rebase --autostash', DIRTY],
    [
      'pull --rebase --autostash over an old version of one file',
      'git checkout -q topic -- src/a.js; git pull -q --rebase --autostash',
    ],
    [
      'a cherry-pick that was stashed and popped',
      'git cherry-pick -n top topic~1 topic; git stash push -q; git stash pop -q',
      LOCAL_COMMIT,
    ],
    [
      'pull --rebase --autostash with local commits',
      'git pull -q --rebase --autostash',
      `${LOCAL_COMMIT}; sed -i '1s/.*/mine/' src/a.js`,
    ],
    [
      'a new stash entry of the user’s own changes, popped on another branch',
      'git stash push -q; git checkout -q top; git stash pop -q',
      DIRTY,
    ],
    ['the user’s own changes, taken along to another branch', 'git checkout -q -m top', DIRTY],
    ['a squash of an old branch', 'git merge -q --squash bottom >/dev/null', 'git checkout -q top'],
    [
      'a squash of an old branch, committed with git’s own message',
      'git merge -q --squash bottom >/dev/null; git commit -q --no-edit',
      'git checkout -q top',
    ],
    [
      'a squash of an old branch, committed with a message of its own',
      'git merge -q --squash bottom >/dev/null; git commit -qm squashed',
      'git checkout -q top',
    ],
    ['cherry-pick -n of an old commit', 'git cherry-pick -n top', LOCAL_COMMIT],
    [
      'cherry-pick -n of an old commit, then a commit',
      'git cherry-pick -n top; git commit -qm own',
      LOCAL_COMMIT,
    ],
    [
      'cherry-pick -n of several old commits that change one file',
      'git cherry-pick -n top bottom topic~1 topic',
      'git checkout -q -b x v1',
    ],
    [
      'cherry-pick -n of several old commits, then a commit',
      'git cherry-pick -n bottom; git cherry-pick -n topic~1; git commit -qm own',
      LOCAL_TOP,
    ],
    ['cherry-pick -n of a commit that is far below the newest', 'git cherry-pick -n top', MANY_COMMITS],
    [
      'revert -n of several old commits, then a commit',
      'git revert -n topic; git revert -n HEAD; git commit -qm own',
      `git checkout -q topic; ${LOCAL_COMMIT}`,
    ],
    ['revert -n of an old commit', 'git revert -n HEAD~1', `${FIX}; git commit -qam user; ${LOCAL_COMMIT}`],
  ]
  test.for(folds)('%s', async ([, script, setup], { world }) => {
    const story = await armAfter(world, setup)

    await expectFolded(story, script)
  })
})
