/** What the work tree has to hold again where fix writes changed it. */

import type { OwnContent } from '../core/content.ts'
import type { Sha256 } from '../core/ids.ts'
import type { WorkOrder } from '../git/restore.ts'
import type { Survey } from '../git/survey.ts'
import type { Judgement } from './path.ts'

/**
 * @param using.isGitAtWork another git is in the middle of a write: then nothing missing is made anew
 * @param using.readRawCopy content that was kept under its digest
 */
export async function workOrders(
  { view }: Survey,
  fixes: readonly Judgement[],
  using: { readonly isGitAtWork: boolean; readonly readRawCopy: (sha256: Sha256) => OwnContent },
): Promise<readonly WorkOrder[]> {
  const changed = fixes.filter(
    ({ verdict, state }) =>
      verdict.kind === 'fix-write' &&
      verdict.work &&
      (!using.isGitAtWork || state.now.work.kind !== 'absent'),
  )
  const blobs = changed.flatMap(({ state, findings }) =>
    findings.target.work.kind === 'entry' ? [[state.path, findings.target.work] as const] : [],
  )
  const smudged = await view.smudge(new Map(blobs))
  return changed.map(({ state, findings: { target } }) => ({
    path: state.path,
    wanted: target.work,
    content: target.work.kind === 'file' ? using.readRawCopy(target.work.sha256) : smudged.get(state.path),
    now: state.now.work,
  }))
}
