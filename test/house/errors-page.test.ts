/** `docs/errors.md` is the code's table; `npm run docs` writes it anew. */

import { expect, test } from 'vitest'
import { ERROR_CODES, type ErrorCode } from '../../src/core/errors.ts'
import { PACKAGE } from '../helpers/world.ts'

const section = ([code, { cause, fix, exit }]: [string, ErrorCode]) =>
  [`## ${code}`, cause, `**What to do:** ${fix}`, exitOf(exit)].join('\n\n')

const exitOf = (exit: number) =>
  exit === 0 ? 'A hook that meets it exits with 0: the call or stop goes through.' : `Exit code ${exit}.`

test('docs/errors.md lists every code with its cause, what to do, and its exit code', async () => {
  const page = [
    '# Errors',
    'Every code that a hook or command of this project ends with. This page is generated from `src/core/errors.ts`.',
    ...Object.entries(ERROR_CODES).map(section),
  ].join('\n\n')

  await expect(`${page}\n`).toMatchFileSnapshot(`${PACKAGE}docs/errors.md`)
})
