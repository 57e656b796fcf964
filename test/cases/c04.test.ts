import { statSync } from 'node:fs'
import { describe, expect } from 'vitest'
import { armCase, CASE_CHECKS } from '../helpers/case.ts'
import { checkStep, expectStandard } from '../helpers/standard.ts'
import { test } from '../helpers/world.ts'

const FILES = String.raw`
new_repo
printf '#!/bin/sh\necho a\n' > src/run.sh; chmod +x src/run.sh
printf 'b\n' > src/b.py; printf 'c\n' > src/c.py; printf 'd\n' > src/d.py; save
`
const UNTRUSTED = `${FILES} git config core.fileMode false; chmod 644 src/run.sh`
const TRUSTED = `${FILES} git config core.fileMode true; printf 'd user\\n' > src/d.py; chmod 600 src/d.py`

describe.each(CASE_CHECKS)('C04: executable bits, at %s,', (event) => {
  test('that are not trusted: the entry keeps its bit, the file its permissions', async ({ world }) => {
    const { repo, session } = await armCase(world, UNTRUSTED)

    const step = await checkStep({ world, repo, session, event }, () =>
      repo.sh('echo x >> src/run.sh; git add src/run.sh'),
    )

    await expectStandard(step, ['src/run.sh'])
    expect(repo.git('ls-files', '-s', 'src/run.sh')).toMatch(/^100755 /)
    expect(repo.permissions('src/run.sh')).toBe('644')
    expect(repo.status()).toBe('')
  })

  test('changed with the content stay on a clean file, which is quiet afterwards', async ({ world }) => {
    const { repo, session } = await armCase(world, TRUSTED)
    repo.sh('chmod +x src/b.py; echo x >> src/b.py')

    const answer = await session.check(event)

    expect(answer.reason).toContain('src/b.py')
    expect(repo.read('src/b.py')).toBe('b\n')
    expect(repo.permissions('src/b.py')).toBe('755')
    expect((await session.check('PostToolUse')).stdout).toBe('')
  })

  test('changed alone are no change', async ({ world }) => {
    const { repo, session } = await armCase(world, TRUSTED)
    const { ino, mtimeMs } = statSync(repo.path('src/c.py'))
    repo.sh('chmod +x src/c.py')

    const answer = await session.check(event)

    expect(answer.stdout).toBe('')
    expect(statSync(repo.path('src/c.py'))).toMatchObject({ ino, mtimeMs })
    expect(repo.permissions('src/c.py')).toBe('755')
  })

  test('of a file that was dirty come back with its content', async ({ world }) => {
    const { repo, session } = await armCase(world, TRUSTED)

    const step = await checkStep({ world, repo, session, event }, () =>
      repo.sh('echo x >> src/d.py; chmod 755 src/d.py'),
    )

    await expectStandard(step, ['src/d.py'])
    expect(repo.read('src/d.py')).toBe('d user\n')
    expect(repo.permissions('src/d.py')).toBe('600')
  })
})
