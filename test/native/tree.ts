import { execFileSync } from 'node:child_process'
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { onTestFinished } from 'vitest'

import { asRepoPath, type RepoPath } from '../../src/core/ids.ts'

export const ADDON_PATH = fileURLToPath(new URL('../../build/Release/gstack_gates.node', import.meta.url))

export const at = (path: string): RepoPath => asRepoPath(path)

const GIT_ENV = {
  PATH: process.env['PATH'] ?? '',
  LC_ALL: 'C',
  TZ: 'UTC',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.com',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.com',
}

/** A folder of one test, removed when it ends. */
export function makeFolder(parent = tmpdir()): string {
  const folder = mkdtempSync(join(parent, 'gates-native-'))
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true })
  })
  return folder
}

export type Tree = ReturnType<typeof makeTree>

/** A repository, empty but for its configuration, and a folder for what is kept. */
export function makeTree(parent?: string) {
  const base = makeFolder(parent)
  const root = join(base, 'tree')
  const gitDir = join(root, '.git')
  const keep = join(base, 'keep')
  mkdirSync(root)
  mkdirSync(keep)

  const gitBytes = (args: readonly string[], options: { input?: Buffer | string; dateS?: number } = {}) => {
    const date = `${String(options.dateS ?? 1_700_000_000)} +0000`
    return execFileSync('git', args, {
      cwd: root,
      env: { ...GIT_ENV, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date },
      input: options.input,
      maxBuffer: 1 << 28,
      stdio: ['pipe', 'pipe', 'pipe'],
    })
  }
  const git = (...args: string[]) => gitBytes(args).toString('latin1')
  git('init', '-q', '-b', 'main')

  return {
    root,
    gitDir,
    keep,
    indexPath: join(gitDir, 'index'),
    git,
    gitBytes,
    path: (path: string) => join(root, path),
    write(path: string, content: string | Buffer, mode?: number) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), content, { mode })
    },
    read: (path: string) => readFileSync(join(root, path), 'latin1'),
    /** Makes a file and the index old enough for every racy rule. */
    settle() {
      const past = new Date(Date.now() - 3_600_000)
      for (const path of git('ls-files', '-z').split('\0')) {
        if (path !== '' && lstatSync(join(root, path), { throwIfNoEntry: false })?.isFile() === true)
          utimesSync(join(root, path), past, past)
      }
      waitMs(60)
      git('update-index', '-q', '--refresh')
    },
    index: () => readFileSync(join(gitDir, 'index')),
    indexMtimeNs: () => statSync(join(gitDir, 'index'), { bigint: true }).mtimeNs,
    commit(message: string, dateS?: number) {
      gitBytes(['add', '-A'])
      gitBytes(['commit', '-q', '--allow-empty', '-m', message], dateS === undefined ? {} : { dateS })
      return git('rev-parse', 'HEAD').trim()
    },
  }
}

/** Lets the file system's clock tick. */
export function waitMs(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

/** The code of what a call throws. */
export function codeOf(call: () => unknown): unknown {
  try {
    call()
  } catch (error) {
    return (error as { code?: unknown }).code
  }
  return undefined
}
