/** What a block of the /investigate gate says, word for word: what happened, what is kept where, and what to do next. */

import { describe, expect } from 'vitest'
import { armed, armIn } from '../helpers/armed.ts'
import { legible, saidBy, test } from './legible.ts'

describe('an edit that is denied', () => {
  test('the first one explains the rule', async ({ world }) => {
    const { repo, session } = await armed(world)

    const answer = await session.edit('src/cart.js', 'fixed\n')

    expect(legible(world, answer.reason, repo.folder)).toMatchInlineSnapshot(`
      "GSTACK_GATE investigate-gate blocked session=<session> skill=investigate via=edit files=1
      Not run: src/cart.js is tracked source, and no root cause is stated yet.
      Since /investigate was loaded, tracked source files stay as they are until you have stated the root cause.
      Look first (Read, Grep, Glob, or run something), then write in your reply, on a line of its own:
      Root cause: <what is actually wrong, with file:line>
      A placeholder or a guess such as "unknown" does not count. After that line you can edit. Until then new files, tests and docs are free to write.
      If you stated it in the same message as this call, just make the call again."
    `)
  })

  test('the next one is short', async ({ world }) => {
    const { repo, session } = await armed(world)
    await session.edit('src/cart.js', 'fixed\n')

    const answer = await session.edit('src/cart.js', 'fixed\n')

    expect(saidBy(world, answer, repo.folder)).toMatchInlineSnapshot(`
      "model:
      GSTACK_GATE investigate-gate blocked session=<session> skill=investigate via=edit files=1
      Not run: src/cart.js is tracked source, and no root cause is stated yet.
      State the root cause in your reply, on a line of its own: Root cause: <what is actually wrong, with file:line>
      Then make the change again. If you have just stated it, that is all it takes."
    `)
  })

  test('after a cause that does not count, it is quoted', async ({ world }) => {
    const { repo, session } = await armed(world)
    await session.edit('src/cart.js', 'fixed\n')
    session.reads('src/cart.js').says('Root cause: unknown')

    const answer = await session.edit('src/cart.js', 'fixed\n')

    expect(saidBy(world, answer, repo.folder)).toMatchInlineSnapshot(`
      "model:
      GSTACK_GATE investigate-gate blocked session=<session> skill=investigate via=edit files=1
      Not run: src/cart.js is tracked source, and no root cause is stated yet.
      "Root cause: unknown" does not count: it is a hedge.
      State the root cause in your reply, on a line of its own: Root cause: <what is actually wrong, with file:line>
      Then make the change again. If you have just stated it, that is all it takes."
    `)
  })

  test('after a cause that came before any look, that is said', async ({ world }) => {
    world.repo('plain')
    const session = world
      .session()
      .loads('investigate')
      .says('Root cause: cents are counted twice, src/price.js:2')

    const answer = await session.edit('src/price.js', 'fixed\n')

    expect(saidBy(world, answer, session.cwd)).toMatchInlineSnapshot(`
      "model:
      GSTACK_GATE investigate-gate blocked session=<session> skill=investigate via=edit files=1
      Not run: src/price.js is tracked source, and no root cause is stated yet.
      "Root cause: cents are counted twice, src/price.js:2" came before any look at the code; look, then state it again.
      <the rule>

      person:
      GSTACK_GATE investigate-gate fired session=<session> skill=investigate on=PreToolUse root=project"
    `)
  })
})

describe('files that are put back', () => {
  test('are named with their copies, to the model and to the person', async ({ world }) => {
    const { repo, session } = await armed(world)

    const { post } = await session.bash('echo fix >>src/cart.js; rm src/price.js')

    expect(post && saidBy(world, post, repo.folder)).toMatchInlineSnapshot(`
      "model:
      GSTACK_GATE investigate-gate blocked session=<session> skill=investigate via=bash files=2
      Changed before a root cause was stated, and put back in <repo>:
      - src/cart.js (what it held is kept in <state>/skill-gates/<session>/kept/<time>-cart.js)
      - src/price.js (it was missing)
      <the rule>

      person:
      /investigate gate: in <repo>, put back until a root cause is stated:
        src/cart.js (what it held: <state>/skill-gates/<session>/kept/<time>-cart.js)
        src/price.js (it was missing)"
    `)
  })

  test('say so when only the index had changed', async ({ world }) => {
    const { repo, session } = await armed(world)

    const { post } = await session.bash(
      'cp src/cart.js copy; echo fix >>src/cart.js; git add src/cart.js; mv copy src/cart.js',
    )

    expect(post && saidBy(world, post, repo.folder)).toMatchInlineSnapshot(`
      "model:
      GSTACK_GATE investigate-gate blocked session=<session> skill=investigate via=bash files=1
      Changed before a root cause was stated, and put back in <repo>:
      - src/cart.js (only its staged change)
      <the rule>

      person:
      /investigate gate: in <repo>, put back until a root cause is stated:
        src/cart.js (only its staged change)"
    `)
  })

  test('are listed in a file when there are many', async ({ world }) => {
    const repo = world.repo('plain')
    repo.sh('for at in $(seq 25); do echo old >src/f$at.js; done; git add src; git commit -qm more')
    const { session } = await armIn(world, repo)

    const { post } = await session.bash('for at in $(seq 25); do echo fix >>src/f$at.js; done')

    const lines = post === undefined ? [] : saidBy(world, post, repo.folder).split('\n')
    expect(lines.filter((line) => !/f(?!11)\d+\.js/.test(line)).join('\n')).toMatchInlineSnapshot(`
      "model:
      GSTACK_GATE investigate-gate blocked session=<session> skill=investigate via=bash files=25
      Changed before a root cause was stated, and put back in <repo>:
      - src/f11.js (what it held is kept in <state>/skill-gates/<session>/kept/<time>-f11.js)
      and 5 more files.
      The full list: <state>/skill-gates/<session>/files-<time>.txt
      <the rule>

      person:
      /investigate gate: in <repo>, put back until a root cause is stated:
        src/f11.js (what it held: <state>/skill-gates/<session>/kept/<time>-f11.js)"
    `)
  })

  test('one that cannot be put back is told apart', async ({ world }) => {
    const { repo, session } = await armed(world)

    const { post } = await session.bash('rm src/cart.js; mkdir src/cart.js; echo fix >>src/price.js')

    expect(post && saidBy(world, post, repo.folder)).toMatchInlineSnapshot(`
      "model:
      GSTACK_GATE investigate-gate blocked session=<session> skill=investigate via=bash files=2
      Changed before a root cause was stated, and put back in <repo>:
      - src/price.js (what it held is kept in <state>/skill-gates/<session>/kept/<time>-price.js)
      GATE_RESTORE_FAILED: changed and not put back in <repo>; git diff HEAD -- <file> shows how. Take it back by hand, unless the next check does:
      - src/cart.js (it is a directory now)
      <the rule>

      person:
      GSTACK_GATE investigate-gate error session=<session> code=GATE_RESTORE_FAILED why=src/cart.js:%20it%20is%20a%20directory%20now
      /investigate gate: GATE_RESTORE_FAILED: src/cart.js: it is a directory now. The block lists restored and failed files: run git diff HEAD -- <files> and fix them by hand.
      /investigate gate: in <repo>, put back until a root cause is stated:
        src/cart.js: NOT put back, it is a directory now
        src/price.js (what it held: <state>/skill-gates/<session>/kept/<time>-price.js)

      stderr:
      gstack-skill-gates: GATE_RESTORE_FAILED src/cart.js: it is a directory now. The block lists restored and failed files: run git diff HEAD -- <files> and fix them by hand."
    `)
  })

  test('wait for another git that is at work', async ({ world }) => {
    const { repo, session } = await armed(world)
    repo.write('.git/index.lock', '')

    const { post } = await session.bash('rm src/cart.js; echo fix >>src/price.js')

    expect(post && saidBy(world, post, repo.folder)).toMatchInlineSnapshot(`
      "model:
      GSTACK_GATE investigate-gate blocked session=<session> skill=investigate via=bash files=2
      Changed before a root cause was stated, and put back in <repo>:
      - src/price.js (what it held is kept in <state>/skill-gates/<session>/kept/<time>-price.js)
      GATE_RESTORE_FAILED: changed and not put back in <repo>; git diff HEAD -- <file> shows how. Take it back by hand, unless the next check does:
      - src/cart.js (another git is at work; the next check puts it back)
      GATE_RESTORE_FAILED: another git has held <repo>/.git/index.lock for <n> s, so commits, staged changes and deleted files wait for the next check; if no git is at work any more, delete that file.
      <the rule>

      person:
      GSTACK_GATE investigate-gate error session=<session> code=GATE_RESTORE_FAILED why=src/cart.js:%20another%20git%20is%20at%20work%3B%20the%20next%20check%20puts%20it%20back%3B%20another%20git%20has%20held%20<repo>/.git/index.lock%20for%20<n>%20s,%20so%20commits,%20staged%20changes%20and%20deleted%20files%20wait%20for%20the%20next%20check%3B%20if%20no%20git%20is%20at%20work%20any%20more,%20delete%20that%20file
      /investigate gate: GATE_RESTORE_FAILED: src/cart.js: another git is at work; the next check puts it back; another git has held <repo>/.git/index.lock for <n> s, so commits, staged changes and deleted files wait for the next check; if no git is at work any more, delete that file. The block lists restored and failed files: run git diff HEAD -- <files> and fix them by hand.
      /investigate gate: in <repo>, put back until a root cause is stated:
        src/cart.js: NOT put back, another git is at work; the next check puts it back
        src/price.js (what it held: <state>/skill-gates/<session>/kept/<time>-price.js)

      stderr:
      gstack-skill-gates: GATE_RESTORE_FAILED src/cart.js: another git is at work; the next check puts it back; another git has held <repo>/.git/index.lock for <n> s, so commits, staged changes and deleted files wait for the next check; if no git is at work any more, delete that file. The block lists restored and failed files: run git diff HEAD -- <files> and fix them by hand."
    `)
  })

  test('of a call that was killed are told late', async ({ world }) => {
    const { repo, session } = await armed(world)
    repo.append('src/cart.js', 'fix\n')
    await session.hook('PostToolUse', { run: { killPoint: 'replace-kept' } })

    const answer = await session.check('PreToolUse')

    expect(saidBy(world, answer, repo.folder)).toMatchInlineSnapshot(`
      "model:
      GSTACK_GATE investigate-gate blocked session=<session> skill=investigate via=bash files=1
      Changed before a root cause was stated, and put back in <repo>:
      - src/cart.js (what it held is kept in <state>/skill-gates/<session>/kept/<time>-cart.js)
      Found late: an earlier call of this run went through unchecked.
      <the rule>

      person:
      GSTACK_GATE investigate-gate error session=<session> code=GATE_KILLED why=a%20PostToolUse%20hook%20was%20killed%20before%20it%20had%20answered%3B%20it%20had%20put%20back%20src/cart.js,%20copies%20are%20in%20<state>/skill-gates/<session>/kept
      /investigate gate: GATE_KILLED: a PostToolUse hook was killed before it had answered; it had put back src/cart.js, copies are in <state>/skill-gates/<session>/kept. That call went through unchecked. Keep the timeout of every registration at 25 seconds or more; the next check finishes the work.
      /investigate gate: in <repo>, put back until a root cause is stated:
        src/cart.js (what it held: <state>/skill-gates/<session>/kept/<time>-cart.js)"
    `)
  })
})
