/**
 * The skills a person has installed: `skills/<name>/SKILL.md` below Claude Code's directory. What hooks need of each
 * frontmatter is cached by the file's stat data, so that a prompt costs no YAML.
 */

import { readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { GateError, hasErrno, isMissing, isSystemError, messageOf } from '../core/errors.ts'
import type { Fields, Frontmatter, SkillFile } from '../core/skill-file.ts'
import { readRegularFile } from '../native/regular-file.ts'
import { writeAtomic } from './atomic.ts'
import { makeFolder, namesIn } from './folder.ts'

/** The fields that hooks read; the rest of a frontmatter is prose for the client. */
const CACHED_FIELDS = ['name', 'triggers', 'contract'] as const
const CACHE_VERSION = 1
const LONGEST_SKILL_BYTES = 1024 * 1024
/** A file changed this short a time ago may change again under the same stat data. */
const SETTLED_MS = 2_000

/** `fields` of its frontmatter holds `name`, `triggers` and `contract` where the file has them. */
export interface InstalledSkill extends SkillFile {
  /** Whether this call parsed the file; else the answer came from the cache. */
  readonly isFresh: boolean
}

interface CacheEntry {
  readonly stamp: string
  readonly frontmatter: Frontmatter
}

interface CacheFile {
  readonly version: number
  readonly skills: Readonly<Record<string, CacheEntry>>
}

export const skillsDirOf = (claudeDir: string): string => join(claudeDir, 'skills')

export const skillCacheFile = (stateRoot: string): string => join(stateRoot, 'skill-cache.json')

/**
 * Reads every installed skill, in the order of their names whatever the order on disk.
 *
 * @param claudeDir Claude Code's own directory
 * @param cacheFile read and, when something changed, written; a cache that cannot be used costs time, not the answer
 * @param nowMs wall clock; a file that changed within the last 2 s is not cached
 * @param isNeeded of the other skills an entry in the cache is taken as it is, unread and perhaps out of date
 * @returns none when there is no skills directory
 */
export async function readInstalledSkills(
  claudeDir: string,
  cacheFile: string,
  nowMs = Date.now(),
  isNeeded: (name: string) => boolean = () => true,
): Promise<readonly InstalledSkill[]> {
  const cache = readCache(cacheFile)
  const skills: InstalledSkill[] = []
  const entries = new Map<string, CacheEntry>()
  const folder = skillsDirOf(claudeDir)
  for (const name of namesIn(folder).sort()) {
    const file = `${folder}/${name}/SKILL.md`
    const cached = cache.get(file)
    const found =
      cached === undefined || isNeeded(name)
        ? await readSkill(file, cached, nowMs)
        : { ...cached, isFresh: false }
    if (found === undefined) continue
    skills.push({ name, file, frontmatter: found.frontmatter, isFresh: found.isFresh })
    if (found.stamp !== undefined) entries.set(file, { stamp: found.stamp, frontmatter: found.frontmatter })
  }
  if (!isSameCache(cache, entries)) writeCache(cacheFile, entries)
  return skills
}

/**
 * What a hint may say about the skill of this name.
 *
 * @returns `body` is the text of its SKILL.md, empty when that is gone by now; `contract` is the unchecked field
 */
export function describeSkill(
  skills: readonly InstalledSkill[],
  name: string,
): { skill: string; body: string; contract: unknown } {
  const skill = skills.find((candidate) => candidate.name === name)
  return {
    skill: name,
    body: skill === undefined ? '' : (readRegularFile(skill.file)?.toString('utf8') ?? ''),
    contract: skill?.frontmatter.kind === 'read' ? skill.frontmatter.fields['contract'] : undefined,
  }
}

async function readSkill(
  file: string,
  cached: CacheEntry | undefined,
  nowMs: number,
): Promise<{ frontmatter: Frontmatter; isFresh: boolean; stamp: string | undefined } | undefined> {
  try {
    const before = stampOf(file)
    if (cached?.stamp === before.stamp)
      return { frontmatter: cached.frontmatter, isFresh: false, stamp: cached.stamp }
    const { readFrontmatter } = await import('./frontmatter.ts')
    const frontmatter = before.problem ?? pick(readFrontmatter(readFileSync(file, 'utf8')))
    const isSettled = nowMs - before.changedMs > SETTLED_MS && stampOf(file).stamp === before.stamp
    return { frontmatter, isFresh: true, stamp: isSettled ? before.stamp : undefined }
  } catch (error) {
    if (isMissing(error)) return undefined
    if (!hasErrno(error, 'EACCES') && !hasErrno(error, 'ELOOP') && !hasErrno(error, 'EPERM')) throw error
    return { frontmatter: { kind: 'broken', why: messageOf(error) }, isFresh: true, stamp: undefined }
  }
}

function stampOf(file: string): { stamp: string; changedMs: number; problem: Frontmatter | undefined } {
  const stat = statSync(file, { bigint: true })
  return {
    stamp: [stat.dev, stat.ino, stat.size, stat.mtimeNs, stat.ctimeNs].join(':'),
    changedMs: Number(stat.mtimeMs > stat.ctimeMs ? stat.mtimeMs : stat.ctimeMs),
    problem: problemOf(stat.isFile(), Number(stat.size)),
  }
}

function problemOf(isFile: boolean, bytes: number): Frontmatter | undefined {
  if (!isFile) return { kind: 'broken', why: 'it is not a regular file' }
  if (bytes > LONGEST_SKILL_BYTES) return { kind: 'broken', why: 'it is over 1 MiB' }
  return undefined
}

function pick(frontmatter: Frontmatter): Frontmatter {
  if (frontmatter.kind !== 'read') return frontmatter
  const { fields } = frontmatter
  const kept: Fields = Object.fromEntries(
    CACHED_FIELDS.filter((key) => Object.hasOwn(fields, key)).map((key) => [key, fields[key]]),
  )
  return { kind: 'read', fields: kept }
}

function readCache(file: string): ReadonlyMap<string, CacheEntry> {
  try {
    const cache = JSON.parse(readFileSync(file, 'utf8')) as Partial<CacheFile> | null
    return new Map(cache?.version === CACHE_VERSION ? Object.entries(cache.skills ?? {}) : [])
  } catch (error) {
    if (error instanceof SyntaxError || isSystemError(error)) return new Map()
    throw error
  }
}

function isSameCache(
  before: ReadonlyMap<string, CacheEntry>,
  after: ReadonlyMap<string, CacheEntry>,
): boolean {
  if (before.size !== after.size) return false
  return [...after].every(([file, entry]) => before.get(file)?.stamp === entry.stamp)
}

function writeCache(file: string, entries: ReadonlyMap<string, CacheEntry>): void {
  const cache: CacheFile = { version: CACHE_VERSION, skills: Object.fromEntries(entries) }
  try {
    makeFolder(dirname(file))
    writeAtomic(file, JSON.stringify(cache))
  } catch (error) {
    // A full disk or a read-only state root: the next call parses again.
    if (!isSystemError(error) && !(error instanceof GateError)) throw error
  }
}
