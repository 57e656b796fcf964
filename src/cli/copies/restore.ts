/** Writes one kept copy back, through no link, and keeps what it overwrites. */

import { existsSync, lstatSync, readlinkSync, statSync } from 'node:fs'
import path from 'node:path'
import { GateError, messageOf } from '../../core/errors.ts'
import { repoPathFromText, showPath, type RepoPath, type SessionId } from '../../core/ids.ts'
import { printable } from '../../core/printable.ts'
import { nearestExisting } from '../../git/discover.ts'
import { native } from '../../native/binding.ts'
import type { NewContent } from '../../native/types.ts'
import {
  keptFiles,
  keptPath,
  listKept,
  makeKeptDir,
  newKeptName,
  noteKept,
  type KeptCopy,
} from '../../store/kept.ts'
import { sessionDirOf, statePathsFrom, type StatePaths } from '../../store/paths.ts'
import { uniqueName } from '../../store/unique-name.ts'
import type { CommandCall } from '../command.ts'
import { armedOn, sessionsOf } from '../sessions.ts'
import { settleKills } from '../report/kills.ts'

interface Target {
  /** Existing folder; below it no link is followed. */
  readonly root: string
  readonly path: RepoPath
}

/**
 * Writes a kept copy back where it was, or to `--to`.
 *
 * @returns 0
 * @throws GateError SKILL_GATES_USAGE for an unknown name, or for a place that is taken and no `--force`
 */
export async function restoreCopy(
  { context, options }: CommandCall,
  name: string | undefined,
): Promise<number> {
  if (name === undefined)
    throw new GateError('SKILL_GATES_USAGE', 'name the copy to restore; copies lists them')
  const paths = statePathsFrom(context.env, context.home)
  await settleKills(paths, [], context)
  const { session, copy } = findCopy(paths, sessionsOf(paths, options['session']), name)
  const sessionDir = sessionDirOf(paths, session)
  const to = options['to']
  const target = typeof to === 'string' ? targetOf(path.resolve(context.cwd, to)) : originOf(copy)
  const shown = path.join(target.root, showPath(target.path))
  const overwritten = write(copy, target, { sessionDir, isForced: options['force'] === true, shown })
  context.stdout(
    printable(
      `restored ${shown}\n${overwritten === undefined ? '' : `what it held is kept: ${overwritten}\n`}`,
    ),
  )
  const holder = typeof to === 'string' ? undefined : armedOn(paths, copy.root)[0]?.session
  if (holder !== undefined)
    context.stdout(
      `session ${holder} is armed there: where the gate holds this file, its next check puts it back again\n`,
    )
  return 0
}

/** By its name, or by its path as a block prints it. */
function findCopy(
  paths: StatePaths,
  sessions: readonly SessionId[],
  named: string,
): { readonly session: SessionId; readonly copy: KeptCopy } {
  for (const session of sessions) {
    const sessionDir = sessionDirOf(paths, session)
    const copy = listKept(sessionDir).find(
      ({ name }) => named === name || named === keptPath(sessionDir, name),
    )
    if (copy === undefined) continue
    if (path.basename(copy.name) === copy.name && keptFiles(sessionDir, copy.name).length > 0)
      return { session, copy }
    throw new GateError('SKILL_GATES_USAGE', `this copy is gone: ${named}`)
  }
  throw new GateError('SKILL_GATES_USAGE', `there is no copy of this name; copies lists them: ${named}`)
}

function originOf({ root, path: name }: KeptCopy): Target {
  if (statSync(root, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new GateError('SKILL_GATES_USAGE', `its work tree is gone, name a place with --to: ${root}`)
  return { root, path: name }
}

/** Links in folders that are there are followed once, as the person named them; the last part never is. */
function targetOf(absolute: string): Target {
  const parent = path.dirname(absolute)
  const root = nearestExisting(parent)
  const missing = path.relative(existingAsNamed(parent), absolute)
  return { root, path: repoPathFromText(missing) }
}

function existingAsNamed(folder: string): string {
  return existsSync(folder) ? folder : existingAsNamed(path.dirname(folder))
}

/** @returns the kept copy of what was overwritten */
function write(
  copy: KeptCopy,
  { root, path: name }: Target,
  { sessionDir, isForced, shown }: { sessionDir: string; isForced: boolean; shown: string },
): string | undefined {
  const { kind, row } = native().statRow(root, name)
  if (kind !== 'absent' && kind !== 'file' && kind !== 'link')
    throw new GateError('SKILL_GATES_USAGE', `nothing can be written there, ${PLACES[kind]}: ${shown}`)
  if (kind !== 'absent' && !isForced)
    throw new GateError(
      'SKILL_GATES_USAGE',
      `something is there; --force replaces it and keeps what it holds: ${shown}`,
    )
  makeKeptDir(sessionDir)
  const now = new Date()
  const keptName = newKeptName(name, now)
  const keepPath = keptPath(sessionDir, keptName)
  const { content, mode } = contentOf(sessionDir, copy)
  try {
    const done = native().replaceAt({
      root,
      path: name,
      tempName: `.gstack-gate-${uniqueName()}`,
      keepPath,
      expect: row,
      content,
      mode,
      createParents: true,
    })
    if (done.kept === undefined) return undefined
    const link = done.linkTarget === undefined ? {} : { linkTarget: done.linkTarget.toString('latin1') }
    noteKept(sessionDir, [
      { at: now.toISOString(), name: keptName, root, path: name, why: 'overwritten', ...link },
    ])
    return keepPath
  } catch (error) {
    throw new GateError('GATE_RESTORE_FAILED', `cannot write ${shown}: ${messageOf(error)}`, { cause: error })
  }
}

const PLACES = {
  directory: 'it is a directory',
  other: 'it is neither a file nor a link',
  unreachable: 'a folder above it is a link or no folder',
} as const

/** The byte copy where there is one: through another name of the file itself somebody may have written since. */
function contentOf(
  sessionDir: string,
  { name, linkTarget }: KeptCopy,
): { readonly content: NewContent; readonly mode: number } {
  const [itself = keptPath(sessionDir, name), bytes] = keptFiles(sessionDir, name)
  const stats = lstatSync(itself)
  if (linkTarget !== undefined) return { content: { link: Buffer.from(linkTarget, 'latin1') }, mode: 0o777 }
  if (stats.isSymbolicLink()) return { content: { link: readlinkSync(itself, 'buffer') }, mode: 0o777 }
  return { content: { source: bytes ?? itself }, mode: stats.mode & 0o7777 }
}
