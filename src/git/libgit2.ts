import { GateError } from '../core/errors.ts'
import { native } from '../native/binding.ts'
import { loadNodegit } from './nodegit.ts'

/**
 * Lets the addon call libgit2, which lives in nodegit's binary.
 *
 * @throws GateError GATE_NATIVE when that binary is missing or does not export its functions
 */
export function initLibgit2(): void {
  if (native().initGit(loadNodegit())) return
  throw new GateError('GATE_NATIVE', "nodegit's binary does not export libgit2's functions")
}
