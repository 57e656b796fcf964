/** What the model reads when a call or a stop is blocked. It never names the switch. */

import { oneLine } from '../../core/printable.ts'
import type { CauseFinding } from './cause.ts'

/** More files than this are counted, and listed in a file. */
const NAMED_FILES = 20
const SHOWN_VALUE_CHARS = 200

export interface BlockedFile {
  /** As shown to people. */
  readonly path: string
  /** Absolute path of the copy of what was replaced. */
  readonly copy?: string
  /** Why it could not be put back. */
  readonly failure?: string
  /** Only its staged change was undone. */
  readonly onlyStaged?: boolean
}

export interface BlockFacts {
  /** The marker line. */
  readonly marker: string
  /** The gated file that an edit tool was about to change. */
  readonly denied: string | undefined
  /** Guarded work trees, with what was found in each. */
  readonly roots: readonly { readonly root: string; readonly files: readonly BlockedFile[] }[]
  readonly cause: CauseFinding
  /** The run was blocked before. */
  readonly isRepeat: boolean
  /** What else has to be said, a line each. */
  readonly remarks: readonly string[]
  /** Absolute path of the full list when there are more files than are named. */
  readonly listFile: string | undefined
}

/** The whole reason: marker, what was done, what the model said in vain, and what to do next; in full at a run's first block. */
export function blockText(facts: BlockFacts): string {
  const { marker, denied, roots, isRepeat, remarks, listFile } = facts
  const lines = [marker]
  if (denied !== undefined)
    lines.push(`Not run: ${denied} is tracked source, and no root cause is stated yet.`)
  for (const { root, files } of roots) lines.push(...filesText(root, files))
  if (listFile !== undefined) lines.push(`The full list: ${listFile}`)
  lines.push(...remarks, ...causeText(facts.cause))
  if (!isRepeat) lines.push(...EXPLANATION)
  else lines.push(`State the root cause in your reply, on a line of its own: ${FORM}`, AGAIN)
  return lines.join('\n')
}

const FORM = 'Root cause: <what is actually wrong, with file:line>'

const EXPLANATION = [
  'Since /investigate was loaded, tracked source files stay as they are until you have stated the root cause.',
  'Look first (Read, Grep, Glob, or run something), then write in your reply, on a line of its own:',
  FORM,
  'A placeholder or a guess such as "unknown" does not count. After that line you can edit. Until then new files, tests and docs are free to write.',
  'If you stated it in the same message as this call, just make the call again.',
]

const AGAIN = 'Then make the change again. If you have just stated it, that is all it takes.'

function filesText(root: string, files: readonly BlockedFile[]): string[] {
  const named = files.slice(0, NAMED_FILES)
  const done = named.filter(({ failure }) => failure === undefined)
  const failed = named.filter(({ failure }) => failure !== undefined)
  const lines: string[] = []
  if (done.length > 0)
    lines.push(`Changed before a root cause was stated, and put back in ${root}:`, ...done.map(doneLine))
  if (failed.length > 0)
    lines.push(
      `GATE_RESTORE_FAILED: changed and not put back in ${root}; git diff HEAD -- <file> shows how. Take it back by hand, unless the next check does:`,
      ...failed.map(({ path, failure }) => `- ${path} (${failure ?? ''})`),
    )
  if (files.length > named.length) lines.push(`and ${String(files.length - named.length)} more files.`)
  return lines
}

const doneLine = (file: BlockedFile): string =>
  `- ${file.path} (${file.copy === undefined ? withoutCopy(file) : `what it held is kept in ${file.copy}`})`

/** Why nothing of a file was kept. */
export const withoutCopy = ({ onlyStaged }: BlockedFile): string =>
  onlyStaged === true ? 'only its staged change' : 'it was missing'

function causeText(cause: CauseFinding): string[] {
  switch (cause.kind) {
    case 'none':
    case 'accepted':
      return []
    case 'not-looked':
      return [
        `"Root cause: ${shorten(cause.value)}" came before any look at the code; look, then state it again.`,
      ]
    case 'rejected':
      return [`"Root cause: ${shorten(cause.value)}" does not count: it is a ${cause.why}.`]
  }
}

function shorten(value: string): string {
  const plain = oneLine(value)
  return plain.length > SHOWN_VALUE_CHARS ? `${plain.slice(0, SHOWN_VALUE_CHARS)}...` : plain
}

/** Whether the text names only a part of the files. */
export const needsList = (roots: BlockFacts['roots']): boolean =>
  roots.some(({ files }) => files.length > NAMED_FILES)
