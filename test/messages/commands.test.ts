/** What the commands print about one session in which something was put back. */

import { join } from 'node:path'
import { expect } from 'vitest'
import { armed, type Armed } from '../helpers/armed.ts'
import { PACKAGE, type World } from '../helpers/world.ts'
import { legible, test } from './legible.ts'

/** A Bash call that was blocked, another change since, and a commit that was undone. */
async function played(world: World): Promise<Armed> {
  const made = await armed(world)
  await made.session.bash('echo fix >>src/cart.js')
  await made.session.bash('echo fix >>src/price.js; git commit -qam fix')
  made.repo.append('src/cart.js', 'fix\n')
  return made
}

test('report, diagnose, copies, release and clean say what is there, and what to do', async ({ world }) => {
  const { repo, session } = await played(world)
  const print = async (...args: string[]): Promise<string> => {
    const { stdout, stderr, exitCode } = await world.run(join(PACKAGE, 'bin/gstack-skill-gates'), args, {
      cwd: repo.folder,
      env: { ...world.env, CLAUDECODE: undefined },
    })
    const said = legible(world, stdout + stderr, repo.folder).replace(
      /\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?Z)?/g,
      '<time>',
    )
    return `${said}exit code ${String(exitCode)}`
  }

  expect(await print('report')).toMatchInlineSnapshot(`
    "session <session>, last decision <time> UTC
                        runs  fired  blocked  released  exhausted  observed  unchecked  errors
      investigate-gate     1      1        2         0          0         0          0       0
    exit code 0"
  `)
  expect(await print('diagnose', '--diff')).toMatchInlineSnapshot(`
    "session <session> (the newest armed one of <repo>)
    armed at <time>; as long as no root cause is stated, the next check would find:

    root <repo>
      HEAD when the gate armed: main <commit>
      HEAD now: main <commit>
      would be put back:
        src/cart.js
          kept: <state>/skill-gates/<session>/kept/<time>-cart.js
    --- baseline src/cart.js
    +++ now src/cart.js
    @@ -3,3 +3,4 @@
     export function total(items) {
       return items.reduce((sum, item) => sum + price(item), 0)
     }
    +fix
    exit code 4"
  `)
  expect(await print('copies')).toMatchInlineSnapshot(`
    "session <session>
      <time>  put back: src/cart.js in <repo> (<n> bytes)
        <time>-cart.js
      <time>  undone: refs/heads/main in <repo> from <commit> to <commit>, commits <commit> (src/price.js)
        git show <commit>
      <time>  put back: src/price.js in <repo> (<n> bytes)
        <time>-price.js

    To have a file back: gstack-skill-gates copies restore NAME
    exit code 0"
  `)
  expect(await print('copies', 'restore', 'nothing')).toMatchInlineSnapshot(`
    "gstack-skill-gates: SKILL_GATES_USAGE there is no copy of this name; copies lists them: nothing
    See gstack-skill-gates --help.
    exit code 1"
  `)
  expect(await print('release', '--session', session.id)).toMatchInlineSnapshot(`
    "released investigate-gate of session <session>: /investigate, blocked 2 times
    exit code 0"
  `)
  expect(await print('release', '--session', session.id)).toMatchInlineSnapshot(`
    "gstack-skill-gates: GATE_NOT_ARMED no gate holds session <session>; nothing was released
    exit code 2"
  `)
  expect(await print('clean')).toMatchInlineSnapshot(`
    "gstack-skill-gates: SKILL_GATES_USAGE say what to clean: --session ID, or --older-than DAYS (0: everything)
    See gstack-skill-gates --help.
    exit code 1"
  `)
  expect(await print('clean', '--session', session.id)).toMatchInlineSnapshot(`
    "session <session>: removed, <n> bytes
    freed <n> bytes
    exit code 0"
  `)
  expect(await print('clean', '--session', session.id)).toMatchInlineSnapshot(`
    "gstack-skill-gates: SKILL_GATES_USAGE nothing is kept of a session <session> in <state>/skill-gates
    See gstack-skill-gates --help.
    exit code 1"
  `)
})
