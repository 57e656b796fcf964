import { describe, expect, test } from 'vitest'
import { decideRoute } from '../../../src/policy/route/decide.ts'
import type { SkillTriggers } from '../../../src/policy/route/score.ts'

const SKILLS: readonly SkillTriggers[] = [
  { skill: 'other', triggers: ['deploy the app'] },
  { skill: 'ios-fix', triggers: ['fix this ios bug'] },
  {
    skill: 'investigate',
    triggers: ['fix this bug', 'why is this failing', 'debug this', 'root cause analysis'],
  },
  { skill: 'review', triggers: ['review my diff', 'code review'] },
  { skill: 'qa', triggers: ['qa test this', 'find bugs on site', 'test the site'] },
]

const routeOf = (prompt: string, skills = SKILLS) => {
  const { route } = decideRoute(prompt, skills)
  return route.skill ?? route.reason
}

describe('a prompt routes', () => {
  test.each([
    ['this test fails, fix the bug please', 'investigate'],
    ['Fix This Bug!!!', 'investigate'],
    ['fix this bug 🐛 в корзине', 'investigate'],
    ['帮我fix this bug，谢谢', 'investigate'],
    ['ｆｉｘ ｔｈｉｓ ｂｕｇ', 'investigate'],
    ['fix this bug/regression in the cart', 'investigate'],
    ['Can you debug this for me?', 'investigate'],
    ["why's the login page failing?", 'investigate'],
    ['we need the root cause of the outage', 'investigate'],
    ['Please do a code-review of my branch', 'review'],
    ['test our site before the release', 'qa'],
  ])('%s -> %s', (prompt, skill) => {
    expect(routeOf(prompt)).toBe(skill)
  })
})

describe('a prompt does not route', () => {
  test.each([
    ['preview the diff viewer page', 'no-match'],
    ['add a debugger statement', 'no-match'],
    ['assign a reviewer to the diff', 'no-match'],
    ['deploy the app', 'no-match'],
    ['修复这个错误', 'no-match'],
    ['Почини этот баг', 'no-match'],
    ['run eslint --fix, there are errors', 'no-match'],
    ['open src/code/review.ts', 'no-match'],
    ['rename `debug` to `trace`', 'no-match'],
    ['rename fix_this_bug to done', 'no-match'],
    ['format this:\n```\nfix this bug\n```\n', 'no-match'],
    ['move a/test/site to a/test/web', 'no-match'],
    ['turn on debug logging', 'no-match'],
    ['fix the wording of the error message', 'no-match'],
    ['the build must fail when a link is broken; fix the version', 'no-match'],
    ['format this:\n```\nfix this bug\n', 'no-match'],
    ['/review my diff', 'slash'],
    ['<task-notification>\n<summary>fix this bug</summary>', 'task-notification'],
    ['', 'empty'],
    [' \n\u200b ', 'empty'],
    ['🐛🐛', 'empty'],
  ])('%j: %s', (prompt, reason) => {
    expect(routeOf(prompt)).toBe(reason)
  })

  test('over 8,000 characters, counted as people count them', () => {
    const longest = `fix this bug ${'🐛'.repeat(8_000 - 13)}`

    expect(routeOf(longest)).toBe('investigate')
    expect(routeOf(`${longest}x`)).toBe('too-long')
  })

  test('without an installed skill', () => {
    expect(routeOf('fix this bug', [])).toBe('no-match')
  })
})

test('candidates are all skills that reach the threshold, the best first', () => {
  expect(decideRoute('this test fails, fix it', SKILLS).candidates).toEqual([
    { skill: 'investigate', score: 1, trigger: 'fix this bug', words: 2 },
    { skill: 'ios-fix', score: 2 / 3, trigger: 'fix this ios bug', words: 2 },
  ])
})

test('a skill that is not routed takes no prompt away', () => {
  expect(routeOf('deploy the app and fix the ios bug')).toBe('investigate')
})

test('a prefixed skill routes under its own name', () => {
  expect(routeOf('fix this bug', [{ skill: 'gstack-investigate', triggers: ['fix this bug'] }])).toBe(
    'gstack-investigate',
  )
})

test('the order of the skills changes nothing', () => {
  const prompt = 'code review: fix this bug, test the site'

  expect(decideRoute(prompt, SKILLS.toReversed())).toEqual(decideRoute(prompt, SKILLS))
})

describe('a trigger with one content word', () => {
  const routes = (trigger: string, prompt: string) =>
    routeOf(prompt, [{ skill: 'qa', triggers: [trigger] }]) === 'qa'

  test('counts by its stem when it has five letters', () => {
    expect(routes('verify this', 'I am verifying the numbers')).toBe(true)
  })

  test('needs its whole phrase when it is shorter', () => {
    expect(routes('test this', 'write a test')).toBe(false)
    expect(routes('test this', 'now test this')).toBe(true)
  })

  test('needs its whole phrase when it is a question word', () => {
    expect(routes('where is it', 'where do I log in')).toBe(false)
    expect(routes('where is it', 'where is it?')).toBe(true)
  })

  test('knows no other failure words', () => {
    expect(routes('crash', 'there is an error')).toBe(false)
  })
})

describe('a trigger in a script without blanks', () => {
  const skills = [{ skill: 'investigate', triggers: ['修复错误'] }]

  test('counts as a whole phrase', () => {
    expect(routeOf('请帮我修复错误，谢谢', skills)).toBe('investigate')
  })

  test('does not count by single characters', () => {
    expect(routeOf('修改错误的复数', skills)).toBe('no-match')
  })
})

test('words of a trigger count together within 24 words', () => {
  const between = 'word '.repeat(22)

  expect(routeOf(`fix ${between} crash`)).toBe('investigate')
  expect(routeOf(`fix ${between} word crash`)).toBe('no-match')
})

test('a phrase does not run from one sentence into the next', () => {
  expect(routeOf('where is it', [{ skill: 'qa', triggers: ['what is on'] }])).toBe('no-match')
  expect(routeOf('Ask him what. Is on the desk.', [{ skill: 'qa', triggers: ['what is on'] }])).toBe(
    'no-match',
  )
})

test.each([
  'a'.repeat(8_000),
  '`'.repeat(8_000),
  '-'.repeat(8_000),
  '/a'.repeat(4_000),
  'a_'.repeat(4_000),
  'a.'.repeat(4_000),
  '```\n'.repeat(2_000),
  'é'.repeat(8_000),
])('odd text costs no time', (prompt) => {
  const startedMs = performance.now()

  decideRoute(prompt, SKILLS)

  expect(performance.now() - startedMs).toBeLessThan(200)
})
