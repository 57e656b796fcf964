import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { install, installText, PROGRAM, stop, transcriptOf } from '../../helpers/contract-world.ts'
import { EXAMPLE_CONTRACT, REPORT, story, type Story } from '../../helpers/contract-story.ts'
import { test, type World } from '../../helpers/world.ts'

const start = () => story().prompts('The login fails.').loads('investigate')
const unmet = () => start().edits('src/auth.ts').says('Fixed.')
const met = () => start().edits().bash('bun test').says(REPORT)
const waived = () => unmet().bash(`'${PROGRAM}' waive repro-after-fix --reason "docs only"`).says(REPORT)

const contract = (world: World, ...args: string[]) => world.program('gstack-skill-contract', ...args)
const check = (world: World, told: Story | string, ...args: string[]) =>
  contract(world, 'check', '--transcript', transcriptOf(world, told), '--skill', 'investigate', ...args)
const json = (ran: { stdout: string }) => JSON.parse(ran.stdout) as Record<string, unknown>

describe('check', () => {
  test('a met run exits 0 and lists its items', async ({ world }) => {
    install(world, 'investigate')

    const ran = await check(world, met())

    expect(ran).toMatchObject({ exitCode: 0, stderr: '' })
    expect(ran.stdout).toBe(`SKILL_CONTRACT_MET investigate (contract v1)
  met      debug-report     DEBUG REPORT has all its labels
  met      repro-after-fix  ran after the last edit: bun test
`)
  })

  test('an unmet run exits 1 and starts with the line of the block', async ({ world }) => {
    install(world, 'investigate')
    const block = await stop(world, unmet())

    const ran = await check(world, unmet())

    expect(ran.exitCode).toBe(1)
    expect(ran.stdout.split('\n')[0]).toBe(block.reason)
    expect(ran.stdout).toContain('  missing  repro-after-fix  no test or repro ran after the last edit\n')
  })

  test('a waived item is shown and does not fail', async ({ world }) => {
    install(world, 'investigate')

    const ran = await check(world, waived())

    expect(ran.exitCode).toBe(0)
    expect(ran.stdout).toContain('  waived   repro-after-fix')
  })

  test('--json says the same', async ({ world }) => {
    const skillFile = install(world, 'investigate')

    const ran = await check(world, unmet(), '--json')

    expect(ran.exitCode).toBe(1)
    expect(json(ran)).toMatchObject({
      code: 'SKILL_CONTRACT_UNMET',
      exit: 1,
      skill: 'investigate',
      contract_version: 1,
      skill_file: skillFile,
      items: [
        { id: 'debug-report', kind: 'report_labels', state: 'missing' },
        { id: 'repro-after-fix', kind: 'check_after_last_edit', state: 'missing' },
      ],
      missing: ['debug-report', 'repro-after-fix'],
    })
  })

  test('--skill-file takes the contract from there, --skill may carry a prefix', async ({ world }) => {
    const file = join(world.folder, 'SKILL.md')
    writeFileSync(file, `---\ncontract: ${JSON.stringify(EXAMPLE_CONTRACT)}\n---\n`)
    const transcript = transcriptOf(world, met())

    const ran = await contract(
      world,
      'check',
      '--transcript',
      transcript,
      '--skill',
      '/gstack-investigate',
      '--skill-file',
      file,
    )

    expect(ran.exitCode).toBe(0)
  })

  test('records nothing', async ({ world }) => {
    install(world, 'investigate')
    await check(world, unmet())

    const ran = await contract(world, 'report', '--json')

    expect(json(ran)).toMatchObject({ sessions: 0, runs: [] })
  })

  test.for([
    ['no transcript', ['check', '--skill', 'investigate']],
    ['no skill', ['check', '--transcript', 'x.jsonl']],
    ['an unknown option', ['check', '--transcript', 'x', '--skill', 'y', '--strict']],
    ['an option without its value', ['check', '--transcript', 'x', '--skill']],
    ['no command', []],
    ['an unknown command', ['fulfil']],
  ] as const)('%s exits 2', async ([, args], { world }) => {
    const ran = await contract(world, ...args)

    expect(ran).toMatchObject({ exitCode: 2, stdout: '' })
    expect(ran.stderr).toContain('SKILL_CONTRACT_USAGE')
  })

  test('a missing, a huge or no transcript exits 3', async ({ world }) => {
    install(world, 'investigate')

    const ran = await contract(world, 'check', '--transcript', '/nowhere.jsonl', '--skill', 'investigate')

    expect(ran).toMatchObject({ exitCode: 3, stdout: '' })
    expect(ran.stderr).toMatch(
      /^SKILL_CONTRACT_STATE_ERROR investigate: \/nowhere\.jsonl: the transcript is missing\n/,
    )
    expect((await check(world, 'x'.repeat(32 * 1024 * 1024 + 1))).exitCode).toBe(3)
    expect((await contract(world, 'check', '--transcript', '/', '--skill', 'investigate')).exitCode).toBe(3)
  })

  test.for(['', 'hello\n', '{"type":"system"}\n', '{"type":"assistant","message":{"content":7}}\n'])(
    'what is no transcript of Claude Code exits 4: %j',
    async (text, { world }) => {
      install(world, 'investigate')

      const ran = await check(world, text)

      expect(ran.exitCode).toBe(4)
      expect(ran.stderr).toMatch(/^SKILL_CONTRACT_UNKNOWN_SHAPE investigate: /)
    },
  )

  test.for([
    ['no such skill', undefined, 'no installed skill has that name'],
    ['no contract', '---\nname: investigate\n---\n', 'SKILL.md: declares no contract'],
    ['no frontmatter', '# /investigate\n', 'SKILL.md: declares no contract'],
    [
      'another version',
      '---\ncontract: { version: 2, items: [] }\n---\n',
      'contract.version: 2 is not supported',
    ],
    [
      'an unknown kind',
      '---\ncontract:\n  version: 1\n  items:\n    - { id: a, kind: b }\n---\n',
      'contract.items[0].kind: unknown kind "b"',
    ],
    ['tabs in its YAML', '---\ncontract:\n\tversion: 1\n---\n', 'SKILL.md: '],
    ['a key twice', '---\nname: a\nname: b\n---\n', 'SKILL.md: '],
    ['no closing line', '---\nname: investigate\n', 'no closing ---'],
    [
      'an alias bomb',
      `---\na0: &a0 [x, x]\n${Array.from({ length: 20 }, (_, n) => `a${n + 1}: &a${n + 1} [*a${n}, *a${n}, *a${n}]`).join('\n')}\ncontract: *a20\n---\n`,
      'SKILL.md: ',
    ],
    ['10 MB', `---\nname: x\n---\n${'x'.repeat(10_000_000)}`, 'over 1 MiB'],
  ] as const)('a skill with %s exits 5 and names the problem', async ([, text, problem], { world }) => {
    rmSync(join(world.configDir, 'skills', 'investigate'), { recursive: true })
    if (text !== undefined) installText(world, 'investigate', text)

    const ran = await check(world, met())

    expect(ran).toMatchObject({ exitCode: 5, stdout: '' })
    expect(ran.stderr).toMatch(/^SKILL_CONTRACT_NO_CONTRACT investigate: /)
    expect(ran.stderr).toContain(problem)
  })

  test.for([
    ['a byte order mark', `\ufeff---\ncontract: ${JSON.stringify(EXAMPLE_CONTRACT)}\n---\n`],
    ['CRLF', `---\r\ndescription: Use when: x\r\ncontract: ${JSON.stringify(EXAMPLE_CONTRACT)}\r\n---\r\n`],
    ['an anchor', `---\nx: &c ${JSON.stringify(EXAMPLE_CONTRACT)}\ncontract: *c\n---\n`],
    [
      'a block scalar with dashes',
      `---\nnote: |\n  a\n  ---\n  b\ncontract: ${JSON.stringify(EXAMPLE_CONTRACT)}\n---\n`,
    ],
  ] as const)('a frontmatter with %s is read', async ([, text], { world }) => {
    installText(world, 'investigate', text)

    expect((await check(world, met())).exitCode).toBe(0)
  })

  test('a SKILL.md that is a device hides no other skill', async ({ world }) => {
    install(world, 'investigate')
    mkdirSync(join(world.configDir, 'skills', 'device'), { recursive: true })
    symlinkSync('/dev/zero', join(world.configDir, 'skills', 'device', 'SKILL.md'))

    expect((await check(world, met())).exitCode).toBe(0)
  })

  test('a transcript that never loads the skill exits 6', async ({ world }) => {
    install(world, 'investigate')

    const ran = await check(world, story().prompts('Hi').says('Hello.'))

    expect(ran.exitCode).toBe(6)
    expect(ran.stderr).toMatch(/^SKILL_CONTRACT_NOT_LOADED investigate: /)
  })
})
