/** Whether what was on disk is still somewhere: in the tree, in the session's folder, or in reach of git. */
import { createHash } from 'node:crypto'
import { readWorkTree, type FileStates } from '../../helpers/file-states.ts'
import { gitBytes } from '../../helpers/git.ts'
import type { Repo } from '../../helpers/repo.ts'
import type { Session } from '../../helpers/session.ts'

interface Places {
  readonly repo: Repo
  readonly session: Session
}

/** Files whose bytes are nowhere any more. */
export function lostFiles(before: FileStates, after: FileStates, places: Places): string[] {
  const inTree = new Set(Object.values(after).map(contentOf))
  const missing = Object.entries(before).filter(([, state]) => !inTree.has(contentOf(state)))
  const lost = lostContents(new Set(missing.map(([, state]) => contentOf(state))), places)
  return missing.filter(([, state]) => lost.has(contentOf(state))).map(([path]) => `${path} is lost`)
}

/** Those of the texts that are nowhere any more. */
export function lostTexts(texts: readonly string[], places: Places): string[] {
  const lost = lostContents(new Set(texts.map(digestOf)), places)
  return texts.filter((text) => lost.has(digestOf(text)))
}

function lostContents(contents: ReadonlySet<string>, { repo, session }: Places): ReadonlySet<string> {
  if (contents.size === 0) return contents
  const kept = new Set(Object.values(readWorkTree(session.stateFolder)).map(contentOf))
  const lost = [...contents].filter((content) => !kept.has(content))
  if (lost.length === 0) return new Set()
  const inGit = reachableContents(repo)
  return new Set(lost.filter((content) => !inGit.has(content)))
}

function reachableContents(repo: Repo): ReadonlySet<string> {
  const objects = repo.git('rev-list', '--objects', '--all', '--reflog', '--indexed-objects', 'HEAD')
  const ids = objects.split('\n').map((line) => line.slice(0, 40))
  return new Set(batchDigests(repo, ids))
}

/** Digests of the blobs among the objects. */
function batchDigests(repo: Repo, ids: readonly string[]): string[] {
  const bytes = gitBytes(repo.folder, ['cat-file', '--batch'], { input: ids.join('\n') })
  const digests: string[] = []
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf('\n', at)
    const [, kind, size = ''] = bytes.subarray(at, end).toString('latin1').split(' ')
    at = end + 1 + Number(size) + 1
    if (kind === 'blob') digests.push(digestOf(bytes.subarray(end + 1, at - 1)))
  }
  return digests
}

const contentOf = (state: string) => state.replace(/^file \d+ /, '')
const digestOf = (content: string | Buffer) => createHash('sha256').update(content).digest('hex')
