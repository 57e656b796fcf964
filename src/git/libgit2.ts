import { native } from '../native/binding.ts'
import type { GitHandle } from '../native/types.ts'
import { asNative, nodegitBinary } from './nodegit.ts'

/**
 * Lets the addon call libgit2, which lives in nodegit's binary.
 *
 * @throws GateError GATE_NATIVE when that binary is missing or does not export its functions
 */
export function initLibgit2(): void {
  asNative(() => {
    native().initGit(nodegitBinary())
  })
}

/** Asks a repository while it is open. @throws as {@link initLibgit2}, and what `use` throws */
export function withGit<Result>(gitDir: string, use: (git: GitHandle) => Result): Result {
  initLibgit2()
  const git = native().openGit({ gitDir })
  try {
    return use(git)
  } finally {
    native().closeGit(git)
  }
}
