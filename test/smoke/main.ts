/**
 * `npm run smoke`: the real client, with our hooks, against a scripted model on loopback.
 *
 * Nothing of a person's own configuration is read by the client or the hooks: every session runs with an environment
 * and a HOME of its own. The scenarios stand in the files that `SCENARIOS` names.
 */

import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ceoReviewScenarios } from './ceo-review.ts'
import { startChecks, type Checks } from './checks.ts'
import { CLAUDE_CODE_VERSION, fetchClient } from './client.ts'
import { contractScenarios } from './contract.ts'
import { investigateScenarios } from './investigate.ts'
import { pluginScenarios } from './plugin.ts'
import { sharedTreeScenarios } from './shared-tree.ts'
import { playScenario } from './stage.ts'

const SCENARIOS = [
  ...investigateScenarios,
  ...sharedTreeScenarios,
  ...ceoReviewScenarios,
  ...contractScenarios,
  ...pluginScenarios,
]

const HELP = `npm run smoke -- [options]

Runs the real Claude Code client with our hooks against a scripted model on loopback. Nothing is spent.

  --version X     fetch this version in place of ${CLAUDE_CODE_VERSION}
  --claude PATH   run this client and fetch none
  --only TEXT     play the scenarios whose name holds the text
  --keep          leave the folder of the worlds, and name it
  --help          show this text

GSTACK_SMOKE=skip passes without running anything.
`

const OPTIONS = {
  version: { type: 'string', default: CLAUDE_CODE_VERSION },
  claude: { type: 'string' },
  only: { type: 'string', default: '' },
  keep: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const

/** @returns the exit code: 1 when a check failed or nothing could be checked */
export async function main(
  args: string[],
  env: Readonly<Record<string, string | undefined>>,
  packageRoot: string,
): Promise<number> {
  const options = parseOptions(args)
  if (typeof options === 'string' || options.help) {
    console.log(typeof options === 'string' ? `${options}\n\n${HELP}` : HELP)
    return typeof options === 'string' ? 1 : 0
  }
  const checks = startChecks((line) => {
    console.log(line)
  })
  if (env['GSTACK_SMOKE'] === 'skip') {
    console.log('skipped, as GSTACK_SMOKE says')
    return checks.tally().failed
  }

  const folder = mkdtempSync(join(tmpdir(), 'gstack-smoke-'))
  try {
    const program = getClient(options, folder, checks)
    if (program === undefined) return 1
    const chosen = SCENARIOS.filter(({ name }) => name.includes(options.only))
    if (chosen.length === 0) checks.fail('there is a scenario to play', `none is named like ${options.only}`)
    for (const scenario of chosen) await playScenario(scenario, { program, packageRoot, folder, checks })
  } finally {
    if (options.keep) console.log(`kept ${folder}`)
    else rmSync(folder, { recursive: true, force: true })
  }
  return checks.tally().failed === 0 ? 0 : 1
}

/** @returns what is wrong with the arguments, as a sentence, when something is */
function parseOptions(args: string[]): ReturnType<typeof parse> | string {
  try {
    return parse(args)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

const parse = (args: string[]) => parseArgs({ args, options: OPTIONS }).values

function getClient(
  { version, claude }: { version: string; claude?: string | undefined },
  folder: string,
  checks: Checks,
): string | undefined {
  try {
    const program = claude ?? fetchClient(version, join(folder, 'client'))
    const told = execFileSync(program, ['--version'], { env: { HOME: folder, PATH: '/usr/bin:/bin' } })
    console.log(`client ${told.toString().trim()}`)
    return program
  } catch (error) {
    checks.fail('there is a client to run', error instanceof Error ? error.message : String(error))
    checks.tally()
    return undefined
  }
}
