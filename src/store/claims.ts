/**
 * Who answers a call when the same hook is registered twice, by a plugin and by settings.json: the client then runs both,
 * and the first to claim the call acts. See docs/decisions/0015.
 *
 * A claim is a symbolic link whose target names the registration, so that it is made and signed in one step. It leads
 * nowhere, and nobody follows it.
 */

import { lstatSync, readlinkSync, renameSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { GateError, hasErrno, isMissing, isSystemError } from '../core/errors.ts'
import { makeStateFolder, namesIn, removeOlder } from './folder.ts'
import type { StatePaths } from './paths.ts'
import { uniqueName } from './unique-name.ts'

export interface ClaimedCall {
  readonly session: string
  readonly hook: string
  readonly event: string
  readonly agent: string | undefined
  /** `tool_use_id`; a stop and a prompt have none. */
  readonly call: string | undefined
}

/** Claims are looked at within seconds; a day is more than enough. */
const KEPT_MS = 24 * 3_600_000
/** One process in so many clears old ones away. */
const CLEARING = 128

/**
 * Claims a call for a registration. One that has it already has it again: the client may ask the same twice.
 *
 * @param registration stands for where the hook was registered; no two places share one
 * @returns false when another registration was faster; true too where no claim can be written, since a call that two
 *   answer is better than one that nobody does
 */
export function claimCall(paths: StatePaths, claimed: ClaimedCall, registration: string): boolean {
  const folder = folderOf(paths)
  try {
    makeStateFolder(folder)
    const isOurs =
      claimed.call === undefined
        ? claimNext(folder, claimed, registration)
        : claim(path.join(folder, nameOf(claimed)), registration)
    if (!isOurs) note(path.join(folder, `${BESIDE}${claimed.hook}`), registration)
    return isOurs
  } catch (error) {
    if (!isSystemError(error) && !(error instanceof GateError)) throw error
    return true
  }
}

export interface StoodBack {
  readonly hook: string
  /** The registration that left calls to another. */
  readonly registration: string
  readonly at: Date
}

/** Registrations that stood back for another one, the last time of each hook. */
export function listStoodBack(paths: StatePaths): readonly StoodBack[] {
  const folder = folderOf(paths)
  return namesIn(folder)
    .filter((name) => name.startsWith(BESIDE))
    .map((name) => {
      const link = path.join(folder, name)
      return { hook: name.slice(BESIDE.length), registration: readlinkSync(link), at: lstatSync(link).mtime }
    })
}

const BESIDE = 'beside-'

const folderOf = (paths: StatePaths): string => path.join(paths.sessions, '.claims')

/**
 * A call without an id is known by its number, since every registration is asked about every stop. One that joined late
 * or missed one counts too low: it stands back, and goes on from what the other has.
 */
function claimNext(folder: string, claimed: ClaimedCall, registration: string): boolean {
  const calls = `${folder}/${nameOf(claimed)}`
  const counter = `${calls}${registration.replaceAll('/', '!')}`
  const last = `${calls}last`
  const number = readNumber(counter) + 1
  const isOurs = claim(`${calls}${String(number)}`, registration)
  if (isOurs) note(last, String(number))
  note(counter, String(isOurs ? number : Math.max(number, readNumber(last))))
  return isOurs
}

function claim(link: string, registration: string): boolean {
  try {
    symlinkSync(registration, link)
  } catch (error) {
    if (!hasErrno(error, 'EEXIST')) throw error
    return readlinkSync(link) === registration
  }
  if (process.pid % CLEARING === 0) clearOld(path.dirname(link))
  return true
}

/** Replaces a link in one step. */
function note(link: string, target: string): void {
  const temporary = `${link}.${uniqueName()}.tmp`
  symlinkSync(target, temporary)
  renameSync(temporary, link)
}

function readNumber(link: string): number {
  try {
    return Number(readlinkSync(link))
  } catch (error) {
    if (isMissing(error)) return 0
    throw error
  }
}

const clearOld = (folder: string): void => {
  removeOlder(folder, lstatSync(folder).mtimeMs - KEPT_MS)
}

/** Too long a name is an error of the system, and then everybody answers. */
const nameOf = ({ session, hook, event, agent = '', call = '' }: ClaimedCall): string =>
  [session, hook, event, agent, call].map((part) => encodeURIComponent(part.toWellFormed())).join('~')
