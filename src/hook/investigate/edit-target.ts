import { lstatSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { isMissing } from '../../core/errors.ts'
import { repoPathFromText, type RepoPath } from '../../core/ids.ts'
import { nearestExisting } from '../../git/discover.ts'
import type { HookPayload } from '../payload.ts'

/**
 * The files that an edit tool would touch, with links resolved: the path as it is named, and where it leads when its last
 * part is a link.
 *
 * @returns absolute paths; empty when the input names no file
 */
export function editTargets({ toolInput, cwd }: HookPayload): readonly string[] {
  const named = toolInput['file_path'] ?? toolInput['notebook_path']
  if (typeof named !== 'string' || named === '' || named.includes('\0')) return []
  const absolute = path.resolve(cwd, named)
  const parent = path.dirname(absolute)
  const inRealParent = path.join(resolveMissing(parent), path.basename(absolute))
  return isLink(inRealParent) ? [inRealParent, resolveMissing(inRealParent)] : [inRealParent]
}

/** Path inside a root, as git spells it; undefined when it lies outside. */
export function pathInside(root: string, absolute: string): RepoPath | undefined {
  const relative = path.relative(root, absolute)
  if (
    relative === '' ||
    relative === '..' ||
    relative.startsWith(`..${path.sep}`) ||
    path.isAbsolute(relative)
  )
    return undefined
  return repoPathFromText(relative.split(path.sep).join('/'))
}

/** Real path, also of something that is not there yet. */
function resolveMissing(absolute: string): string {
  try {
    return realpathSync(absolute)
  } catch (error) {
    if (!isMissing(error)) throw error
    const existing = nearestExisting(absolute)
    const rest = path.relative(nearestNamed(absolute), absolute)
    return path.join(existing, rest)
  }
}

function nearestNamed(absolute: string): string {
  for (let folder = absolute; ; folder = path.dirname(folder)) {
    try {
      realpathSync(folder)
      return folder
    } catch (error) {
      if (!isMissing(error) || path.dirname(folder) === folder) throw error
    }
  }
}

function isLink(absolute: string): boolean {
  return lstatSync(absolute, { throwIfNoEntry: false })?.isSymbolicLink() === true
}
