import { mkdirSync, readdirSync, readFileSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { armIn } from '../../helpers/armed.ts'
import { whileMounted } from '../../helpers/mounted.ts'
import { openRepo } from '../../helpers/repo.ts'
import { test, type World } from '../../helpers/world.ts'

const MIB = 1024 * 1024
const SIZE_MIB = 64

const onBtrfs = (world: World, act: (folder: string) => Promise<void>): Promise<boolean> =>
  whileMounted(world, 'truncate -s 1G image && mkfs.btrfs -q image && mount -o loop image mounted', act)

const usedMib = async (world: World, folder: string): Promise<number> => {
  await world.run('sync', ['-f', folder])
  const { blocks, bfree, bsize } = statfsSync(folder)
  return ((blocks - bfree) * bsize) / MIB
}

test('a large file that is dirty when the gate arms is kept without its blocks, where the file system can share them', async ({
  world,
  skip,
}) => {
  const isMounted = await onBtrfs(world, async (folder) => {
    const [state, project] = [join(folder, 'state'), join(folder, 'project')]
    for (const made of [state, project]) mkdirSync(made)
    world.env['GSTACK_STATE_ROOT'] = state
    const script = `git init -q -b main; git config user.email d@example.invalid; git config user.name D
      mkdir src; echo a > src/big.bin; git add -A; git commit -qm base; head -c ${SIZE_MIB * MIB} /dev/urandom > src/big.bin`
    await world.run('bash', ['-e', '-c', script], { cwd: project })
    const before = await usedMib(world, folder)

    const { session, repo } = await armIn(world, openRepo(project))

    expect((await usedMib(world, folder)) - before).toBeLessThan(SIZE_MIB / 4)
    const copies = join(state, 'skill-gates', session.id, 'copies')
    const [name = ''] = readdirSync(copies)
    expect(readFileSync(join(copies, name)).equals(readFileSync(repo.path('src/big.bin')))).toBe(true)
  })
  if (!isMounted) skip('btrfs cannot be mounted here')
})
