import { existsSync } from 'node:fs'
import { describe, expect } from 'vitest'
import { test } from '../../helpers/world.ts'
import { armAfter, expectFolded, expectNamed, expectSilent, type Story } from './story.ts'

const LESS = 'git checkout -q -b less; git rm -q src/c.js; git commit -qm less; git checkout -q main'

async function expectAbsentAgain(story: Story, status: string): Promise<void> {
  const answer = await story.session.check('PostToolUse')

  expect(answer.decision, answer.stderr).toBe('block')
  expect(answer.reason).toContain('src/c.js')
  expect(existsSync(story.repo.path('src/c.js'))).toBe(false)
  expect(story.repo.status()).toBe(status)
  await expectSilent(story)
}

describe('a file that the user had deleted', () => {
  const deletions: readonly (readonly [name: string, setup: string, status: string])[] = [
    ['without staging that', 'rm src/c.js', ' D src/c.js'],
    ['and staged that', 'git rm -q src/c.js', 'D  src/c.js'],
  ]
  test.for(deletions)('%s is gated when it comes back', async ([, setup, status], { world }) => {
    const story = await armAfter(world, setup)

    story.act('echo fix > src/c.js')

    await expectAbsentAgain(story, status)
  })

  test.for(deletions)('%s is gated when it comes back staged', async ([, setup, status], { world }) => {
    const story = await armAfter(world, setup)

    story.act('echo fix > src/c.js; git add src/c.js')

    await expectAbsentAgain(story, status)
  })

  test('may be staged as deleted, and stays gated', async ({ world }) => {
    const story = await armAfter(world, 'rm src/c.js')
    await expectFolded(story, 'git add -A')

    story.act('echo fix > src/c.js')

    await expectAbsentAgain(story, 'D  src/c.js')
  })

  test('is gated when a link takes its place after the deletion was committed', async ({ world }) => {
    const story = await armAfter(world, 'rm src/c.js')
    await expectFolded(story, 'git commit -qam deleted')

    story.act('ln -s ../README.md src/c.js; git add -A')

    await expectAbsentAgain(story, '')
  })

  test('is gated when a commit brings it back to a branch of which it was taken', async ({ world }) => {
    const story = await armAfter(world, 'rm src/c.js')
    const main = story.commit('main')
    await expectFolded(story, 'git commit -qa --amend --no-edit')

    story.act('echo fix > src/c.js; git add src/c.js; git commit -qm fix')
    const answer = await story.session.check('PostToolUse')

    expectNamed(story, answer, story.commit('main@{1}'))
    expect(story.commit('main')).toBe(main)
    expect(story.repo.status()).not.toContain('M')
    await expectSilent(story)
  })

  test('is gated on a commit of the session that was let pass below another one', async ({ world }) => {
    const story = await armAfter(world, 'rm src/c.js')
    await expectFolded(story, 'git commit -qam deleted; git commit -q --allow-empty -m empty')

    story.act('git reset -q --hard HEAD~1; echo fix > src/c.js')

    await expectAbsentAgain(story, '')
  })

  test('is gated after a commit on top of one that was let pass below another one', async ({ world }) => {
    const story = await armAfter(world, 'rm src/c.js')
    await expectFolded(story, 'git commit -qam deleted; git commit -q --allow-empty -m empty')

    story.act('git reset -q --hard HEAD~1; git commit -q --allow-empty -m other; echo fix > src/c.js')

    await expectAbsentAgain(story, '')
  })

  test.for([
    ['in a later call', ['git reset -q --soft main', 'echo fix > src/c.js']],
    ['in the same call', ['git reset -q --soft main; echo fix > src/c.js']],
  ] as const)('is gated again where HEAD has it again, %s', async ([, scripts], { world }) => {
    const story = await armAfter(world, LESS)
    await expectFolded(story, 'git checkout -q less')
    for (const script of scripts.slice(0, -1)) await expectFolded(story, script)

    story.act(scripts.at(-1) ?? '')

    await expectAbsentAgain(story, 'D  src/c.js')
  })

  test('is gated on a first commit that was amended twice', async ({ world }) => {
    const story = await armAfter(world, 'git checkout -q v1; git rm -q src/c.js')
    await expectFolded(story, 'git commit -q --amend --no-edit')

    story.act('git commit -q --amend -m again; echo fix > src/c.js')

    await expectAbsentAgain(story, '')
  })

  test('stays away when the amend that brought it back with a fix is undone', async ({ world }) => {
    const story = await armAfter(world, 'git checkout -q topic; git rm -q src/c.js')
    await expectFolded(story, 'git commit -qm deleted')

    story.act('echo fix >> src/b.js; git commit -qa --amend --no-edit; echo fix > src/c.js')

    await expectAbsentAgain(story, 'D  src/c.js')
  })

  test('may come back with its old content, which a fix goes back to', async ({ world }) => {
    const story = await armAfter(world, 'rm src/c.js')
    await expectFolded(story, 'git add -A')
    await expectFolded(story, 'git show HEAD:src/c.js > src/c.js')

    story.act('echo fix >> src/c.js')
    const answer = await story.session.check('PostToolUse')

    expect(answer.reason).toContain('src/c.js')
    expect(story.repo.read('src/c.js')).toBe('c\n')
    await expectSilent(story)
  })

  test('is not gated any more where HEAD has moved to an old commit without it', async ({ world }) => {
    const story = await armAfter(world, `${LESS}; git rm -q src/c.js`)
    await expectFolded(story, 'git checkout -qf less')

    const answer = await story.session.edit('src/c.js', 'new\n', { tool: 'Write' })

    expect(answer.decision).toBeUndefined()
    await expectSilent(story)
  })
})

describe('a file that the user had taken out of the index only', () => {
  test.for([
    ['changed', 'echo fix >> src/c.js'],
    ['deleted', 'rm src/c.js'],
  ] as const)('is put back when it is %s', async ([, script], { world }) => {
    const story = await armAfter(world, 'git rm -q --cached src/c.js')
    const status = story.repo.status()

    story.act(script)
    const answer = await story.session.check('PostToolUse')

    expect(answer.decision, answer.stderr).toBe('block')
    expect(story.repo.read('src/c.js')).toBe('c\n')
    expect(story.repo.status()).toBe(status)
    await expectSilent(story)
  })

  test('is denied to the edit tools', async ({ world }) => {
    const { repo, session } = await armAfter(world, 'git rm -q --cached src/c.js')

    const answer = await session.edit('src/c.js', 'fix\n')

    expect(answer.decision).toBe('deny')
    expect(repo.read('src/c.js')).toBe('c\n')
  })
})

test('an edit tool may not bring back a file that the user had deleted', async ({ world }) => {
  const { session } = await armAfter(world, 'git rm -q src/c.js')

  const answer = await session.edit('src/c.js', 'fix\n', { tool: 'Write' })

  expect(answer.decision).toBe('deny')
})
