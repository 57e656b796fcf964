/**
 * Everything that a check learns about one work tree before anything is decided: where HEAD stands, which paths differ,
 * and what is known of their content.
 */

import type { Baseline, PinnedRefs } from '../core/baseline.ts'
import type { Deadline } from '../core/deadline.ts'
import type { Env } from '../core/env.ts'
import { GateError } from '../core/errors.ts'
import type { Oid, RepoPath } from '../core/ids.ts'
import { native } from '../native/binding.ts'
import { openAttributesView, type AttributesView } from './attributes-view.ts'
import { inspectPaths, scanTree, type PathState, type Pinned, type TreeDelta } from './compare.ts'
import { gatherFindings, type Findings } from './judging.ts'
import { readFetchHead, readHead, readRefs, type HeadState } from './refs.ts'
import { openOrFail } from './repo.ts'

export interface Survey {
  readonly pinned: Pinned
  readonly delta: TreeDelta
  readonly head: Extract<HeadState, { kind: 'commit' }>
  /** HEAD is a commit of before, or one that a remote has. */
  readonly headIsOld: boolean
  readonly states: readonly PathState[]
  readonly view: AttributesView
  findingsOf(state: PathState): Findings
  /** Whether the followed commit's tree has the path. */
  isInHead(path: RepoPath): boolean
}

export interface SurveyWith {
  readonly env: Env
  readonly deadline: Deadline
  readonly scratch: string
  /** Read only when something differs. */
  readonly readRefs: () => PinnedRefs
}

/**
 * Looks at a guarded work tree.
 *
 * @returns undefined when nothing differs from the baseline; else a survey whose view the caller closes
 * @throws GateError GATE_GIT when HEAD or the index cannot be read, GATE_TIMEOUT
 */
export async function surveyTree(pinned: Pinned, using: SurveyWith): Promise<Survey | undefined> {
  const { baseline } = pinned
  const head = readHead(baseline)
  if (head.kind !== 'commit')
    throw new GateError('GATE_GIT', `git rev-parse HEAD failed: HEAD does not resolve in ${baseline.root}`)
  using.deadline.check('comparing the tree')
  const delta = scanTree(pinned)
  const hasMoved = head.oid !== baseline.head.oid || head.ref !== baseline.head.ref
  if (delta.paths.length === 0 && !hasMoved) return undefined

  using.deadline.check('judging what differs')
  const refs = using.readRefs()
  const upstream = upstreamSince(baseline, refs)
  const headIsOld = !hasMoved || (await isOldCommit(pinned, head.oid, [...refs.tips, ...upstream]))
  const commit = headIsOld ? head.oid : baseline.head.oid
  const view = openAttributesView({ ...baseline, commit, paths: delta.paths, ...using })
  try {
    const states = await inspectPaths(pinned, delta, view)
    const search = {
      git: view.git,
      baseline,
      refs,
      upstream,
      head: headIsOld ? head.oid : undefined,
      deadline: using.deadline,
    }
    return {
      pinned,
      delta,
      head,
      headIsOld,
      states,
      view,
      findingsOf: (state) => gatherFindings(state, search),
      // A commit of the session's own that was let pass brings its new files into no baseline.
      isInHead: (path) =>
        headIsOld && native().blobAt(view.git, baseline.letPass[head.oid] ?? head.oid, path) !== undefined,
    }
  } catch (error) {
    view.close()
    throw error
  }
}

/** Commits that remotes have by now and that were not pinned. */
export function upstreamSince(baseline: Baseline, pinned: PinnedRefs): readonly Oid[] {
  const { refs } = readRefs(baseline)
  const known = new Set(pinned.tips)
  const remote = [...refs].flatMap(([name, oid]) => (name.startsWith('refs/remotes/') ? [oid] : []))
  return [...new Set([...remote, ...readFetchHead(baseline)])].filter((oid) => !known.has(oid))
}

async function isOldCommit({ baseline }: Pinned, commit: Oid, tips: readonly Oid[]): Promise<boolean> {
  const isKnown =
    commit === baseline.head.oid || baseline.accepted.includes(commit) || commit in baseline.letPass
  if (isKnown || tips.includes(commit)) return true
  return await (await openOrFail(baseline.gitDir)).isReachable(commit, tips)
}
