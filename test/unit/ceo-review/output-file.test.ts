import { describe, expect, test } from 'vitest'
import { chooseTarget, isInSkillsDir, type RunFiles } from '../../../src/policy/ceo-review/output-file.ts'

const files = (part: Partial<RunFiles>): RunFiles => ({ named: undefined, written: [], read: [], ...part })
const always = () => true

describe('a block asks for', () => {
  test.each([
    ['the named file', files({ named: '/r/out.txt', written: ['/r/a.md'] }), '/r/out.txt'],
    [
      'the last Markdown file written',
      files({ written: ['/r/a.md', '/r/b.MD', '/r/c.ts'], read: ['/r/plan.md'] }),
      '/r/b.MD',
    ],
    ['the last plan read', files({ read: ['/r/plan.md', '/r/notes.md'] }), '/r/plan.md'],
    [
      'a page among plans',
      files({ read: ['/h/.claude/plans/shop.md', '/r/notes.md'] }),
      '/h/.claude/plans/shop.md',
    ],
    ['the last page read without a plan', files({ read: ['/r/a.md', '/r/b.md', '/r/README.md'] }), '/r/b.md'],
    ['a new file otherwise', files({ read: ['/r/CLAUDE.md', '/r/TODOS.md'] }), '/s/new.md'],
  ])('%s', (_, from, target) => {
    expect(chooseTarget(from, always, '/s/new.md')).toBe(target)
  })

  test('nothing that cannot hold findings', () => {
    const from = files({ named: '/r/out', written: ['/r/a.md', '/r/b.md'], read: ['/r/plan.md'] })

    expect(chooseTarget(from, (file) => file === '/r/a.md', '/s/new.md')).toBe('/r/a.md')
    expect(chooseTarget(from, () => false, '/s/new.md')).toBe('/s/new.md')
  })
})

describe('a skills directory', () => {
  const roots = ['/home/you/skills/shop', '/home/you/.gstack/projects']

  test.each([
    ['/home/you/skills/shop/skills/review/SKILL.md', true],
    ['/home/you/skills/shop/.claude/skills/x.md', true],
    ['/home/you/.claude/skills/gstack/plan-ceo-review/sections/risks.md', true],
    ['/home/you/skills/other/plan.md', true],
    ['/home/you/skills/shop/plan.md', false],
    ['/home/you/skills/shop/docs/skills.md', false],
    ['/home/you/skills/shop/my-skills/plan.md', false],
    ['/home/you/.gstack/projects/shop/ceo-plans/plan.md', false],
    ['/home/you/plan.md', false],
  ])('%s: %s', (file, expected) => {
    expect(isInSkillsDir(file, roots)).toBe(expected)
  })
})
