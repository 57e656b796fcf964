import type { RunRecord } from '../../core/record.ts'
import type { CauseFinding } from '../../policy/investigate/cause.ts'
import type { SessionCheck } from './trees.ts'

/** Everything that one check found, as the answer and the record need it. */
export interface Blocked extends SessionCheck {
  readonly cause: CauseFinding
  /** The run before this check was counted. */
  readonly run: RunRecord
}

/** Why something could not be put back; undefined when everything was. */
export function failureOf({ trees }: Pick<Blocked, 'trees'>): string | undefined {
  const failed = trees.flatMap(({ files, heldLock }) => [
    ...files.flatMap(({ path, failure }) => (failure === undefined ? [] : [`${path}: ${failure}`])),
    ...(heldLock === undefined ? [] : [heldText(heldLock)]),
  ])
  if (failed.length === 0) return undefined
  const named = failed.slice(0, 5).join('; ')
  return failed.length > 5 ? `${named}; and ${String(failed.length - 5)} more` : named
}

/** What another git's lock left undone. */
export const heldText = ({ file, ageMs }: { readonly file: string; readonly ageMs: number }): string =>
  `another git has held ${file} for ${String(Math.round(ageMs / 1000))} s, so commits, staged changes and deleted files wait for the next check; if no git is at work any more, delete that file`
