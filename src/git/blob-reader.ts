import { renameSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import type { OwnContent, OwnFile } from '../core/content.ts'
import type { Oid, RepoPath } from '../core/ids.ts'
import { native } from '../native/binding.ts'
import type { GitHandle } from '../native/types.ts'

/** Blobs as content; those that are not held in memory are files below the scratch directory until they are closed. */
export interface BlobReader {
  /**
   * The blob as libgit2 checks it out at the path; undefined when it is not there.
   *
   * @param isToHold whether a blob of that size is to be held
   */
  checkOut(path: RepoPath, oid: Oid, isToHold: (sizeBytes: number) => boolean): OwnContent | undefined
  /** Takes over a file that git has checked out. */
  take(file: Buffer, sizeBytes: number): OwnFile
  close(): void
}

let files = 0

/** @param using.view where attributes come from; undefined leaves blobs as they are stored */
export function openBlobReader(using: {
  readonly git: GitHandle
  readonly view: GitHandle | undefined
  readonly scratch: string
}): BlobReader {
  const { git, view, scratch } = using
  const made: string[] = []
  const newFile = (): string => {
    files += 1
    const file = path.join(scratch, `large-${String(process.pid)}-${String(files)}`)
    rmSync(file, { force: true })
    made.push(file)
    return file
  }
  return {
    checkOut(name, oid, isToHold) {
      const sizeBytes = native().blobSize(git, oid)
      if (sizeBytes === undefined) return undefined
      if (isToHold(sizeBytes)) {
        const stored = native().readBlob(git, oid)
        return stored === undefined || view === undefined ? stored : native().smudge(view, name, stored)
      }
      const file = newFile()
      native().smudgeToFile(git, view, oid, name, file)
      return { kind: 'own', file, sizeBytes: statSync(file).size }
    },
    take(from, sizeBytes) {
      const file = newFile()
      renameSync(from, file)
      return { kind: 'own', file, sizeBytes }
    },
    close() {
      for (const file of made) rmSync(file, { force: true })
    },
  }
}
