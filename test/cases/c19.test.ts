import { execFileSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { describe, expect } from 'vitest'
import { armCase, CASE_CHECKS } from '../helpers/case.ts'
import { test } from '../helpers/world.ts'

const SETUP = String.raw`
new_repo
: > src/empty.js; printf 'n' > src/nonl.js; printf 'q\n' > src/quiet.js; printf 'x\n' > src/bin.js; printf 'y\n' > src/big.js; save
printf 'no newline at end' > src/nonl.js
printf 'a\0b\xff\xfe\r\rz' > src/bin.js
head -c 25000000 /dev/urandom > src/big.js
touch -d '2020-01-01 00:00:00' src/quiet.js; git update-index -q --refresh || true
`

describe('C19: contents come back exactly', () => {
  test.for(CASE_CHECKS)('large, empty, without a final newline, binary, at %s', async (event, { world }) => {
    const { repo, session } = await armCase(world, SETUP)
    const sums = () => execFileSync('sh', ['-c', 'sha256sum src/*.js'], { cwd: repo.folder }).toString()
    const quiet = () => {
      const { ino, mtimeMs } = statSync(repo.path('src/quiet.js'))
      return { ino, mtimeMs }
    }
    const [before, quietBefore] = [sums(), quiet()]
    repo.sh('echo x > src/empty.js; echo x >> src/nonl.js; : > src/bin.js; truncate -s 100 src/big.js')

    const answer = await session.check(event)

    expect(answer.decision, answer.stderr).toBeDefined()
    expect(sums()).toBe(before)
    expect(quiet()).toEqual(quietBefore)
    expect(statSync(repo.path('src/empty.js')).size).toBe(0)
  })
})
