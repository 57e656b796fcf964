/** Finishes what killed passes left: their index lock goes, files beside their targets become kept copies. */

import { existsSync, rmSync } from 'node:fs'
import path from 'node:path'
import { asRepoPath, type RepoPath, type SessionId } from '../core/ids.ts'
import type { GateHook } from '../core/marker.ts'
import { indexPathOf } from '../git/index-file.ts'
import { native } from '../native/binding.ts'
import { findDeadPasses, type InFlight } from '../store/in-flight.ts'
import { keptPath, makeKeptDir, newKeptName, noteKept } from '../store/kept.ts'
import { sessionDirOf, type StatePaths } from '../store/paths.ts'

/** A pass that was killed before it had answered; its call went through unchecked. */
export interface KilledPass {
  readonly session: SessionId
  readonly hook: GateHook
  readonly event: string
  /** Files that it was putting back. */
  readonly files: number
}

/** @returns the passes that were found dead; each is reported once */
export function recoverKilledPasses(paths: StatePaths, now: Date): readonly KilledPass[] {
  return findDeadPasses(paths).map(({ mark, forget }) => {
    removeNewIndex(mark)
    adoptTemporaries(mark, sessionDirOf(paths, mark.session), now)
    forget()
    return { session: mark.session, hook: mark.hook, event: mark.event, files: mark.temporaries?.length ?? 0 }
  })
}

function removeNewIndex({ newIndex }: InFlight): void {
  if (newIndex === undefined || !existsSync(newIndex.gitDir)) return
  const { gitDir, id, tempName } = newIndex
  if (id !== undefined) native().releaseStaleLock({ indexPath: indexPathOf(gitDir), ...id })
  rmSync(path.join(gitDir, tempName), { force: true })
}

function adoptTemporaries({ temporaries = [] }: InFlight, sessionDir: string, now: Date): void {
  for (const { root, path: target, tempName } of temporaries) {
    const beside = siblingOf(target, tempName)
    const { kind } = native().statRow(root, beside)
    if (kind !== 'file' && kind !== 'link') continue
    makeKeptDir(sessionDir)
    const name = newKeptName(target, now)
    const { linkTarget } = native().removeAt({
      root,
      path: beside,
      tempName: `${tempName}-gone`,
      keepPath: keptPath(sessionDir, name),
    })
    const link = linkTarget === undefined ? {} : { linkTarget: linkTarget.toString('latin1') }
    noteKept(sessionDir, [{ at: now.toISOString(), name, root, path: target, why: 'adopted', ...link }])
  }
}

const siblingOf = (target: RepoPath, name: string): RepoPath =>
  asRepoPath(target.slice(0, target.lastIndexOf('/') + 1) + name)
