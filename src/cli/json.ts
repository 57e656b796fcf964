import { printableJson } from '../core/printable.ts'
import { repoPathBytes, repoPathToText, showPath, type RepoPath } from '../core/ids.ts'

/** One line of JSON without a character that a terminal acts on. */
export const jsonLine = (value: unknown): string => `${printableJson(JSON.stringify(value))}\n`

/** A path in JSON: its text; where its bytes are no UTF-8, an escaped text and the bytes themselves in base64. */
export function jsonPath(path: RepoPath): { readonly path: string; readonly path_base64?: string } {
  const text = repoPathToText(path)
  if (text !== undefined) return { path: text }
  return { path: showPath(path), path_base64: repoPathBytes(path).toString('base64') }
}
