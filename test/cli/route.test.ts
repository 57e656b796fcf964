import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { test, type World } from '../helpers/world.ts'

function install(world: World, name: string, text: string): void {
  const folder = join(world.configDir, 'skills', name)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'SKILL.md'), text)
}

const skill = (...triggers: string[]) =>
  `---\ntriggers:\n${triggers.map((text) => `  - ${text}\n`).join('')}---\nbody\n`
const explain = (world: World, ...args: string[]) => world.program('gstack-skill-route', '--explain', ...args)
const routeOf = async (world: World, prompt: string) => {
  const { stdout } = await explain(world, prompt, '--json')
  return (JSON.parse(stdout) as { route: string | null }).route
}

test('flags may stand between --explain and its prompt', async ({ world }) => {
  install(world, 'investigate', skill('fix this bug'))

  const between = await explain(world, '--json', 'this test fails, fix it')
  const behind = await explain(world, 'this test fails, fix it', '--json')

  expect(between.exitCode, between.stderr).toBe(0)
  expect(between.stdout).toBe(behind.stdout)
})

test('--explain shows the switch, the candidates and the hint', async ({ world }) => {
  install(world, 'investigate', skill('debug this', 'fix this bug'))
  install(world, 'ios-fix', skill('fix this ios bug'))

  const ran = await explain(world, 'this test fails, fix it')

  expect(ran).toMatchObject({ exitCode: 0, stderr: '' })
  expect(ran.stdout.replace(world.configDir, '/home/you/.claude')).toMatchInlineSnapshot(`
    "switch: skill_routing off (default)
    threshold: 0.66
    skills: 3 scanned in /home/you/.claude/skills
    candidates:
      1.00  /investigate  "fix this bug" (2 words)
      0.67  /ios-fix  "fix this ios bug" (2 words)
    route: /investigate
    hint: gstack skill routing (UserPromptSubmit hook; off switch: gstack-config set skill_routing off): this request fits /investigate. Run /investigate with the Skill tool before you start. Tell the user in one sentence that gstack routed this request.
    "
  `)
})

test('--json holds the same', async ({ world }) => {
  install(world, 'investigate', skill('fix this bug'))
  install(world, 'ios-fix', skill('fix this ios bug'))
  world.env['GSTACK_SKILL_ROUTING'] = 'on'

  expect(JSON.parse((await explain(world, 'this test fails, fix it', '--json')).stdout)).toMatchObject({
    switch: { name: 'skill_routing', value: 'on', source: 'environment' },
    threshold: 0.66,
    skills: 3,
    candidates: [
      { score: 1, skill: 'investigate', trigger: 'fix this bug', words: 2 },
      { score: 0.67, skill: 'ios-fix', trigger: 'fix this ios bug', words: 2 },
    ],
    route: 'investigate',
    hint: expect.stringContaining('this request fits /investigate'),
  })
})

test('a prompt that goes nowhere says why', async ({ world }) => {
  expect((await explain(world, '/review')).stdout).toContain(
    '\ncandidates: none\nroute: none (the prompt starts with /)\n',
  )
  expect(JSON.parse((await explain(world, 'hello', '--json')).stdout)).toMatchObject({
    candidates: [],
    route: null,
    reason: 'no-match',
    hint: null,
  })
})

test('--threshold shows another cutoff', async ({ world }) => {
  install(world, 'qa', skill('qa test this'))

  expect((await explain(world, 'write a test', '--threshold', '0.5')).stdout).toContain('route: /qa')
  expect((await explain(world, 'write a test')).stdout).toContain('route: none')
})

test('--default prints a switch’s default', async ({ world }) => {
  expect(await world.program('gstack-skill-route', '--default', 'investigate_gate')).toMatchObject({
    exitCode: 0,
    stdout: 'off\n',
  })
})

for (const args of [
  [],
  ['--default', 'telemetry'],
  ['--explain', 'x', '--threshold', '2'],
  ['--explain', 'x', '--threshold', 'a'],
  ['--explain'],
  ['--bogus'],
  ['x'],
])
  test(`${args.join(' ') || 'no argument'} is a usage error`, async ({ world }) => {
    const ran = await world.program('gstack-skill-route', ...args)

    expect(ran).toMatchObject({ exitCode: 2, stdout: '' })
    expect(ran.stderr).toContain('SKILL_ROUTE_USAGE')
  })

test('a prompt may start with a dash', async ({ world }) => {
  install(world, 'investigate', skill('fix this bug'))

  expect(await routeOf(world, '- fix this bug')).toBe('investigate')
})

test('GSTACK_SKILL_ROUTE_HINT picks the wording', async ({ world }) => {
  install(world, 'investigate', `${skill('fix this bug')}\n## Phase 1: Look first\n`)
  world.env['GSTACK_SKILL_ROUTE_HINT'] = 'step'

  expect((await explain(world, 'fix this bug')).stdout).toContain('Its first step: Look first.')
})

describe('SKILL.md as people write it', () => {
  test('with a byte order mark, CRLF, a colon in prose, dashes in a value', async ({ world }) => {
    install(world, 'investigate', '\ufeff---\nname: investigate\ntriggers:\n  - fix this bug\n---\nbody\n')
    install(world, 'review', '---\r\nname: review\r\ntriggers:\r\n  - review my diff\r\n---\r\nbody\r\n')
    install(
      world,
      'qa',
      '---\nname: qa\ndescription: Use when: the user asks for QA\ntriggers:\n  - test the site\n---\ntext\n\n---\n\ntriggers:\n  - not a trigger\n',
    )
    install(
      world,
      'verify',
      '---\nname: verify\nnote: |\n  a line\n  --- not the end\ntriggers:\n  - verify the change\n---\nbody\n',
    )

    expect(await routeOf(world, 'fix this bug')).toBe('investigate')
    expect(await routeOf(world, 'review my diff')).toBe('review')
    expect(await routeOf(world, 'test the site')).toBe('qa')
    expect(await routeOf(world, 'verify the change')).toBe('verify')
    expect(await routeOf(world, 'not a trigger')).toBeNull()
  })

  test('a broken one is named, and stops no other', async ({ world }) => {
    install(world, 'investigate', skill('fix this bug'))
    install(world, 'broken', '---\nname: broken\n\ttriggers: [x\nno end')
    install(world, 'verify', '---\ntriggers: [verify the change]\ntriggers: [second list]\n---\n')

    const { stdout } = await explain(world, 'fix this bug')

    expect(stdout).toContain('route: /investigate')
    expect(stdout).toMatch(/^broken: \S+\/broken\/SKILL.md: the frontmatter has no closing --- line$/m)
    expect(stdout).toMatch(/^broken: \S+\/verify\/SKILL.md: Map keys must be unique/m)
  })
})

test('the hook itself: payload in, one JSON object out, a line in the log', async ({ world }) => {
  install(world, 'investigate', skill('fix this bug'))
  world.env['GSTACK_SKILL_ROUTING'] = 'on'
  const payload = {
    session_id: 's1',
    transcript_path: '/t',
    cwd: world.home,
    hook_event_name: 'UserPromptSubmit',
  }
  const hook = (prompt: string) =>
    world.run(join(import.meta.dirname, '../../bin/gstack-hook'), ['skill-route'], {
      input: `${JSON.stringify({ ...payload, prompt })}\n`,
    })

  const routed = await hook('this test fails, fix it')
  const silent = await hook('hello')

  expect(JSON.parse(routed.stdout)).toEqual({
    hookSpecificOutput: {
      hookEventName: 'UserPromptSubmit',
      additionalContext: expect.stringContaining('/investigate'),
    },
  })
  expect(silent).toMatchObject({ exitCode: 0, stdout: '', stderr: '' })
  expect(world.log('skill-route').map((line) => line.replace(/^\S+ /, ''))).toEqual([
    'session=s1 event=routed skill=investigate score=1.00',
    'session=s1 event=no-route reason=no-match',
  ])
})

test('--explain writes no log', async ({ world }) => {
  await explain(world, 'fix this bug')

  expect(existsSync(join(world.stateRoot, 'hooks'))).toBe(false)
})

test('what stands in the docs is what the program prints', async ({ world }) => {
  install(world, 'investigate', skill('fix this bug'))
  install(world, 'ios-fix', skill('fix this ios bug'))
  const { stdout } = await explain(world, 'this test fails, fix it')

  const docs = readFileSync(join(import.meta.dirname, '../../docs/skill-routing-and-contracts.md'), 'utf8')
  for (const line of stdout
    .trimEnd()
    .split('\n')
    .filter((text) => !text.startsWith('skills:')))
    expect(docs).toContain(line)
})
