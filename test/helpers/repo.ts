import { execFileSync } from 'node:child_process'
import { appendFileSync, chmodSync, lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { git, gitBytes, GIT_ENV } from './git.ts'
import { readGitFolder, readWorkTree, type FileStates } from './file-states.ts'

/** A real repository of one test. Paths are relative to its work tree. */
export interface Repo {
  readonly folder: string
  /** The folder's name, as the `root` of a marker has it. */
  readonly name: string
  path(path: string): string
  read(path: string): string
  bytes(path: string): Buffer
  write(path: string, content: string | Buffer): void
  append(path: string, content: string | Buffer): void
  remove(path: string): void
  mode(path: string, mode: number): void
  /** Permission bits as chmod takes them, such as `755`. */
  permissions(path: string): string
  inode(path: string): number
  /** Runs a shell script in the work tree, as an agent or somebody else would. */
  sh(script: string): void
  git(...args: string[]): string
  /** The file's text in a commit. */
  committed(path: string, commit?: string): string
  status(): string
  /** Every entry with its mode, id and stage, and the flags of assume-unchanged and skip-worktree. */
  index(): string
  refs(): string
  snapshot(): RepoSnapshot
}

/** Everything that a check must leave alone, but objects and logs. */
export interface RepoSnapshot {
  readonly status: string
  readonly index: string
  readonly refs: string
  readonly workTree: FileStates
  /** Files inside the git directory but objects, logs and the index, whose entries are compared instead. */
  readonly gitFolder: FileStates
}

export function openRepo(folder: string): Repo {
  const path = (relative: string) => join(folder, relative)
  const writable = (relative: string) => {
    mkdirSync(dirname(path(relative)), { recursive: true })
    return path(relative)
  }
  const repo: Repo = {
    folder,
    name: basename(folder),
    path,
    read: (relative) => readFileSync(path(relative), 'utf8'),
    bytes: (relative) => readFileSync(path(relative)),
    write: (relative, content) => writeFileSync(writable(relative), content),
    append: (relative, content) => appendFileSync(writable(relative), content),
    remove: (relative) => rmSync(path(relative), { recursive: true }),
    mode: (relative, mode) => chmodSync(path(relative), mode),
    permissions: (relative) => (lstatSync(path(relative)).mode & 0o7777).toString(8),
    inode: (relative) => lstatSync(path(relative)).ino,
    sh: (script) =>
      void execFileSync('bash', ['-e', '-c', script], { cwd: folder, env: GIT_ENV, stdio: 'pipe' }),
    git: (...args) => git(folder, args),
    committed: (relative, commit = 'HEAD') =>
      gitBytes(folder, ['cat-file', '--filters', `${commit}:${relative}`]).toString('utf8'),
    status: () => git(folder, ['status', '--porcelain']),
    index: () => gitBytes(folder, ['ls-files', '-s', '-v', '-z']).toString('latin1'),
    refs: () =>
      `${git(folder, ['for-each-ref'])}\n${git(folder, ['symbolic-ref', '-q', 'HEAD'], { accept: [1] })}`,
    snapshot: () => ({
      status: repo.status(),
      index: repo.index(),
      refs: repo.refs(),
      workTree: readWorkTree(folder),
      gitFolder: readGitFolder(git(folder, ['rev-parse', '--absolute-git-dir'])),
    }),
  }
  return repo
}
