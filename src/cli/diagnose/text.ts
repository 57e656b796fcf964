import { repoPathFromText, showPath, type Oid } from '../../core/ids.ts'
import type { PlannedTip } from '../../judge/commits.ts'
import { rawCopyPath } from '../../store/raw-copies.ts'
import { keptPath } from '../../store/kept.ts'
import { foldedBefore, rawCopiesOf, type DiagnosedRoot } from './root.ts'
import type { DiagnosedPath, TreeDiagnosis } from './tree.ts'
import { calledOf, reasonOf, reasonOfFold, sidesOf, type Called } from './verdict.ts'

/** Longer lists are cut; `--json` has them whole. */
const MOST_LINES = 200

const TITLES: Readonly<Record<Called, string>> = {
  'put-back': 'would be put back',
  'cannot-put-back': 'cannot be put back',
  fold: 'would be folded into the baseline',
  observe: 'observed and left alone',
}

export function textOfTree(diagnosed: DiagnosedRoot): string {
  const { root, tree, folds, sessionDir } = diagnosed
  const title = `\nroot ${showPath(repoPathFromText(root))}\n`
  if ('code' in tree) return `${title}  cannot be judged: ${tree.code} ${tree.why}\n`
  const earlier = foldedBefore(diagnosed).map(
    (fold) =>
      `${showPath(fold.path)}: ${reasonOfFold(fold, tree.stash.pinned)}, at ${fold.at}${copiesText(
        rawCopiesOf(folds, fold.path).map((copy) => rawCopyPath(sessionDir, copy)),
      )}`,
  )
  return [
    title,
    ...[...headLines(tree), ...refLines(tree)].map((line) => `  ${line}\n`),
    ...section('commits since the baseline', tree.tips.map(tipText)),
    ...(['put-back', 'cannot-put-back', 'fold', 'observe'] as const).map((called) =>
      section(
        TITLES[called],
        tree.paths.filter((path) => calledOf(path) === called).map((path) => pathText(path, tree, diagnosed)),
      ).join(''),
    ),
    ...section('folded by earlier checks', earlier),
  ].join('')
}

function section(title: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return []
  const shown = lines.slice(0, MOST_LINES)
  const rest = lines.length - shown.length
  return [
    `  ${title}:\n`,
    ...shown.map((line) => `    ${line}\n`),
    ...(rest === 0 ? [] : [`    and ${String(rest)} more\n`]),
  ]
}

const headText = ({ oid, ref }: { readonly oid: Oid; readonly ref: string | undefined }): string =>
  `${ref?.replace(/^refs\/heads\//, '') ?? 'detached'} ${oid}`

function headLines({ baseline, head, operation, heldLock }: TreeDiagnosis): string[] {
  const { firstHead, head: followed } = baseline
  const then = headText(firstHead)
  return [
    `HEAD when the gate armed: ${then}`,
    ...(headText(followed) === then ? [] : [`HEAD that the baseline follows: ${headText(followed)}`]),
    `HEAD now: ${head.kind === 'commit' ? headText(head) : head.kind}`,
    ...(operation === undefined ? [] : [`in progress: ${operation}`]),
    ...(heldLock === undefined ? [] : [`another git is at work: ${heldLock.file}`]),
  ]
}

function refLines({ refs, stash }: TreeDiagnosis): string[] {
  const lines = refs.map(({ name, then, now }) => `${name}: ${then ?? 'none'} -> ${now ?? 'none'}`)
  const rest = lines.length - MOST_LINES
  return [
    ...lines.slice(0, MOST_LINES),
    ...(rest > 0 ? [`and ${String(rest)} more refs`] : []),
    ...stash.gone.map((oid) => `stash entry gone: ${oid}`),
    ...stash.gained.map((oid) => `stash entry new: ${oid}`),
  ]
}

function tipText({ tip, plan, isHeldBack }: PlannedTip): string {
  const what = `${tip.fixCommits.length === 0 ? tip.tip : tip.fixCommits.join(', ')} on ${tip.name}`
  const files = tip.fixes.length === 0 ? '' : ` (${tip.fixes.map(showPath).join(', ')})`
  if (isHeldBack) return `${what}${files}: another git is at work, so it is the check's after the next`
  switch (plan.kind) {
    case 'let-pass':
      return `${what}${files}: let pass`
    case 'move':
      return `${what}${files}: would be undone, ${tip.name} goes back to ${plan.to}`
    case 'leave-branch':
      return `${what}${files}: would be left, HEAD goes back to where it stood`
    case 'wait':
      return `${what}${files}: judged when the ${plan.operation} has ended`
    case 'elsewhere':
      return `${what}${files}: another work tree's, left`
  }
}

function pathText(
  path: DiagnosedPath,
  tree: TreeDiagnosis,
  { kept, folds, sessionDir }: DiagnosedRoot,
): string {
  const { judgement, obstacle, diff } = path
  const { state, verdict } = judgement
  const sides = sidesOf(judgement)
  const where = sides.includes('index') ? ` (${sides.join(' and ').replace('work-tree', 'work tree')})` : ''
  const why =
    obstacle ??
    (verdict.kind === 'observed' ? verdict.exclusion : undefined) ??
    (verdict.kind === 'fold' ? reasonOf(judgement, tree.stash.pinned) : undefined)
  const copies = [
    ...kept.filter((copy) => copy.path === state.path).map(({ name }) => keptPath(sessionDir, name)),
    ...rawCopiesOf(folds, state.path).map((copy) => rawCopyPath(sessionDir, copy)),
  ]
  const diffText = diff === undefined || diff === '' ? '' : `\n${diff.replace(/\n$/, '')}`
  return `${showPath(state.path)}${where}${why === undefined ? '' : `: ${why}`}${copiesText(copies)}${diffText}`
}

const copiesText = (copies: readonly string[]): string =>
  copies.map((copy) => `\n      kept: ${copy}`).join('')
