/** Operations of git that stop at a conflict, and what git keeps of them meanwhile. */

import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { expectSilent, type Story } from './story.ts'

/** Everything that git keeps of an open merge. */
export const mergeFiles = ({ repo }: Story): unknown =>
  ['MERGE_HEAD', 'MERGE_MSG', 'MERGE_MODE', 'AUTO_MERGE'].map((name) =>
    readFileSync(repo.path(`.git/${name}`), 'utf8'),
  )

export const conflictOf = ({ repo }: Story): unknown => ({
  text: repo.read('src/a.js'),
  stages: repo.git('ls-files', '-u'),
})

export const CONFLICT_MERGE = 'git checkout -q top; git merge -q clash >/dev/null || true'
const CONFLICT_REBASE = 'git checkout -q clash; git rebase -q top >/dev/null 2>&1 || true'
export const RESOLVE = 'echo resolved > src/a.js; git add src/a.js'

/** A staged resolution goes back to conflict text and stages. */
export async function expectConflictKept(story: Story): Promise<void> {
  const before = conflictOf(story)
  story.act(RESOLVE)

  const answer = await story.session.check('PostToolUse')

  expect(answer.reason).toContain('src/a.js')
  expect(conflictOf(story)).toEqual(before)
  await expectSilent(story)
}

/** Its start at a conflict in src/a.js, its end, and how it is given up. */
type Conflict = readonly [operation: string, start: string, end: string, abort: string]

export const conflicts: readonly Conflict[] = [
  ['merge', CONFLICT_MERGE, 'git commit -q --no-edit', 'git merge --abort'],
  ['rebase', CONFLICT_REBASE, 'git rebase --continue', 'git rebase --abort'],
  [
    'rebase by apply',
    'git checkout -q clash; git rebase -q --apply top >/dev/null 2>&1 || true',
    'git rebase --continue',
    'git rebase --abort',
  ],
  [
    'cherry-pick',
    'git checkout -q top; git cherry-pick clash >/dev/null 2>&1 || true',
    'git cherry-pick --continue',
    'git cherry-pick --abort',
  ],
  [
    'revert',
    'git checkout -q top; sed -i 1s/.*/x/ src/a.js; git commit -qam x; git checkout -q -b y; git revert HEAD~1 >/dev/null 2>&1 || true',
    'git revert --continue',
    'git revert --abort',
  ],
  [
    'am',
    'git checkout -q top; git format-patch -q -1 --stdout clash > ../p; git am -q -3 ../p >/dev/null 2>&1 || true',
    'git am --continue',
    'git am --abort',
  ],
]
