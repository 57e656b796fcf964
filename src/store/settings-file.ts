/**
 * Claude Code's settings.json on disk: gstack's lock and backup names, a link followed, never a torn file. What an edit
 * means is in `settings-text.ts`.
 */

import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { isoTime } from '../core/iso-time.ts'
import type { Env } from '../core/env.ts'
import { GateError, isMissing, isSystemError, messageOf } from '../core/errors.ts'
import { HOOK_NAMES, registrationsOf, type Registration } from '../core/registration.ts'
import { readRegularFile } from '../native/regular-file.ts'
import { withDirectoryLock, type HeldLock } from './directory-lock.ts'
import { isLink } from './link.ts'
import { claudeConfigDir } from './paths.ts'
import { applyRegistrations, findRegistrations } from './settings-text.ts'
import { replaceUserFile } from './user-file.ts'

const KEPT_BACKUPS = 10
/** Claude Code writes the file without the lock; a write of it in between starts ours over. */
const MOST_TRIES = 5

/** What a settings file that is not there would have held. */
const NEW_FILE = '{}\n'

export interface SettingsChange {
  /** undefined when there is no file. */
  readonly before: string | undefined
  /** undefined when the file goes, since nobody but us ever wrote it. */
  readonly after: string | undefined
}

/** `GSTACK_SETTINGS_FILE`, else `settings.json` in Claude Code's directory. */
export function settingsFileFrom(env: Env, home: string): string {
  const named = env['GSTACK_SETTINGS_FILE']
  return named === undefined || named === ''
    ? join(claudeConfigDir(env, home), 'settings.json')
    : resolve(home, named)
}

/**
 * Plans the file with exactly these registrations of ours, and writes nothing.
 *
 * @throws GateError SETUP_FAILED when it cannot be read or is not a JSON object
 */
export function planRegistrations(file: string, wanted: readonly Registration[]): SettingsChange {
  const before = readSettings(file)
  if (before === undefined)
    return { before, after: wanted.length === 0 ? undefined : applyRegistrations(NEW_FILE, wanted, file) }

  const after = applyRegistrations(before, wanted, file)
  return { before, after: wanted.length === 0 && after !== before ? asItWas(file, after) : after }
}

/**
 * Writes what `planRegistrations` plans, under gstack's lock; equal text is not written and not backed up.
 *
 * @throws GateError SETUP_FAILED when it cannot be read, locked or written, or is not JSON; it is then left as it was
 */
export async function writeRegistrations(
  file: string,
  wanted: readonly Registration[],
  now: Date,
): Promise<SettingsChange> {
  const first = planRegistrations(file, wanted)
  if (first.after === first.before) return first
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    return await withDirectoryLock(`${file}.lock`, (lock) => writeUnderLock(file, wanted, { lock, now }))
  } catch (error) {
    const isLocked = error instanceof GateError && error.code === 'GATE_LOCKED'
    if (!isLocked && !isSystemError(error)) throw error
    throw new GateError('SETUP_FAILED', `${file} was left as it is: ${messageOf(error)}`, { cause: error })
  }
}

async function writeUnderLock(
  file: string,
  wanted: readonly Registration[],
  { lock, now }: { lock: HeldLock; now: Date },
): Promise<SettingsChange> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const change = planRegistrations(file, wanted)
    const { before, after } = change
    if (after === before) return change
    if (before !== undefined) backUp(file, before, now)
    lock.check()
    if (readSettings(file) !== before) continue
    if (after === undefined) rmSync(file)
    else await replaceUserFile(file, Buffer.from(after, 'utf8'))
    return change
  }
  throw new GateError('SETUP_FAILED', `${file} was left as it is: another program kept writing it`)
}

/** @returns undefined when there is no file */
export function readSettings(file: string): string | undefined {
  const bytes = readBytes(file)
  if (bytes === undefined) return undefined
  const text = bytes.toString('utf8')
  if (Buffer.from(text, 'utf8').equals(bytes)) return text
  throw new GateError('SETUP_FAILED', `${file} was left as it is: it is not UTF-8`)
}

function readBytes(file: string): Buffer | undefined {
  try {
    return readFileSync(file)
  } catch (error) {
    if (!isSystemError(error)) throw error
    if (isMissing(error) && !isLink(file)) return undefined
    const why = isMissing(error) ? 'it is a link that leads nowhere' : messageOf(error)
    throw new GateError('SETUP_FAILED', `${file} was left as it is: ${why}`, { cause: error })
  }
}

/**
 * The text from before our first registration, to the byte. Removing restores it by itself unless a container was empty
 * then; so a backup without us counts when it differs from what removing left in nothing but such containers.
 *
 * @param after the text that removing left
 * @returns undefined when no backup is without us: we made the file
 */
function asItWas(file: string, after: string): string | undefined {
  const everything = registrationsOf('', HOOK_NAMES)
  const withoutEmpty = (text: string) =>
    applyRegistrations(applyRegistrations(text, everything, file), [], file)
  const isWhatItWas = (text: string) => withoutEmpty(text) === withoutEmpty(after)
  const withoutUs = readBackups(file).filter((text) => findRegistrations(text, file).length === 0)
  const found = withoutUs.find(isWhatItWas)
  if (found !== undefined) return found
  const isOurFile = withoutUs.length === 0 && isWhatItWas(NEW_FILE) && !isLink(file)
  return isOurFile ? undefined : after
}

/** @returns the backups that hold JSON, newest first */
function readBackups(file: string): string[] {
  return backupsOf(file)
    .toReversed()
    .map((path) => readRegularFile(path)?.toString('utf8') ?? '')
    .filter(isJson)
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text.replace(/^\ufeff/, ''))
    return true
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}

/** gstack's names: `<settings>.bak.<YYYYMMDD-HHMMSS>.<pid>.<random>`, the newest named by `<settings>.bak-latest`. */
function backUp(file: string, text: string, now: Date): void {
  const [date = '', time = ''] = isoTime(now).replace(/[-:]/g, '').split(/[T.]/)
  const path = `${file}.bak.${date}-${time}.${String(process.pid)}.${randomBytes(3).toString('hex')}`
  writeFileSync(path, text, { mode: 0o600, flag: 'wx' })
  writeFileSync(`${file}.bak-latest`, `${path}\n`, { mode: 0o600 })
  for (const old of backupsOf(file).slice(0, -KEPT_BACKUPS)) rmSync(old, { force: true })
}

/** Absolute paths, oldest first. */
function backupsOf(file: string): string[] {
  const prefix = `${basename(file)}.bak.`
  return readdirSync(dirname(file))
    .filter((name) => name.startsWith(prefix))
    .map((name) => join(dirname(file), name))
    .sort((a, b) => statSync(a).mtimeMs - statSync(b).mtimeMs || (a < b ? -1 : 1))
}
