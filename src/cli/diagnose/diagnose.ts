/** `gstack-skill-gates diagnose`: what the next check of a session would do, without doing it. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Baseline } from '../../core/baseline.ts'
import { deadlineMsFrom, startDeadline } from '../../core/deadline.ts'
import { GateError, messageOf } from '../../core/errors.ts'
import { printable } from '../../core/printable.ts'
import { resolveSwitch } from '../../core/switches.ts'
import { readConfigValue } from '../../store/config-file.ts'
import { listKept } from '../../store/kept.ts'
import { listFolds } from '../../store/ledger.ts'
import { sessionDirOf, statePathsFrom, type StatePaths } from '../../store/paths.ts'
import type { CliContext, CommandCall } from '../command.ts'
import { jsonLine } from '../json.ts'
import { chooseSession, standingOf, type Chosen, type Standing } from './choose.ts'
import { jsonOfTree } from './json-tree.ts'
import type { DiagnosedRoot } from './root.ts'
import { textOfTree } from './text.ts'
import { diagnoseTree } from './tree.ts'
import { wouldChange } from './verdict.ts'
import { elapsedMs } from '../../native/clock.ts'

const EXIT_WOULD_CHANGE = 4
const EXIT_ERROR = 3

/** @returns 4 when the next check would put back or undo something, 3 when a root cannot be judged, else 0 */
export async function diagnose({ context, options }: CommandCall): Promise<number> {
  const paths = statePathsFrom(context.env, context.home)
  const named = options['session']
  const chosen = chooseSession(paths, typeof named === 'string' ? named : undefined, context.cwd)
  const isJson = options['json'] === true
  if (typeof chosen === 'string') {
    context.stdout(
      isJson ? jsonLine({ session: null, state: 'not-armed', why: chosen, roots: [] }) : `${chosen}\n`,
    )
    return 0
  }
  const standing = standingOf(paths, chosen.session, Date.now())
  const roots =
    standing.state === 'armed'
      ? await diagnoseRoots(standing.roots, {
          context,
          sessionDir: sessionDirOf(paths, chosen.session),
          withDiffs: options['diff'] === true,
        })
      : []
  const isOff = isSwitchedOff(paths, context)
  if (isJson) context.stdout(jsonLine(jsonOf(chosen, standing, roots, isOff)))
  else context.stdout(printable(textOf(chosen, standing, roots, isOff)))
  if (roots.some(({ tree }) => 'code' in tree)) return EXIT_ERROR
  return roots.some(({ tree }) => wouldChange(tree)) ? EXIT_WOULD_CHANGE : 0
}

async function diagnoseRoots(
  baselines: readonly Baseline[],
  using: { readonly context: CliContext; readonly sessionDir: string; readonly withDiffs: boolean },
): Promise<readonly DiagnosedRoot[]> {
  const { context, sessionDir, withDiffs } = using
  const scratch = mkdtempSync(join(tmpdir(), 'gstack-diagnose-'))
  const [kept, folds] = [listKept(sessionDir), listFolds(sessionDir)]
  const roots: DiagnosedRoot[] = []
  try {
    for (const baseline of [...baselines].sort((a, b) => (a.root < b.root ? -1 : 1))) {
      const { env } = context
      // A check has this much time; with more, content of unknown age could get another verdict.
      const deadline = startDeadline(deadlineMsFrom(env), elapsedMs)
      const tree = await judgedOrWhyNot(baseline, { env, deadline, sessionDir, scratch, withDiffs })
      if (tree === undefined) continue
      const isHere = ({ root }: { readonly root: string }): boolean => root === baseline.root
      roots.push({
        sessionDir,
        root: baseline.root,
        tree,
        kept: kept.filter(isHere),
        folds: folds.filter(isHere),
      })
    }
    return roots
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

/** One root that cannot be judged says nothing of the others. */
async function judgedOrWhyNot(
  baseline: Baseline,
  using: Parameters<typeof diagnoseTree>[1],
): Promise<DiagnosedRoot['tree'] | undefined> {
  try {
    return await diagnoseTree(baseline, using)
  } catch (error) {
    if (!(error instanceof GateError)) throw error
    return { code: error.code, why: messageOf(error) }
  }
}

/** As this environment has it; the session's own may say otherwise. */
const isSwitchedOff = (paths: StatePaths, { env }: CliContext): boolean =>
  resolveSwitch('investigate_gate', env, () => readConfigValue(paths.root, 'investigate_gate')).value !== 'on'

function textOf(
  { session, how }: Chosen,
  standing: Standing,
  roots: readonly DiagnosedRoot[],
  isOff: boolean,
): string {
  const first = `session ${session} (${how})\n`
  if (standing.state !== 'armed') return `${first}${standing.why}; nothing would be put back\n`
  const lines = [
    `${first}armed at ${standing.since}; as long as no root cause is stated, the next check would find:\n`,
    ...roots.map(textOfTree),
    roots.some(({ tree }) => wouldChange(tree)) ? '' : 'nothing would be put back or undone\n',
    isOff
      ? 'The switch investigate_gate is off here. Where it is off for the session too, its next call ends the run.\n'
      : '',
  ]
  return lines.join('')
}

const jsonOf = (
  { session, how }: Chosen,
  standing: Standing,
  roots: readonly DiagnosedRoot[],
  isOff: boolean,
): object => ({
  session,
  chosen: how,
  state: standing.state,
  ...(standing.state === 'armed' ? { armed_at: standing.since } : { why: standing.why }),
  switch: isOff ? 'off' : 'on',
  would_change: roots.some(({ tree }) => wouldChange(tree)),
  roots: roots.map(jsonOfTree),
})
