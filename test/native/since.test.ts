/** Our walk of commits against `git rev-list`, on histories at random. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { asOid, type Oid } from '../../src/core/ids.ts'
import { native } from '../../src/native/binding.ts'
import { openGit } from './git.ts'
import { makeTree, type Tree } from './tree.ts'

const COMMITS = 40

interface History {
  readonly tree: Tree
  readonly ids: readonly Oid[]
}

/** Each commit has one or two of the older ones as parents; some have the same second, some clocks are wrong by hours. */
function makeHistory(random: readonly number[]): History {
  const tree = makeTree()
  const number = (at: number): number => random[at % random.length] ?? 0
  const ids: Oid[] = []
  for (let at = 0; at < COMMITS; at++) {
    const parents = [ids[at - 1 - (number(at) % 5)], number(at) % 3 === 0 ? ids[number(at) % at] : undefined]
    const seconds = 1_700_000_000 + 60 * Math.floor(at / 3) - (number(at) % 7 === 0 ? 20_000 : 0)
    const named = [...new Set(parents.filter((id) => id !== undefined))]
    const identity = ['-c', `user.name=Dev ${String(number(at) % 4)}`]
    const args = [
      ...identity,
      'commit-tree',
      '-m',
      String(at),
      ...named.flatMap((id) => ['-p', id]),
      EMPTY_TREE,
    ]
    ids.push(asOid(tree.gitBytes(args, { dateS: seconds }).toString().trim()))
  }
  return { tree, ids }
}

const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'

const random = fc.array(fc.nat(1_000), { minLength: 20, maxLength: 20 })
const chosen = fc.array(fc.nat(COMMITS - 1), { maxLength: 6 })

const listed = (text: string): string[] => text.split('\n').filter((line) => line !== '')

describe('commits since', () => {
  test('are those that git rev-list names, children before parents', () => {
    fc.assert(
      fc.property(
        random,
        fc.array(fc.tuple(chosen, chosen), { minLength: 8, maxLength: 8 }),
        (numbers, asked) => {
          const { tree, ids } = makeHistory(numbers)
          const git = openGit(tree)
          tree.git('hash-object', '-t', 'tree', '-w', '--stdin')
          for (const [some, others] of asked) {
            const [tips, hidden] = [some, others].map((list) => list.flatMap((at) => ids[at] ?? []))
            if (tips === undefined || hidden === undefined || tips.length === 0) continue

            const found = native().commitsSince(git, { tips, hidden, most: COMMITS })

            // Apart, since git itself may be led astray by wrong clocks.
            const reached = (from: readonly Oid[]) =>
              from.length === 0 ? [] : listed(tree.git('rev-list', ...from))
            const left = new Set(reached(hidden))
            const expected = reached(tips).filter((id) => !left.has(id))
            expect([...found].sort()).toEqual(expected.sort())
            for (const [at, id] of found.entries())
              for (const parent of listed(tree.git('rev-parse', `${id}^@`)))
                expect(found.slice(0, at)).not.toContain(parent)
          }
        },
      ),
      { numRuns: 3, endOnFailure: true },
    )
  })

  test('leave out what is not there, and need their tips', () => {
    const { tree, ids } = makeHistory(Array.from({ length: 20 }, (_, at) => at * 37))
    const git = openGit(tree)
    const [first = asOid(''), second = asOid('')] = ids
    const gone = asOid('1234567890123456789012345678901234567890')

    const search = { tips: [second], hidden: [gone, first], most: COMMITS }

    expect(native().commitsSince(git, search)).toEqual([second])
    expect(() => native().commitsSince(git, { ...search, tips: [gone] })).toThrow('git_odb_read')
  })
})
