/** Strings that must not be mixed up, and the one way to make each. */

import { escaped } from './printable.ts'

declare const brand: unique symbol
type Branded<Name extends string> = string & { readonly [brand]: Name }

/** A session id that is safe as a file name. */
export type SessionId = Branded<'SessionId'>
/** 40 lower-case hex digits. */
export type Oid = Branded<'Oid'>
/** 64 lower-case hex digits. */
export type Sha256 = Branded<'Sha256'>
/**
 * A path inside a repository with `/` between its parts. Every character stands for one byte (latin1), so that a name
 * that is not UTF-8 survives, and sorting strings sorts bytes as git does.
 */
export type RepoPath = Branded<'RepoPath'>

/** @returns undefined when the id could leave its directory or hide in it */
export function toSessionId(text: string): SessionId | undefined {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/.test(text) ? (text as SessionId) : undefined
}

/** Trusts an object id that came from git or from a file of ours. */
export const asOid = (hex: string): Oid => hex as Oid

/** Trusts a digest that was just computed or read from a file of ours. */
export const asSha256 = (hex: string): Sha256 => hex as Sha256

/** Trusts a string that already holds one byte per character. */
export const asRepoPath = (bytes: string): RepoPath => bytes as RepoPath

export const repoPathFromText = (text: string): RepoPath =>
  Buffer.from(text, 'utf8').toString('latin1') as RepoPath

export const repoPathBytes = (path: RepoPath): Buffer => Buffer.from(path, 'latin1')

/** Full name of a path below a folder; names are bytes. */
export const bytesBelow = (folder: string, path: RepoPath): Buffer =>
  Buffer.concat([Buffer.from(`${folder}/`), repoPathBytes(path)])

/** @returns undefined when the bytes are not UTF-8 */
export function repoPathToText(path: RepoPath): string | undefined {
  const text = repoPathBytes(path).toString('utf8')
  return repoPathFromText(text) === path ? text : undefined
}

/**
 * A path for people: as it is when it is plain, else in double quotes with C escapes, so that a newline starts no new
 * list entry and no terminal escape gets through.
 */
export function showPath(path: RepoPath): string {
  const text = repoPathToText(path)
  if (
    text !== undefined &&
    // eslint-disable-next-line no-control-regex -- control characters are what is looked for
    !/[\u0000-\u001f\u007f-\u009f"\\\u200b-\u200f\u2028-\u202e\u2066-\u2069]/.test(text) &&
    text.trim() === text
  )
    return text
  return `"${[...(text ?? path)].map((character) => escapeCharacter(character, text !== undefined)).join('')}"`
}

const SHORT_ESCAPES: Readonly<Record<string, string>> = {
  '\n': '\\n',
  '\t': '\\t',
  '\r': '\\r',
  '"': '\\"',
  '\\': '\\\\',
}

function escapeCharacter(character: string, isText: boolean): string {
  const short = SHORT_ESCAPES[character]
  if (short !== undefined) return short
  const code = character.codePointAt(0) ?? 0
  if (code >= 0x20 && code < 0x7f) return character
  if (isText && code > 0x9f && !/[\u200b-\u200f\u2028-\u202e\u2066-\u2069]/.test(character)) return character
  return escaped(code)
}
