/** Completions as the shells themselves give them. */

import { execFileSync } from 'node:child_process'
import { describe, expect } from 'vitest'
import { PROGRAMS } from '../../src/cli/program.ts'
import { test, type World } from '../helpers/world.ts'

const isThere = (shell: string): boolean => {
  try {
    execFileSync('/bin/sh', ['-c', `command -v ${shell}`], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Puts the script at `$COMPLETIONS` and runs lines of that shell; each printed line is one completion. */
async function complete(world: World, shell: string, lines: string): Promise<string[]> {
  const { stdout: script } = await world.program('gstack-skill-gates', 'completions', shell)
  const args = shell === 'zsh' ? ['-f', '-c', lines] : ['-c', lines]
  const ran = await world.run(shell, args, { env: { ...world.env, COMPLETIONS: script }, cwd: world.home })
  expect(ran.stderr).toBe('')
  return ran.stdout.split('\n').flatMap((line) => line.split('\t')[0] || [])
}

describe.skipIf(!isThere('bash'))('in bash', () => {
  const inBash = (world: World, ...words: string[]) =>
    complete(
      world,
      'bash',
      `eval "$COMPLETIONS"
       COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}) COMP_CWORD=${String(words.length - 1)}
       _${words[0]!.replaceAll('-', '_')} && printf '%s\\n' "\${COMPREPLY[@]}"`,
    )

  test('commands, and the options of the one that is typed', async ({ world }) => {
    expect(await inBash(world, 'gstack-skill-gates', 're')).toContain('report')
    expect(await inBash(world, 'gstack-skill-gates', 'report', '--s')).toEqual(['--session', '--since'])
    expect(await inBash(world, 'gstack-config', '')).toEqual(
      expect.arrayContaining(['get', 'set', 'has', 'list', 'defaults', '--help', '--version']),
    )
    expect(await inBash(world, 'gstack-skill-route', '--e')).toEqual(['--explain'])
  })
})

describe.skipIf(!isThere('zsh'))('in zsh', () => {
  test('the script loads, and each program has its function', async ({ world }) => {
    const lines = `autoload -Uz compinit && compinit -u -d "$HOME/.zcompdump" && eval "$COMPLETIONS"
      for name in ${Object.keys(PROGRAMS).join(' ')}; do print -r -- $_comps[$name]; done
      _describe() { print -rl -- $words_here; }
      words=(gstack-skill-gates report --h) CURRENT=3; _gstack_skill_gates`

    const answers = await complete(world, 'zsh', lines)

    expect(answers.slice(0, 6)).toEqual(Object.keys(PROGRAMS).map((name) => `_${name.replaceAll('-', '_')}`))
    expect(answers.some((line) => line.startsWith('--html:'))).toBe(true)
  })
})

describe.skipIf(!isThere('fish'))('in fish', () => {
  const inFish = (world: World, line: string) =>
    complete(world, 'fish', `echo $COMPLETIONS | source; complete --do-complete '${line}'`)

  test('commands, and the options of the one that is typed', async ({ world }) => {
    expect(await inFish(world, 'gstack-skill-gates rep')).toEqual(['report'])
    expect(await inFish(world, 'gstack-skill-gates report --s')).toEqual(['--session', '--since'])
    expect(await inFish(world, 'gstack-skill-route --e')).toEqual(['--explain'])
  })
})

test('another shell is a usage error', async ({ world }) => {
  const ran = await world.program('gstack-skill-gates', 'completions', 'tcsh')

  expect(ran).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('bash, zsh, fish') })
})
