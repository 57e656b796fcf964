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
  /** Ids that `git rev-list` prints; names in its arguments may be those of refs only. */
  revisions(...args: string[]): readonly string[]
}

export function createAsked(repo: Repo): Asked {
  const answers = new Map<string, string>()
  const ask = (key: string, answer: () => string): string => {
    const known = answers.get(key) ?? answer()
    answers.set(key, known)
    return known
  }
  return {
    index: () => ask(readFileSync(repo.path('.git/index'), 'latin1'), () => repo.index()),
    revisions: (...args) =>
      ask([...args, refFiles(repo)].join('\n'), () => repo.git('rev-list', ...args))
        .split('\n')
        .filter((line) => line !== ''),
  }
}

/** Refs and reflogs as they are in their files. */
const refFiles = (repo: Repo): string =>
  JSON.stringify([
    ...['.git/HEAD', '.git/packed-refs'].map((name) => stateOf(repo.path(name))),
    ...['.git/refs', '.git/logs'].map((name) => readWorkTree(repo.path(name))),
  ])
