/** What the documents name is there, and what is there is named: codes, commands, flags, exit codes, files, variables. */

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { PROGRAMS } from '../../src/cli/program.ts'
import { ERROR_CODES } from '../../src/core/errors.ts'
import { MARKER_EVENTS } from '../../src/core/marker.ts'
import { PACKAGE, test } from '../helpers/world.ts'

const read = (file: string) => readFileSync(join(PACKAGE, file), 'utf8')
const filesBelow = (folder: string): string[] =>
  readdirSync(join(PACKAGE, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`)

const pages = ['README.md', 'CONTRIBUTING.md', ...filesBelow('docs').filter((name) => name.endsWith('.md'))]
const pageTexts = pages.map((page) => [page, read(page)] as const)
const allPages = pageTexts.map(([, text]) => text).join('\n')
const sources = [...filesBelow('src'), ...filesBelow('test'), ...filesBelow('bin'), 'setup', 'build.mjs']
  .filter((name) => /\.(ts|mjs|sh)$|^setup$|^bin\//.test(name))
  .map(read)
  .join('\n')

/** Code spans and blocks, where names stand. */
const codeOf = (text: string): string[] =>
  [...text.matchAll(/```[a-z]*\n([\s\S]*?)```|`([^`\n]+)`/g)].flatMap(([, block, span]) =>
    (block ?? span ?? '').split('\n'),
  )

const unique = (words: Iterable<string>): string[] => [...new Set(words)].sort()
const namesIn = (text: string, name: RegExp): string[] =>
  unique([...text.matchAll(name)].map(([found]) => found))

describe('codes', () => {
  test('every code that a page names is in the table', () => {
    const named = namesIn(
      allPages,
      /\b(GATE|SKILL_GATES|SKILL_ROUTE|SKILL_CONTRACT|CONFIG|SETUP)_[A-Z_]*[A-Z]\b/g,
    )

    /** An answer of `check`, and no error. */
    expect(named.filter((code) => !Object.hasOwn(ERROR_CODES, code))).toEqual(['SKILL_CONTRACT_MET'])
  })

  test('a table of exit codes says what the code says', () => {
    const rows = pageTexts
      .flatMap(([page, text]) =>
        [...text.matchAll(/^\| (\d) +\|[^|]*?((?:GATE|SKILL)_[A-Z_]*[A-Z])\b/gm)].map(
          ([, exit, code = '']) => ({
            page,
            code,
            exit: Number(exit),
          }),
        ),
      )
      .filter(({ code }) => Object.hasOwn(ERROR_CODES, code))

    expect(rows.length).toBeGreaterThan(2)
    expect(
      rows.filter(({ code, exit }) => ERROR_CODES[code as keyof typeof ERROR_CODES].exit !== exit),
    ).toEqual([])
  })

  test('every event of a marker has its row', () => {
    const page = read('docs/skill-gates.md')

    expect(MARKER_EVENTS.filter((event) => !page.includes(`| \`${event}\``))).toEqual([])
  })
})

describe('commands', () => {
  const flagsOf = (text: string) =>
    [...text.matchAll(/(?<![\w-])--(?:no-)?[a-z][a-z-]*/g)].map(([flag]) => flag)
  const common = ['--help', '--version']
  /** With both forms where a page writes `--[no-]x`. */
  const allFlags = `${allPages}\n${allPages.replaceAll('--[no-]', '--no-')}`
  const known = Object.values(PROGRAMS).flatMap(({ name, commands }) =>
    commands.map((command) => ({
      name,
      command: command.name,
      flags: (command.options ?? []).flatMap(({ flag }) => flagsOf(flag)),
    })),
  )
  const calls = pageTexts.flatMap(([page, text]) =>
    codeOf(text).flatMap((line) => {
      const [, program, command = ''] =
        /(?:^|[\s/(])(gstack-(?:skill-gates|skill-route|skill-contract|config|slug|session-kind))(?: ([a-z-]+))?/.exec(
          line,
        ) ?? []
      return program === undefined ? [] : [{ page, line, program, command }]
    }),
  )

  test('every command that a page names exists, with the flags that stand behind it', () => {
    const wrong = calls.filter(({ line, program, command }) => {
      const rows = known.filter(({ name }) => name === program)
      const row = rows.find((each) => each.command === command) ?? rows.find((each) => each.command === '')
      if (row === undefined) return command !== ''
      const own = line.slice(line.indexOf(program)).split(/[|;&]/)[0] ?? ''
      return flagsOf(own).some((flag) => ![...row.flags, ...common].includes(flag))
    })

    expect(calls.length).toBeGreaterThan(20)
    expect(wrong.map(({ page, line }) => `${page}: ${line}`)).toEqual([])
  })

  test('every command and every flag is named by a page', () => {
    const missing = known.flatMap(({ name, command, flags }) => [
      ...(allPages.includes([name, command].filter(Boolean).join(' ')) ? [] : [`${name} ${command}`]),
      ...flags.filter((flag) => !allFlags.includes(flag)).map((flag) => `${name} ${command} ${flag}`),
    ])

    expect(missing).toEqual([])
  })

  test('every flag of ./setup is named by a page', async ({ world }) => {
    const { stdout } = await world.run(join(PACKAGE, 'setup'), ['--help'])
    const missing = flagsOf(stdout.replaceAll('--[no-]', '--')).filter((flag) => !allFlags.includes(flag))

    expect(missing).toEqual([])
  })
})

describe('files and variables', () => {
  test('every file of ours that a page names is there', () => {
    const named = pageTexts.flatMap(([page, text]) =>
      codeOf(text).flatMap((line) =>
        [...line.matchAll(/(?:^|\s)((?:src|test|native|bin|docs)\/[\w./-]*\w)(?=[\s:,]|$)/g)].map(
          ([, file = '']) => ({ page, file }),
        ),
      ),
    )
    /** Files of the repositories in examples. */
    const examples = /^src\/(total|cart|auth|app)\b|^test\/$/

    expect(named.length).toBeGreaterThan(10)
    expect(
      named.filter(
        ({ file }) =>
          !examples.test(file) &&
          !existsSync(join(PACKAGE, file)) &&
          !existsSync(join(PACKAGE, `${file}.ts`)),
      ),
    ).toEqual([])
  })

  test('every variable that a page names is read somewhere', () => {
    const named = namesIn(allPages, /\b(GSTACK|CLAUDE|CONDUCTOR|OPENCLAW)_[A-Z_]*[A-Z]\b/g)

    expect(named.filter((name) => name !== 'GSTACK_GATE' && !sources.includes(name))).toEqual([])
  })

  test('every variable of ours that the code reads is named by a page', () => {
    const read = namesIn(sources, /(?<=['"{]|env\.)GSTACK_[A-Z_]*[A-Z](?=['":}])/g)

    expect(read.length).toBeGreaterThan(10)
    expect(read.filter((name) => !allPages.includes(name))).toEqual([])
  })
})
