/** What the model reads when a call or a stop is blocked. It never names the switch. */

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

export function blockText(facts: BlockFacts): string {
  const { marker, denied, roots, isRepeat, remarks, listFile } = facts
  const lines = [marker]
  if (denied !== undefined)
    lines.push(`Not run: ${denied} is tracked source, and no root cause is stated yet.`)
  for (const { root, files } of roots) lines.push(...filesText(root, files))
  if (listFile !== undefined) lines.push(`The full list: ${listFile}`)
  lines.push(...remarks, ...causeText(facts.cause))
  if (!isRepeat) lines.push(...EXPLANATION)
  else lines.push(`State the root cause on a line of its own: ${FORM}`)
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

function filesText(root: string, files: readonly BlockedFile[]): string[] {
  const named = files.slice(0, NAMED_FILES)
  const done = named.filter(({ failure }) => failure === undefined)
  const failed = named.filter(({ failure }) => failure !== undefined)
  const lines: string[] = []
  if (done.length > 0)
    lines.push(`Changed before a root cause was stated, and put back in ${root}:`, ...done.map(doneLine))
  if (failed.length > 0)
    lines.push(
      `GATE_RESTORE_FAILED: changed and not put back in ${root}; look with git diff HEAD -- <file> and fix by hand:`,
      ...failed.map(({ path, failure }) => `- ${path} (${failure ?? ''})`),
    )
  if (files.length > named.length) lines.push(`and ${String(files.length - named.length)} more files.`)
  return lines
}

function doneLine({ path, copy, onlyStaged }: BlockedFile): string {
  if (copy !== undefined) return `- ${path} (what it held is kept in ${copy})`
  return onlyStaged === true ? `- ${path} (only its staged change)` : `- ${path}`
}

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
  // eslint-disable-next-line no-control-regex -- control characters are what is removed
  const plain = value.replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ')
  return plain.length > SHOWN_VALUE_CHARS ? `${plain.slice(0, SHOWN_VALUE_CHARS)}...` : plain
}

/** Whether the text names only a part of the files. */
export const needsList = (roots: BlockFacts['roots']): boolean =>
  roots.some(({ files }) => files.length > NAMED_FILES)
