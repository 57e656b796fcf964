import { describe, expect } from 'vitest'
import { PROGRAMS } from '../../src/cli/program.ts'
import { test } from '../helpers/world.ts'

describe('every program', () => {
  const names = Object.keys(PROGRAMS)

  test.for(names)('%s shows its help', async (name, { world }) => {
    const ran = await world.program(name, '--help')

    expect(ran).toMatchObject({ exitCode: 0, stderr: '' })
    expect(ran.stdout).toContain(`Usage:\n  ${name}`)
  })

  test.for(names)('%s shows its version', async (name, { world }) => {
    const ran = await world.program(name, '--version')

    expect(ran).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/^gstack-[a-z-]+ \d+\.\d+\.\d+\n$/),
    })
  })
})

test('help of a command lists its options and examples', async ({ world }) => {
  const ran = await world.program('gstack-skill-gates', 'report', '--help')

  expect(ran.exitCode).toBe(0)
  expect(ran.stdout).toContain('--expect <word>')
  expect(ran.stdout).toContain('Examples:')
})

describe('a wrong argument of gstack-skill-gates exits with 1 and says what is wrong and where help is', () => {
  const cases: readonly [string, readonly string[], string][] = [
    ['no command', [], 'name a command: settings'],
    ['an unknown command', ['setings'], 'there is no command setings'],
    ['an unknown option', ['report', '--jsn'], 'Unknown option --jsn'],
    ['an option without its value', ['report', '--session'], '--session <id>'],
    ['an argument too many', ['report', 'all'], 'unexpected argument all'],
    ['a word that --expect does not know', ['report', '--expect', 'fired'], '--expect takes the word armed'],
    ['a session id that is a path', ['report', '--session', '../x'], 'no session id: ../x'],
    ['no gate to print settings for', ['settings'], 'name a gate'],
  ]

  test.for(cases)('%s', async ([, args, said], { world }) => {
    const ran = await world.program('gstack-skill-gates', ...args)

    expect(ran).toMatchObject({ exitCode: 1, stdout: '' })
    expect(ran.stderr).toContain('SKILL_GATES_USAGE')
    expect(ran.stderr).toContain(said)
    expect(ran.stderr).toContain('gstack-skill-gates --help')
  })
})

test.for(['gstack-skill-route', 'gstack-skill-contract'])(
  'a wrong option of %s exits with 2',
  async (name, { world }) => {
    const ran = await world.program(name, '--no-such-option')

    expect(ran).toMatchObject({ exitCode: 2, stdout: '' })
    expect(ran.stderr).toMatch(/SKILL_(ROUTE|CONTRACT)_USAGE/)
  },
)

const commands = Object.values(PROGRAMS).flatMap((program) =>
  program.commands.map(
    (command) => [[program.name, command.name].filter(Boolean).join(' '), command] as const,
  ),
)

test.for(commands)(
  '%s has its own help with examples, and says the version',
  async ([line, command], { world }) => {
    const [name = '', ...rest] = line.split(' ')

    const help = await world.program(name, ...rest, '--help')
    const version = await world.program(name, ...rest, '--version')

    expect(help.stdout).toContain(`Examples:\n  ${command.examples?.[0] ?? ''}`)
    expect(command.examples?.[0]).toBeTruthy()
    expect(version).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(`${name} `) })
  },
)
