import { realpathSync } from 'node:fs'
import { discoverRepository } from './discover.ts'

/**
 * Where a repository was cloned from, with `insteadOf` and includes of the configuration applied.
 *
 * @param folder absolute
 * @returns undefined when the folder is not the top of a work tree, has no `origin`, or cannot be opened
 */
export async function originUrl(folder: string): Promise<string | undefined> {
  const found = discoverRepository(folder)
  if (found.kind !== 'tree' || found.root !== realpathSync(folder)) return undefined
  const { openRepo } = await import('./repo.ts')
  const opened = openRepo(found.gitDir)
  return opened.kind === 'open' ? await opened.repo.originUrl() : undefined
}
