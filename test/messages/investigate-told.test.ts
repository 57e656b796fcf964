/** What the /investigate gate says of commits, at stops, and to the person alone, word for word. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { armed } from '../helpers/armed.ts'
import { saidBy, test } from './legible.ts'

describe('commits', () => {
  test('that are undone are named, with what stays staged', async ({ world }) => {
    const { repo, session } = await armed(world)

    const { post } = await session.bash('echo fix >>src/cart.js; echo note >>README.md; git commit -qam fix')

    expect(post && saidBy(world, post, repo.folder)).toMatchInlineSnapshot(`
      "model:
      GSTACK_GATE investigate-gate blocked session=<session> skill=investigate via=bash files=1
      Changed before a root cause was stated, and put back in <repo>:
      - src/cart.js (what it held is kept in <state>/skill-gates/<session>/kept/<time>-cart.js)
      Undone in <repo>: commit <commit> changed src/cart.js before a root cause was stated.
      main is back at <commit>; the commit is kept, see git show <commit>
      Its other changes are still staged: README.md
      <the rule>

      person:
      /investigate gate: Undone in <repo>: commit <commit> changed src/cart.js before a root cause was stated.
      /investigate gate: main is back at <commit>; the commit is kept, see git show <commit>
      /investigate gate: Its other changes are still staged: README.md
      /investigate gate: in <repo>, put back until a root cause is stated:
        src/cart.js (what it held: <state>/skill-gates/<session>/kept/<time>-cart.js)"
    `)
  })

  test('on a branch without history leave the branch', async ({ world }) => {
    const { repo, session } = await armed(world)

    const { post } = await session.bash(
      'git checkout -q --orphan other; echo fix >>src/cart.js; git commit -qam fix',
    )

    expect(post && saidBy(world, post, repo.folder)).toMatchInlineSnapshot(`
      "model:
      GSTACK_GATE investigate-gate blocked session=<session> skill=investigate via=bash files=1
      Changed before a root cause was stated, and put back in <repo>:
      - src/cart.js (what it held is kept in <state>/skill-gates/<session>/kept/<time>-cart.js)
      Undone in <repo>: commit <commit> changed src/cart.js before a root cause was stated.
      HEAD is back on main; the branch other keeps the commit.
      <the rule>

      person:
      /investigate gate: Undone in <repo>: commit <commit> changed src/cart.js before a root cause was stated.
      /investigate gate: HEAD is back on main; the branch other keeps the commit.
      /investigate gate: in <repo>, put back until a root cause is stated:
        src/cart.js (what it held: <state>/skill-gates/<session>/kept/<time>-cart.js)"
    `)
  })

  test('inside a rebase wait for its end', async ({ world }) => {
    const { repo, session } = await armed(world)

    const { post } = await session.bash(
      'git checkout -q -b topic; echo a >note; git add note; git commit -qm note; GIT_SEQUENCE_EDITOR="sed -i s/pick/edit/" git rebase -qi HEAD~1; echo fix >>src/cart.js; git commit -qam fix',
    )

    expect(post && saidBy(world, post, repo.folder)).toMatchInlineSnapshot(`
      "model:
      GSTACK_GATE investigate-gate blocked session=<session> skill=investigate via=bash files=1
      Changed before a root cause was stated, and put back in <repo>:
      - src/cart.js (what it held is kept in <state>/skill-gates/<session>/kept/<time>-cart.js)
      Commit <commit> changed src/cart.js before a root cause was stated; a rebase is in progress, so it is judged again when that has ended.
      <the rule>

      person:
      /investigate gate: Commit <commit> changed src/cart.js before a root cause was stated; a rebase is in progress, so it is judged again when that has ended.
      /investigate gate: in <repo>, put back until a root cause is stated:
        src/cart.js (what it held: <state>/skill-gates/<session>/kept/<time>-cart.js)"
    `)
  })

  test('of another work tree are left, and told to the person', async ({ world }) => {
    const { repo, session } = await armed(world)
    repo.sh('git worktree add -q ../beside -b beside')
    await session.check('PreToolUse')

    const { post } = await session.bash('cd ../beside; echo fix >>src/cart.js; git commit -qam fix')

    expect(post && saidBy(world, post, repo.folder)).toMatchInlineSnapshot(`
      "person:
      /investigate gate: commit <commit> on beside changed src/cart.js before a root cause was stated, and is left as it is: the branch belongs to another work tree, or HEAD is not on it."
    `)
  })
})

describe('a stop', () => {
  test('is blocked like a call', async ({ world }) => {
    const { repo, session } = await armed(world)
    repo.append('src/cart.js', 'fix\n')

    const answer = await session.stop()

    expect(saidBy(world, answer, repo.folder)).toMatchInlineSnapshot(`
      "model:
      GSTACK_GATE investigate-gate blocked session=<session> skill=investigate via=stop files=1
      Changed before a root cause was stated, and put back in <repo>:
      - src/cart.js (what it held is kept in <state>/skill-gates/<session>/kept/<time>-cart.js)
      <the rule>

      person:
      /investigate gate: in <repo>, put back until a root cause is stated:
        src/cart.js (what it held: <state>/skill-gates/<session>/kept/<time>-cart.js)"
    `)
  })

  test('goes through after three blocks in a row, and says why', async ({ world }) => {
    const { repo, session } = await armed(world)
    for (let round = 0; round < 3; round += 1) {
      repo.append('src/cart.js', 'fix\n')
      await session.stop()
    }
    repo.append('src/cart.js', 'fix\n')

    const answer = await session.stop()

    expect(saidBy(world, answer, repo.folder)).toMatchInlineSnapshot(`
      "person:
      /investigate gate: in <repo>, put back until a root cause is stated:
        src/cart.js (what it held: <state>/skill-gates/<session>/kept/<time>-cart.js)
      /investigate gate: the stop went through after 3 that were blocked: something goes on writing these files without a tool call, such as a watcher"
    `)
  })
})

describe('the person is told', () => {
  test('that the gate has armed', async ({ world }) => {
    const repo = world.repo('plain')

    const answer = await world.session().loads('investigate').arm()

    expect(saidBy(world, answer, repo.folder)).toMatchInlineSnapshot(`
      "person:
      GSTACK_GATE investigate-gate fired session=<session> skill=investigate on=PreToolUse root=project"
    `)
  })

  test('that a cause was stated', async ({ world }) => {
    const { repo, session } = await armed(world)
    session.reads('src/cart.js').says('Root cause: cents are counted twice, src/price.js:2')

    const answer = await session.edit('src/cart.js', 'fixed\n')

    expect(saidBy(world, answer, repo.folder)).toMatchInlineSnapshot(`
      "person:
      GSTACK_GATE investigate-gate released session=<session> skill=investigate cause=f46ed70a61dc blocked=0"
    `)
  })

  test('that the switch went off', async ({ world }) => {
    const { repo, session } = await armed(world)
    world.env['GSTACK_INVESTIGATE_GATE'] = 'off'

    const answer = await session.check('PreToolUse')

    expect(saidBy(world, answer, repo.folder)).toMatchInlineSnapshot(`
      "person:
      GSTACK_GATE investigate-gate off session=<session>"
    `)
  })

  test('where uncommitted text is that git threw away', async ({ world }) => {
    const { repo, session } = await armed(world, 'dirty-start')

    const { post } = await session.bash('git checkout -q -- .')

    expect(post && saidBy(world, post, repo.folder)).toMatchInlineSnapshot(`
      "person:
      /investigate gate: src/edited.js lost its uncommitted text, which git does not have; it is kept in: <state>/skill-gates/<session>/copies/<sha256>"
    `)
  })

  test('that conversion settings changed', async ({ world }) => {
    const { repo, session } = await armed(world)

    const { post } = await session.bash(
      'git config core.autocrlf true; touch src/cart.js; echo note >>README.md',
    )

    expect(post && saidBy(world, post, repo.folder)).toMatchInlineSnapshot(`
      "person:
      /investigate gate: settings that convert content (core.autocrlf, core.eol, filter.*, info/attributes) changed; the gate goes on with those of the moment when it armed."
    `)
  })

  test('that another version had armed the session', async ({ world }) => {
    const { repo, session } = await armed(world)
    writeFileSync(join(session.stateFolder, 'record.json'), '{"version": 99}')

    const answer = await session.check('PreToolUse')

    expect(saidBy(world, answer, repo.folder)).toMatchInlineSnapshot(`
      "person:
      /investigate gate: another version of this program had armed this session; what stands there now is the new baseline, and nothing was put back.
      GSTACK_GATE investigate-gate fired session=<session> skill=investigate on=PreToolUse root=project"
    `)
  })
})
