import { mkdirSync, readdirSync, readFileSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as settleMs } from 'node:timers/promises'
import { expect } from 'vitest'
import { asRepoPath } from '../../../src/core/ids.ts'
import { native } from '../../../src/native/binding.ts'
import { writeContent } from '../../../src/native/large-file.ts'
import { armIn } from '../../helpers/armed.ts'
import { whileMounted } from '../../helpers/mounted.ts'
import { openRepo } from '../../helpers/repo.ts'
import { test, type World } from '../../helpers/world.ts'

const MIB = 1024 * 1024
const SIZE_MIB = 64
/** A row of btrfs is trusted after 20. */
const OLD_ENOUGH_MS = 60
/** How many files hold that together. */
const CASES = [
  ['a file that is too large to be held', 1],
  ['many files that are held', 128],
] as const

const onBtrfs = (world: World, act: (folder: string) => Promise<void>): Promise<boolean> =>
  whileMounted(world, 'truncate -s 1G image && mkfs.btrfs -q image && mount -o loop image mounted', act)

const usedMib = async (world: World, folder: string): Promise<number> => {
  await world.run('sync', ['-f', folder])
  const { blocks, bfree, bsize } = statfsSync(folder)
  return ((blocks - bfree) * bsize) / MIB
}

test.for(CASES)(
  '%s, dirty when the gate arms: kept without blocks of their own, where these can be shared',
  async ([, files], { world, skip }) => {
    const isMounted = await onBtrfs(world, async (folder) => {
      const [state, project] = [join(folder, 'state'), join(folder, 'project')]
      for (const made of [state, project]) mkdirSync(made)
      world.env['GSTACK_STATE_ROOT'] = state
      const script = `git init -q -b main; git config user.email d@example.invalid; git config user.name D
      mkdir src; for n in $(seq ${files}); do echo $n > src/big$n.bin; done; git add -A; git commit -qm base
      for n in $(seq ${files}); do head -c ${(SIZE_MIB * MIB) / files} /dev/urandom > src/big$n.bin; done`
      await world.run('bash', ['-e', '-c', script], { cwd: project })
      const before = await usedMib(world, folder)

      const { session, repo } = await armIn(world, openRepo(project))

      expect((await usedMib(world, folder)) - before).toBeLessThan(SIZE_MIB / 4)
      const copies = join(state, 'skill-gates', session.id, 'copies')
      const big = readFileSync(repo.path('src/big1.bin'))
      expect(readdirSync(copies)).toHaveLength(files)
      expect(readdirSync(copies).some((name) => readFileSync(join(copies, name)).equals(big))).toBe(true)
    })
    if (!isMounted) skip('btrfs cannot be mounted here')
  },
)

test('what was read is kept, not what stands there by then', async ({ world, skip }) => {
  const isMounted = await onBtrfs(world, async (folder) => {
    const file = join(folder, 'big.bin')
    const read = Buffer.alloc(MIB, 'read')
    writeFileSync(file, read)
    await settleMs(OLD_ENOUGH_MS)
    const { row } = native().statRow(folder, asRepoPath('big.bin'))
    writeFileSync(file, Buffer.alloc(MIB, 'now!'))
    await settleMs(OLD_ENOUGH_MS)

    writeContent(join(folder, 'copy'), read, { root: folder, path: asRepoPath('big.bin'), row })

    expect(readFileSync(join(folder, 'copy')).equals(read)).toBe(true)
  })
  if (!isMounted) skip('btrfs cannot be mounted here')
})
