/**
 * Answers of git that can only change when certain files do: a sequence asks the same a dozen times in a row, and a
 * process costs more than reading these files.
 */
import { readFileSync } from 'node:fs'
import { readWorkTree, stateOf } from '../../helpers/file-states.ts'
import type { Repo } from '../../helpers/repo.ts'

export interface Asked {
  /** As {@link Repo.index} has it. */
  index(): string
  history(): History
}

/** Commits in reach of a ref, a log or HEAD, by id. */
export type History = ReadonlyMap<string, Commit>

interface Commit {
  readonly parents: readonly string[]
  /** Full names of the refs that stand here, `HEAD` among them. */
  readonly refs: readonly string[]
  readonly message: string
}

export function createAsked(repo: Repo): Asked {
  const answers = new Map<string, unknown>()
  const ask = <Answer>(key: string, answer: () => Answer): Answer => {
    if (!answers.has(key)) answers.set(key, answer())
    return answers.get(key) as Answer
  }
  return {
    index: () => ask(readFileSync(repo.path('.git/index'), 'latin1'), () => repo.index()),
    history: () => ask(refFiles(repo), () => readHistory(repo)),
  }
}

/** The commits at refs whose names match, and everything below them. */
export const commitsBelow = (history: History, pattern: RegExp): ReadonlySet<string> =>
  ancestors(
    history,
    [...history].flatMap(([id, { refs }]) => (refs.some((name) => pattern.test(name)) ? [id] : [])),
  )

/** The commits themselves among them. */
export function ancestors(history: History, tips: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>()
  const visit = (ids: readonly string[]): void => {
    for (const id of ids) {
      if (found.has(id)) continue
      found.add(id)
      visit(history.get(id)?.parents ?? [])
    }
  }
  visit(tips)
  return found
}

function readHistory(repo: Repo): History {
  const format = '--format=%H%x01%P%x01%D%x01%B%x02'
  const commits = repo.git('log', '--all', '--reflog', '--decorate=full', format, 'HEAD').split('\x02')
  return new Map(
    commits.slice(0, -1).map((text) => {
      const [id = '', parents = '', refs = '', message = ''] = text.trim().split('\x01')
      return [id, { parents: wordsOf(parents), refs: wordsOf(refs.replace(/,| ->|tag:/g, '')), message }]
    }),
  )
}

const wordsOf = (text: string): string[] => text.split(' ').filter((word) => word !== '')

/** Refs and reflogs as they are in their files. */
const refFiles = (repo: Repo): string =>
  JSON.stringify([
    ...['.git/HEAD', '.git/packed-refs'].map((name) => stateOf(repo.path(name))),
    ...['.git/refs', '.git/logs'].map((name) => readWorkTree(repo.path(name))),
  ])
