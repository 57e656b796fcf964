import { describe, expect } from 'vitest'
import { test } from '../../helpers/world.ts'
import { armAfter, DIRTY, expectFolded, FIX } from './story.ts'

describe('folded without a word:', () => {
  test('checks between the steps: stash, test and pop of the user’s own work', async ({ world }) => {
    const story = await armAfter(world, `${FIX}; git add src/a.js; echo two >> src/b.js`)
    const status = story.repo.status()

    await expectFolded(story, 'git stash push -q')
    await expectFolded(story, 'git stash pop -q --index')

    expect(story.repo.status()).toBe(status)
  })

  test('checks between the steps: sparse checkout on, then off', async ({ world }) => {
    const story = await armAfter(world)

    await expectFolded(story, 'git sparse-checkout set --no-cone /src/b.js')
    await expectFolded(story, 'git sparse-checkout disable')
  })

  test.for([
    ['a popped stash entry', 'git checkout -q top; git stash pop -q', `${FIX}; git stash push -q`],
    ['what an autostash gave', 'git pull -q --rebase --autostash', DIRTY],
    ['a popped deletion', 'git stash pop -q', 'rm src/c.js; git stash push -q'],
    ['a squash', 'git merge -q --squash bottom >/dev/null', 'git checkout -q top'],
  ] as const)('checks between the steps: %s and its commit', async ([, script, setup], { world }) => {
    const story = await armAfter(world, setup)
    await expectFolded(story, script)

    await expectFolded(story, 'git commit -qam folded')
  })

  test('checks between the steps: an old stash entry, amended into a pick', async ({ world }) => {
    const story = await armAfter(world, `${FIX}; git stash push -q`)
    await expectFolded(story, 'git cherry-pick top >/dev/null')

    await expectFolded(story, 'git stash apply -q; git commit -qa --amend --no-edit')
  })

  test('checks between the steps: a commit of what a fetch brought, pruned meanwhile', async ({ world }) => {
    const story = await armAfter(world, 'git -C ../colleague push -q origin pull-request')
    await expectFolded(story, 'git fetch -q; git checkout -q origin/pull-request -- src/c.js')

    await expectFolded(
      story,
      'git -C ../colleague push -q origin :pull-request; git fetch -q -p; git commit -qm own',
    )
  })

  test('checks between the steps: stash, checkout and pop of the user’s own work', async ({ world }) => {
    const story = await armAfter(world, DIRTY)

    await expectFolded(story, 'git stash push -q')
    await expectFolded(story, 'git checkout -q top')
    await expectFolded(story, 'git stash pop -q')
  })

  test('a merged branch that its remote has since deleted', async ({ world }) => {
    const story = await armAfter(world, 'git -C ../colleague push -q origin pull-request')
    await expectFolded(story, 'git fetch -q; git checkout -q --detach origin/pull-request')

    await expectFolded(story, 'git -C ../colleague push -q origin :pull-request; git fetch -q -p')
  })

  test('a rewritten upstream, after its first commits were checked out', async ({ world }) => {
    const story = await armAfter(world)
    await expectFolded(story, 'git pull -q')

    await expectFolded(
      story,
      'cd ../colleague; git checkout -q main; git commit -q --amend -m again; git push -qf; cd -; git fetch -q; git reset -q --hard origin/main',
    )
  })
})
