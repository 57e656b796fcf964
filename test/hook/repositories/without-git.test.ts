import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { CAUSE } from '../../helpers/armed.ts'
import { test, type World } from '../../helpers/world.ts'
import { BASE, expectHeld, guard, STAGED_FIX } from './guarded.ts'

/** A PATH on which every git fails, and tells that it was asked. */
function takeGitAway(world: World): () => boolean {
  const folder = join(world.folder, 'no-git')
  const asked = join(world.folder, 'asked')
  mkdirSync(folder)
  writeFileSync(join(folder, 'git'), `#!/bin/sh\n: > ${asked}\nexit 1\n`)
  chmodSync(join(folder, 'git'), 0o755)
  world.env['PATH'] = folder
  return () => existsSync(asked)
}

test('the whole gate works without git: it arms, puts back, undoes, folds and releases', async ({
  world,
}) => {
  const wasAsked = takeGitAway(world)
  const guarded = await guard(
    world,
    `${BASE}; git branch other; printf '*.txt text eol=crlf\\n*.c ident\\n' > .gitattributes
    printf 'one\\ntwo\\n' > src/notes.txt; printf '/* $Id$ */\\n' > src/c.c; mkdir -p lib; echo l > lib/l.js; save more
    rm src/notes.txt src/c.c; git checkout -q .; echo staged > src/b.js; git add src/b.js; echo dirty > lib/l.js`,
  )
  const { repo, session } = guarded

  await expectHeld(
    guarded,
    `${STAGED_FIX}; echo fix > src/c.c; echo fix > lib/l.js; git add lib; rm src/b.js`,
    ['lib/l.js', 'src/a.js', 'src/b.js', 'src/c.c'],
  )

  const tip = repo.git('rev-parse', 'HEAD')
  repo.sh(`${STAGED_FIX}; git commit -qm fix src/a.js`)
  const undone = await session.check('PostToolUse')
  expect(undone.decision, undone.stderr).toBe('block')
  expect(repo.git('rev-parse', 'HEAD')).toBe(tip)

  repo.sh('git stash -q; git checkout -q other')
  const folded = await session.check('PostToolUse')
  expect(folded.stdout + folded.stderr).toBe('')
  repo.sh('git checkout -q main; git stash pop -q --index')
  const popped = await session.check('PostToolUse')
  expect(popped.stdout + popped.stderr).toBe('')
  expect(repo.read('lib/l.js')).toBe('dirty\n')

  session.reads('src/a.js').says(`Root cause: ${CAUSE}`)
  const released = await session.check('PreToolUse')
  expect(released.markers).toMatchObject([{ event: 'released' }])
  expect(wasAsked()).toBe(false)
})
