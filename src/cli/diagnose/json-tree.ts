import { asOid } from '../../core/ids.ts'
import type { PlannedTip } from '../../judge/commits.ts'
import { proofOf } from '../../judge/path.ts'
import { rawCopyPath } from '../../store/raw-copies.ts'
import { keptPath } from '../../store/kept.ts'
import { jsonPath } from '../json.ts'
import { foldedBefore, rawCopiesOf, type DiagnosedRoot } from './root.ts'
import type { DiagnosedPath } from './tree.ts'
import { calledOf, reasonOf, reasonOfFold, sidesOf } from './verdict.ts'

export function jsonOfTree(diagnosed: DiagnosedRoot): object {
  const { root, tree } = diagnosed
  if ('code' in tree) return { root, error: tree }
  const { baseline, head, operation, refs, stash, heldLock, tips, paths } = tree
  return {
    root,
    head: {
      armed: baseline.firstHead,
      baseline: baseline.head,
      now: head.kind === 'commit' ? { oid: head.oid, ref: head.ref } : { kind: head.kind },
    },
    operation,
    refs: refs.map(({ name, then, now }) => ({ name, then: then ?? null, now: now ?? null })),
    stash: { gone: stash.gone, gained: stash.gained },
    git_at_work: heldLock?.file,
    commits: tips.map(jsonOfTip),
    paths: paths.map((path) => jsonOfPath(path, diagnosed)),
    folded_before: foldedBefore(diagnosed).map((fold) => ({
      ...jsonPath(fold.path),
      at: fold.at,
      because: fold.evidence,
      commit: fold.commit,
      replay: fold.replay,
      why: reasonOfFold(fold, stash.pinned),
      copies: fold.copies.map((copy) => rawCopyPath(diagnosed.sessionDir, copy)),
    })),
  }
}

const jsonOfTip = ({ tip, plan, isHeldBack }: PlannedTip): object => ({
  ref: tip.name,
  tip: tip.tip,
  plan: isHeldBack ? 'held' : plan.kind,
  to: plan.kind === 'move' ? asOid(plan.to) : undefined,
  operation: plan.kind === 'wait' ? plan.operation : undefined,
  commits: tip.commits,
  fix_commits: tip.fixCommits,
  paths: tip.fixes.map(jsonPath),
})

function jsonOfPath(path: DiagnosedPath, { tree, kept, folds, sessionDir }: DiagnosedRoot): object {
  const { judgement, obstacle, diff } = path
  const { state, verdict } = judgement
  const called = calledOf(path)
  const fold = called === 'fold' ? proofOf(judgement) : undefined
  return {
    ...jsonPath(state.path),
    verdict: called,
    changed: sidesOf(judgement),
    ...(obstacle === undefined ? {} : { why: obstacle }),
    ...(verdict.kind === 'observed' ? { exclusion: verdict.exclusion } : {}),
    ...(fold === undefined || 'code' in tree
      ? {}
      : {
          because: fold.evidence,
          commit: fold.commit,
          replay: fold.replay,
          why: reasonOf(judgement, tree.stash.pinned),
        }),
    kept: kept.filter((copy) => copy.path === state.path).map(({ name }) => keptPath(sessionDir, name)),
    copies: rawCopiesOf(folds, state.path).map((copy) => rawCopyPath(sessionDir, copy)),
    diff,
  }
}
