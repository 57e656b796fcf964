import { readFileSync } from 'node:fs'
import { describe, expect } from 'vitest'
import { test } from '../../helpers/world.ts'
import { armAfter, expectSilent, LINES, type Story } from './story.ts'

const DIRTY = "sed -i '9s/.*/mine/' src/a.js"
const MINE = LINES.replace('9', 'mine')

/** Where the person is told to look, by path. */
async function toldCopies({ session }: Story): Promise<readonly (readonly [path: string, copy: string])[]> {
  const answer = await session.check('PostToolUse')
  expect(answer.decision, answer.stderr).toBeUndefined()
  return [...answer.systemMessage.matchAll(/(\S+) lost .*: (\S+)$/gm)].map(([, path = '', copy = '']) => [
    path,
    copy,
  ])
}

describe('the person is told where uncommitted work is that git threw away', () => {
  test.for([
    ['by checkout', 'git checkout -q -- src/a.js'],
    ['by a hard reset', 'git reset -q --hard top'],
    ['by a stash entry that was dropped', 'git stash push -q; git stash drop -q'],
  ] as const)('%s', async ([, script], { world }) => {
    const story = await armAfter(world, DIRTY)

    story.act(script)
    const copies = await toldCopies(story)

    expect(copies.map(([path, copy]) => [path, readFileSync(copy, 'utf8')])).toEqual([['src/a.js', MINE]])
    await expectSilent(story)
  })

  test('also of what was staged only', async ({ world }) => {
    const story = await armAfter(world, `${DIRTY}; git add src/a.js; git show HEAD:src/a.js > src/a.js`)

    story.act('git reset -q --hard')
    const copies = await toldCopies(story)

    expect(copies.map(([path, copy]) => [path, readFileSync(copy, 'utf8')])).toEqual([['src/a.js', MINE]])
  })

  test('once per path', async ({ world }) => {
    const story = await armAfter(world, DIRTY)
    story.act('cp src/a.js ../mine; git checkout -q -- src/a.js')
    await toldCopies(story)
    story.act('cp ../mine src/a.js')
    await expectSilent(story)

    story.act('git checkout -q -- src/a.js')

    await expectSilent(story)
  })

  test.for([
    ['in a stash entry', 'git stash push -q'],
    ['in a commit', 'git commit -qam mine; git checkout -q top'],
    ['taken along to another branch', 'git checkout -q -m top'],
  ] as const)('but not while git has it: %s', async ([, script], { world }) => {
    const story = await armAfter(world, DIRTY)

    story.act(script)

    await expectSilent(story)
  })
})
