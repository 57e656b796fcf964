import { execFileSync } from 'node:child_process'
import { chmodSync } from 'node:fs'
import { describe, expect } from 'vitest'
import { armCase, CASE_CHECKS, chooseCaseEnvironment } from '../helpers/case.ts'
import { test } from '../helpers/world.ts'

const SETUP = `
new_repo; mkdir lib web
printf 'a\\n' > src/a.js; printf 'l\\n' > lib/l.js; printf 'w\\n' > web/w.js; printf 'ok\\n' > ok.js; save
`
const ACT = `
rm src/a.js; mkdir src/a.js; echo 'my notes' > src/a.js/keep.txt
mv lib lib.old; echo data > lib
echo fix >> web/w.js; chmod 555 web
echo fix >> ok.js
`
const NORMAL_USER = 12345

describe.each(CASE_CHECKS)('C06: paths that cannot be put back, at %s,', (event) => {
  test('are named with code and fix, while the rest is restored and nothing is deleted', async ({
    world,
  }) => {
    const { repo, session } = await armCase(world, SETUP)
    repo.sh(ACT)

    const answer = await session.check(event)

    expect(answer.reason).toContain('GATE_RESTORE_FAILED')
    expect(answer.reason).toContain('git diff HEAD --')
    for (const file of ['src/a.js', 'lib/l.js', 'ok.js']) expect(answer.reason).toContain(file)
    expect(repo.read('ok.js')).toBe('ok\n')
    expect(repo.read('src/a.js/keep.txt')).toBe('my notes\n')
    expect(repo.read('lib')).toBe('data\n')
    expect(repo.read('lib.old/l.js')).toBe('l\n')
    expect(repo.permissions('web')).toBe('555')
  })

  test('do not loop, and report exits 3', async ({ world }) => {
    const { repo, session } = await armCase(world, SETUP)
    repo.sh(ACT)
    await session.check(event)

    const next = [await session.check('PostToolUse'), await session.check('PreToolUse'), await session.stop()]
    const report = await world.program('gstack-skill-gates', 'report', '--session', session.id)

    expect(next.map(({ decision }) => decision)).toEqual([undefined, undefined, undefined])
    expect(report.exitCode).toBe(3)
  })

  test.runIf(process.getuid?.() === 0)('include a read-only folder, for a normal user', async ({ world }) => {
    chooseCaseEnvironment(world)
    const repo = await world.shellRepo(SETUP)
    execFileSync('chown', ['-R', String(NORMAL_USER), world.folder])
    chmodSync(world.folder, 0o755)
    const session = world.session().loads('investigate')
    const asUser = { run: { uid: NORMAL_USER } }
    await session.hook('PreToolUse', asUser)
    repo.sh(ACT)

    const answer = await session.hook(event, event === 'PostToolUse' ? asUser : { ...asUser, command: ':' })

    expect(answer.reason).toContain('GATE_RESTORE_FAILED')
    expect(answer.reason).toContain('web/w.js')
    expect(repo.read('web/w.js')).toBe('w\nfix\n')
    expect(repo.permissions('web')).toBe('555')
    expect(repo.read('ok.js')).toBe('ok\n')
  })
})
