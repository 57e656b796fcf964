/** `gstack-skill-gates copies`: what was replaced or undone, and how to have it back. */

import { GateError } from '../../core/errors.ts'
import { repoPathFromText, showPath, type RepoPath, type SessionId } from '../../core/ids.ts'
import { printable } from '../../core/printable.ts'
import { keptFiles, listKept, type KeptCopy } from '../../store/kept.ts'
import { listUndos, type NotedUndo } from '../../store/ledger.ts'
import { sessionDirOf, statePathsFrom, type StatePaths } from '../../store/paths.ts'
import type { CommandCall } from '../command.ts'
import { jsonLine, jsonPath } from '../json.ts'
import { sessionsOf } from '../sessions.ts'
import { settleKills } from '../report/kills.ts'
import { bytesOf } from './size.ts'

export async function copies(call: CommandCall): Promise<number> {
  const { context, options, args } = call
  const [action, name] = args
  if (action === 'restore') return await (await import('./restore.ts')).restoreCopy(call, name)
  if (action !== undefined)
    throw new GateError('SKILL_GATES_USAGE', `copies takes the word restore, not ${action}`)
  if (options['to'] !== undefined || options['force'] !== undefined)
    throw new GateError('SKILL_GATES_USAGE', '--to and --force belong to copies restore NAME')
  const paths = statePathsFrom(context.env, context.home)
  await settleKills(paths, [], context)
  const sessions = sessionsOf(paths, options['session']).map((session) => readSession(paths, session))
  if (options['json'] === true) context.stdout(jsonLine(jsonOf(sessions)))
  else context.stdout(printable(textOf(sessions)))
  return 0
}

type ListedCopy = KeptCopy & { readonly file: string | undefined; readonly bytes: number }

interface SessionCopies {
  readonly session: SessionId
  readonly kept: readonly ListedCopy[]
  readonly undone: readonly NotedUndo[]
}

function readSession(paths: StatePaths, session: SessionId): SessionCopies {
  const sessionDir = sessionDirOf(paths, session)
  const kept = listKept(sessionDir).map((copy) => {
    const files = keptFiles(sessionDir, copy.name)
    return { ...copy, file: files[0], bytes: bytesOf(files.slice(0, 1)) }
  })
  return { session, kept, undone: listUndos(sessionDir) }
}

const WHY: Readonly<Record<KeptCopy['why'], string>> = {
  'put-back': 'put back',
  adopted: 'left by a killed hook',
  overwritten: 'overwritten by copies restore',
}

function textOf(sessions: readonly SessionCopies[]): string {
  const shown = sessions.filter(({ kept, undone }) => kept.length + undone.length > 0)
  if (shown.length === 0) return 'nothing was replaced or undone\n'
  return `${shown.map(sessionText).join('\n')}\nTo have a file back: gstack-skill-gates copies restore NAME\n`
}

function sessionText({ session, kept, undone }: SessionCopies): string {
  const lines = [
    ...kept.map((copy) => ({ at: copy.at, text: keptText(copy) })),
    ...undone.map((undo) => ({ at: undo.at, text: undoText(undo) })),
  ].sort((a, b) => a.at.localeCompare(b.at))
  return `session ${session}\n${lines.map(({ at, text }) => `  ${at}  ${text}\n`).join('')}`
}

function keptText({ name, root, path, why, bytes, file, linkTarget }: ListedCopy): string {
  const size = file === undefined ? 'gone' : linkTarget === undefined ? `${String(bytes)} bytes` : 'a link'
  return `${WHY[why]}: ${showPath(path)} in ${shown(root)} (${size})\n    ${name}`
}

function undoText({ ref, root, from, to, commits, paths }: NotedUndo): string {
  const files = paths.map(showPath).join(', ')
  return `undone: ${ref} in ${shown(root)} from ${from} to ${to}, commits ${commits.join(', ')} (${files})\n    git show ${from}`
}

const shown = (root: string): string => showPath(repoPathFromText(root))

const jsonOf = (sessions: readonly SessionCopies[]): object => ({
  copies: sessions.flatMap(({ session, kept }) =>
    kept.map(({ at, name, root, path, why, bytes, file, linkTarget }) => ({
      session,
      at,
      name,
      root,
      ...jsonPath(path),
      why,
      file: file ?? null,
      bytes: file === undefined ? null : bytes,
      ...(linkTarget === undefined ? {} : { link: jsonPath(linkTarget as RepoPath).path }),
    })),
  ),
  undone: sessions.flatMap(({ session, undone }) =>
    undone.map(({ at, root, ref, from, to, commits, paths }) => ({
      session,
      at,
      root,
      ref,
      from,
      to,
      commits,
      paths: paths.map(jsonPath),
    })),
  ),
})
