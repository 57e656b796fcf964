/** What a scenario is given: a world of its own, sessions that are checked for what holds in all of them, and checks. */

import { join } from 'node:path'
import type { Checks } from './checks.ts'
import { playSession, type Played, type SessionOptions } from './session.ts'
import { createWorld, type World } from './world.ts'

export interface Scenario {
  readonly name: string
  readonly play: (stage: Stage) => Promise<void>
}

export interface Stage {
  readonly world: World
  /** Holds when both are equal in depth. */
  readonly check: (title: string, actual: unknown, expected: unknown) => void
  /** Plays a session and checks what holds in every one. */
  readonly session: (options: SessionOptions) => Promise<Played>
}

/** Plays one scenario; what it throws is a failed check. */
export async function playScenario(
  { name, play }: Scenario,
  where: { program: string; packageRoot: string; folder: string; checks: Checks },
): Promise<void> {
  const { program, packageRoot, checks } = where
  const check: Stage['check'] = (title, actual, expected) =>
    checks.equal(`${name}: ${title}`, actual, expected)
  try {
    const world = createWorld(join(where.folder, name.replaceAll(/\W+/g, '-')), packageRoot)
    const session = async (options: SessionOptions): Promise<Played> => {
      const played = await playSession(program, world, options)
      checkSession(played, options, check)
      return played
    }
    await play({ world, check, session })
  } catch (error) {
    checks.fail(`${name}: it can be played`, String(error instanceof Error ? error.stack : error))
  }
}

function checkSession(played: Played, { script }: SessionOptions, check: Stage['check']): void {
  const { client, seen, requests, strangers, transcript, agents } = played
  const { exitCode, stdout, stderr } = client
  check(
    'the client ends by itself',
    exitCode === 0 && stderr === '' ? 'ended' : { exitCode, stdout, stderr },
    'ended',
  )
  check(
    'the client asks for the turns of the script, and no more',
    mapValues(seen, (turns) => turns.length),
    mapValues({ ...script.agents, main: script.main }, (turns) => turns.length),
  )
  check('the client speaks to nobody else', strangers, [])
  const transcripts = [transcript, ...Object.values(agents)]
  const systemMessages = transcripts.flatMap((one) => one.systemMessages)
  check(
    'no systemMessage reaches a request, nor any marker but blocked',
    [
      ...systemMessages.filter((text) => requests.some((body) => body.includes(inJson(text)))),
      ...requests.flatMap((body) => /GSTACK_GATE [a-z-]+ (?!blocked)[a-z]+/.exec(body)?.[0] ?? []),
    ],
    [],
  )
  check(
    'no hook fails, is killed or prints to stderr',
    transcripts.flatMap(({ hookFailures }) => hookFailures),
    [],
  )
  for (const hook of ['investigate-gate', 'ceo-review-gate'] as const) {
    const { errors, unchecked, skipped } = played.gate(hook)
    check(
      `${hook} has no error on record`,
      { errors, unchecked, skipped },
      { errors: [], unchecked: 0, skipped: [] },
    )
  }
}

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1)

const mapValues = <Value, Result>(
  values: Readonly<Record<string, Value>>,
  change: (value: Value) => Result,
): Readonly<Record<string, Result>> =>
  Object.fromEntries(
    Object.entries(values)
      .map(([key, value]) => [key, change(value)] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )
