import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { World } from './world.ts'

/**
 * Mounts a file system in a folder of the world while `act` runs. Mounting is root's alone, and not everywhere root's.
 *
 * @param mount a shell command in the world's folder that mounts on `mounted`
 * @returns false where it cannot be done
 */
export async function whileMounted(
  world: World,
  mount: string,
  act: (folder: string) => Promise<void>,
): Promise<boolean> {
  const folder = join(world.folder, 'mounted')
  mkdirSync(folder)
  const done = await world.run('sh', ['-c', mount], { cwd: world.folder })
  if (done.exitCode !== 0) return false
  try {
    await act(folder)
  } finally {
    await world.run('umount', ['-l', folder])
  }
  return true
}
