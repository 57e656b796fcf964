import path from 'node:path'
import type { Baseline } from '../core/baseline.ts'
import type { RepoPath } from '../core/ids.ts'
import type { GitHandle } from '../native/types.ts'
import { isSwitchedOn } from './configuration.ts'
import { readIfThere } from './read-file.ts'
import type { OpenRepo } from './repo.ts'

/**
 * Which of some paths without a file `info/sparse-checkout` leaves out of the work tree. The file stays when sparse
 * checkouts are disabled, so the setting counts as well.
 */
export async function sparsePaths(
  { repo, git }: { repo: OpenRepo; git: GitHandle },
  baseline: Baseline,
  skipped: readonly RepoPath[],
): Promise<ReadonlySet<RepoPath>> {
  if (skipped.length === 0 || !isSwitchedOn(git, 'core.sparsecheckout')) return new Set()
  const patterns = readIfThere(path.join(baseline.gitDir, 'info/sparse-checkout'))?.toString('utf8')
  if (patterns === undefined) return new Set()
  const wanted = await repo.matchPatterns(patterns, skipped)
  return new Set(skipped.filter((name) => !wanted.has(name)))
}
