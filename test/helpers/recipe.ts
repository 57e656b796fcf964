/**
 * Builds the repository shapes of `fixtures-repos/`. The same recipe gives the same object ids on every machine:
 * identity, dates, time zone, modes and git's configuration are fixed here.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { git, IDENTITY } from './git.ts'

const SHAPES = fileURLToPath(new URL('../../fixtures-repos/', import.meta.url))
const CACHE = fileURLToPath(new URL('../../node_modules/.cache/fixtures-repos/', import.meta.url))
/** A change of what the steps do makes every cached repository stale. */
const BUILDER = [import.meta.url, new URL('git.ts', import.meta.url)].map((file) =>
  readFileSync(new URL(file)),
)
const FIRST_COMMIT_S = Date.UTC(2026, 0, 5, 10) / 1_000

/** The folder of a shape that a session works in; others beside it are its remotes and worktrees. */
export const PROJECT = 'project'

type Step = Readonly<Record<string, unknown>>
type ByPath<T> = Readonly<Record<string, T>>

interface Building {
  readonly shape: string
  /** Holds the project and everything beside it. */
  readonly base: string
  /** The repository that the steps work on. */
  readonly folder: string
  commits: number
}

/** Names of all shapes, sorted. */
export function shapeNames(): string[] {
  const folders = readdirSync(SHAPES, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  return folders.map((folder) => folder.name).sort()
}

/**
 * Copies a shape, built on first use, into a folder that does not exist yet.
 *
 * @returns the copy's project folder
 */
export function copyShape(shape: string, target: string): string {
  mkdirSync(dirname(target), { recursive: true })
  execFileSync('cp', ['-a', builtShape(shape), target])
  const project = join(target, PROJECT)
  adoptCopy(project, target)
  return project
}

/** A copy's stat data are not those of the index, and its worktrees still name the folder it was copied from. */
function adoptCopy(project: string, target: string): void {
  const worktrees = existsSync(join(project, '.git/worktrees'))
    ? readdirSync(join(project, '.git/worktrees')).map((name) => join(target, name))
    : []
  if (worktrees.length > 0) git(project, ['worktree', 'repair', ...worktrees])
  for (const folder of [project, ...worktrees])
    git(folder, ['update-index', '-q', '--refresh', '--unmerged'], { accept: [1] })
}

function builtShape(shape: string): string {
  const built = join(CACHE, `${shape}-${fingerprint(shape)}`)
  if (existsSync(built)) return built

  const base = `${built}.${String(process.pid)}.tmp`
  buildShape(shape, base)
  try {
    renameSync(base, built)
  } catch (error) {
    if (!existsSync(built)) throw error // another worker was not faster: a real failure
    rmSync(base, { recursive: true })
  }
  return built
}

function fingerprint(shape: string): string {
  const hash = createHash('sha256')
  for (const source of BUILDER) hash.update(source)
  for (const entry of readdirSync(join(SHAPES, shape), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    hash.update(`${path}\0${String(statSync(path).mode)}\0`).update(readFileSync(path))
  }
  return hash.digest('hex').slice(0, 12)
}

/** Builds a shape from its recipe, without the cache. */
export function buildShape(shape: string, base: string): void {
  const recipe = parse(readFileSync(join(SHAPES, shape, 'recipe.yaml'), 'utf8')) as { steps: Step[] }
  const building = { shape, base, folder: join(base, PROJECT), commits: 0 }
  createRepository(building.folder)
  runSteps(building, recipe.steps)
}

function createRepository(folder: string): void {
  mkdirSync(folder, { recursive: true })
  git(folder, ['init', '-q', '-b', 'main'])
  git(folder, ['config', 'user.name', IDENTITY.name])
  git(folder, ['config', 'user.email', IDENTITY.email])
}

function runSteps(building: Building, steps: readonly Step[]): void {
  for (const step of steps) {
    const [[name, value] = ['', undefined], ...rest] = Object.entries(step)
    const run = STEPS[name]
    if (run === undefined || rest.length > 0)
      throw new Error(`${building.shape}: no such step: ${JSON.stringify(step)}`)
    run(building, value)
  }
}

const STEPS: Readonly<Record<string, (building: Building, value: unknown) => void>> = {
  /** Lays a folder of `files/` over the work tree. */
  files: (building, folder) => {
    execFileSync('cp', ['-a', `${join(SHAPES, building.shape, 'files', String(folder))}/.`, building.folder])
  },
  write: (building, value) =>
    eachPath(building, value, (path, content) => writeFileSync(path, content as string | Uint8Array)),
  append: (building, value) =>
    eachPath(building, value, (path, content) => appendFileSync(path, content as string)),
  /** Like write, for names that are not UTF-8: each character of a name is one byte. */
  'write-raw-names': ({ folder }, value) => {
    for (const [name, content] of Object.entries(value as ByPath<string>))
      writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(name, 'latin1')]), content)
  },
  /** `count` numbered files in folders of a hundred. */
  generate: (building, value) => {
    const { count, folder } = value as { count: number; folder: string }
    const files = Array.from({ length: count }, (_, index) => {
      const path = `${folder}/d${String(Math.floor(index / 100))}/f${String(index)}.js`
      return [path, `export const n${String(index)} = ${String(index)}\n`] as const
    })
    STEPS['write']?.(building, Object.fromEntries(files))
  },
  remove: ({ folder }, paths) =>
    (paths as string[]).forEach((path) => rmSync(join(folder, path), { recursive: true })),
  modes: (building, value) =>
    eachPath(building, value, (path, mode) => chmodSync(path, parseInt(String(mode), 8))),
  links: (building, value) => eachPath(building, value, (path, target) => symlinkSync(String(target), path)),
  config: ({ folder }, value) => {
    for (const [key, setting] of Object.entries(value as ByPath<unknown>))
      git(folder, ['config', key, String(setting)])
  },
  stage: ({ folder }, paths) => void git(folder, ['add', '--', ...(paths as string[])]),
  /** Commits everything in the work tree. */
  commit: (building, message) => {
    git(building.folder, ['add', '-A'])
    gitAt(building, ['commit', '-q', '-m', String(message)])
  },
  branch: ({ folder }, name) => void git(folder, ['branch', '-q', String(name)]),
  checkout: ({ folder }, name) => void git(folder, ['checkout', '-q', String(name)]),
  stash: (building, message) => gitAt(building, ['stash', 'push', '-q', '-m', String(message)]),
  /** A merge may end in a conflict: then it stays open. */
  merge: (building, name) => gitAt(building, ['merge', '-q', '--no-edit', String(name)], [1]),
  /** A repository beside the project, with steps of its own. */
  beside: (building, value) => {
    const { folder, steps } = value as { folder: string; steps: Step[] }
    const other = { ...building, folder: join(building.base, folder) }
    createRepository(other.folder)
    runSteps(other, steps)
    building.commits = other.commits
  },
  /** Anything else, word by word. */
  git: (building, args) => gitAt(building, args as string[]),
}

function eachPath({ folder }: Building, value: unknown, act: (path: string, content: unknown) => void): void {
  for (const [name, content] of Object.entries(value as ByPath<unknown>)) {
    const path = join(folder, name)
    mkdirSync(dirname(path), { recursive: true })
    act(path, content)
  }
}

/** Runs a git command that may make commits: each one a minute after the last. */
function gitAt(building: Building, args: readonly string[], accept: readonly number[] = []): void {
  const date = `${String(FIRST_COMMIT_S + 60 * building.commits++)} +0000`
  git(building.folder, args, { accept, env: { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date } })
}
