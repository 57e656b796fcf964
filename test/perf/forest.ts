/** Repositories of a given size, made once and kept for the next run. */

import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { git, GIT_ENV, IDENTITY } from '../helpers/git.ts'

/** About what a source file's directory holds. */
const FILES_PER_FOLDER = 25
const FOLDERS_PER_FOLDER = 20

/** A repository whose file `n` is always the same. */
export interface Forest {
  readonly folder: string
  readonly files: number
}

/** Path of file `n` in its repository: three folders deep, as `m007/p013/s04/f12.ts`. */
export function pathOf(n: number): string {
  const folder = Math.floor(n / FILES_PER_FOLDER)
  const middle = Math.floor(folder / FOLDERS_PER_FOLDER)
  const top = Math.floor(middle / FOLDERS_PER_FOLDER)
  return `m${pad(top, 3)}/p${pad(middle, 3)}/s${pad(folder, 5)}/f${pad(n % FILES_PER_FOLDER, 2)}.ts`
}

/** Content of file `n` in its repository, some 300 bytes. */
export const contentOf = (n: number): string =>
  `${`export const value${n} = ${n}\n`.repeat(6)}// ${'x'.repeat(n % 97)}\n`

/** The repository with so many files, all committed in one commit and checked out, its index refreshed. */
export function forestOf(files: number, folder: string): Forest {
  const forest = { folder, files }
  const isWhole = `${folder}.made`
  if (existsSync(isWhole)) return forest

  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  git(folder, ['init', '-q', '-b', 'main'])
  git(folder, ['config', 'gc.auto', '0'])
  const stream = join(folder, '.git', 'stream')
  writeFileSync(stream, commitStream(files))
  execFileSync('sh', ['-c', 'git fast-import --quiet < .git/stream'], { cwd: folder, env: GIT_ENV })
  rmSync(stream)
  git(folder, ['reset', '-q', '--hard', 'main'])
  settle(forest)
  writeFileSync(isWhole, '')
  return forest
}

/** Lets git write down that every file is as its entry says, outside of any measurement. */
export function settle({ folder }: Forest): void {
  // A file as young as the index would be read again by each command that is measured.
  execFileSync('sleep', ['1.1'])
  git(folder, ['status', '--porcelain', '-uno'], { env: { GIT_OPTIONAL_LOCKS: '1' } })
}

/** Changes files 0, `step`, 2 `step`, ... `count` of them, so that each is another folder's where it can be. */
export function changeFiles({ folder, files }: Forest, count: number, mark: string): void {
  const step = Math.floor(files / count)
  for (let i = 0; i < count; i++)
    writeFileSync(join(folder, pathOf(i * step)), `${contentOf(i * step)}// ${mark}\n`)
}

function commitStream(files: number): string {
  const { name, email } = IDENTITY
  const parts = [`commit refs/heads/main\ncommitter ${name} <${email}> 1700000000 +0000\ndata 5\nfiles\n`]
  for (let n = 0; n < files; n++) {
    const text = contentOf(n)
    parts.push(`M 100644 inline ${pathOf(n)}\ndata ${text.length}\n${text}\n`)
  }
  return parts.join('')
}

const pad = (value: number, digits: number): string => String(value).padStart(digits, '0')
