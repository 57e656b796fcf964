/** `docs/errors.md` is the code's table; `npm run docs` writes it anew. */

import { format, resolveConfig } from 'prettier'
import { expect, test } from 'vitest'
import { exitCodesOf } from '../../src/cli/exit-codes.ts'
import { PROGRAMS } from '../../src/cli/program.ts'
import { ERROR_CODES, type ErrorCode } from '../../src/core/errors.ts'
import { PACKAGE } from '../helpers/world.ts'

const section = ([code, { cause, fix, exit }]: [string, ErrorCode]) =>
  [`## ${code}`, cause, `**What to do:** ${fix}`, exitOf(exit)].join('\n\n')

const exitOf = (exit: number) =>
  exit === 0 ? 'A hook that meets it exits with 0: the call or stop goes through.' : `Exit code ${exit}.`

const exitRows = Object.values(PROGRAMS).flatMap((program) =>
  program.commands.flatMap((command) => {
    const line = [program.name, command.name].filter(Boolean).join(' ')
    return exitCodesOf(program, command).map(
      ([code, meaning], at) => `| ${at === 0 ? `\`${line}\`` : ''} | ${String(code)} | ${meaning} |`,
    )
  }),
)

const exitTable = ['| Command | Exit code | Means |', '| --- | --- | --- |', ...exitRows].join('\n')

test('docs/errors.md lists every code with its cause and what to do, and every exit code of every command', async () => {
  const page = [
    '# Errors',
    'Every code that a hook or command of this project ends with, then every [exit code](#exit-codes). This page is generated from `src/core/errors.ts` and `src/cli/program.ts`.',
    ...Object.entries(ERROR_CODES).map(section),
    '## Exit codes',
    'Of every command; its `--help` says the same. `gstack-hook`, the hooks themselves, always exits with 0.',
    exitTable,
  ].join('\n\n')

  const written = await format(page, { ...(await resolveConfig(PACKAGE)), parser: 'markdown' })
  await expect(written).toMatchFileSnapshot(`${PACKAGE}docs/errors.md`)
})
