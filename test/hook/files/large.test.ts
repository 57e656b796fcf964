import { createHash } from 'node:crypto'
import { closeSync, openSync, readSync, truncateSync, writeSync } from 'node:fs'
import { expect } from 'vitest'
import { armIn } from '../../helpers/armed.ts'
import { IS_LONG } from '../../helpers/long.ts'
import { copiesIn } from '../../helpers/standard.ts'
import { test } from '../../helpers/world.ts'

const MIB = 1024 * 1024
const SIZE_MIB = IS_LONG ? 500 : 32

/** Digest of a file that may be too large for one buffer. */
function digestOfFile(file: string): string {
  const hash = createHash('sha256')
  const chunk = Buffer.alloc(MIB)
  const descriptor = openSync(file, 'r')
  for (let got = readSync(descriptor, chunk); got > 0; got = readSync(descriptor, chunk))
    hash.update(chunk.subarray(0, got))
  closeSync(descriptor)
  return hash.digest('hex')
}

test(
  `a file of ${String(SIZE_MIB)} MiB comes back, and its copy is whole`,
  { timeout: 240_000 },
  async ({ world }) => {
    world.env['GSTACK_SKILL_GATE_DEADLINE_MS'] = '20000'
    const setup = `
new_repo; printf '*.bin -text -delta\\n' > .gitattributes; git config core.compression 0
head -c ${String(SIZE_MIB * MIB)} /dev/urandom > src/big.bin; touch -d 2020-01-01 src/big.bin; save`
    const { repo, session } = await armIn(world, await world.shellRepo(setup))
    const before = digestOfFile(repo.path('src/big.bin'))
    const descriptor = openSync(repo.path('src/big.bin'), 'r+')
    writeSync(descriptor, 'fix', 7 * MIB)
    closeSync(descriptor)
    truncateSync(repo.path('src/big.bin'), (SIZE_MIB - 1) * MIB)
    const changed = digestOfFile(repo.path('src/big.bin'))

    const answer = await session.check('PostToolUse')

    expect(answer.decision, answer.stderr).toBe('block')
    expect(digestOfFile(repo.path('src/big.bin'))).toBe(before)
    expect(copiesIn(answer.reason, session).map(digestOfFile)).toEqual([changed])
  },
)
