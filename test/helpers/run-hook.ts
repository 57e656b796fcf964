import { join } from 'node:path'
import { parseMarker } from '../../src/core/marker.ts'
import type { Fields } from './transcript.ts'
import { isLeftAlone } from './lonely-front.ts'
import { PACKAGE, type RunOptions, type World } from './world.ts'

export interface SeenMarker {
  readonly hook: string
  readonly event: string
  readonly session: string
  readonly fields: Readonly<Record<string, string>>
}

/** What one hook call answered, as the client reads it. */
export interface HookAnswer {
  /** Absent when the hook printed nothing, which is "no opinion". */
  readonly json: Fields | undefined
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number | undefined
  readonly ms: number
  /** `deny` at PreToolUse, `block` elsewhere. */
  readonly decision: 'deny' | 'block' | undefined
  /** What the model is shown; empty without a decision. */
  readonly reason: string
  /** What the person is shown; empty when there is none. */
  readonly systemMessage: string
  /** Marker lines of reason and systemMessage, in this order. */
  readonly markers: readonly SeenMarker[]
}

export interface HookRunOptions extends RunOptions {
  readonly hook?: string
  /** Where SIGKILL hits the hook, as `kill-point.mjs` reads it. */
  readonly killPoint?: string
  /** A library that is preloaded, and what its variables say; only the hook itself gets them. */
  readonly preload?: Readonly<Record<string, string>>
  /** In place of the registered command. */
  readonly program?: string
}

/**
 * Runs a hook as the client does: the registered command in the payload's cwd, the payload on standard input. A call that
 * the front answers is asked of Node as well, which must have nothing to say.
 */
export async function runHook(
  world: World,
  payload: Fields | string,
  { hook = 'investigate-gate', killPoint, program, preload, ...options }: HookRunOptions = {},
): Promise<HookAnswer> {
  const input = typeof payload === 'string' ? payload : `${JSON.stringify(payload)}\n`
  const asked = typeof payload === 'string' ? undefined : payload['cwd']
  const cwd = typeof asked === 'string' ? asked : world.home
  const env = {
    ...world.env,
    ...options.env,
    ...(killPoint === undefined ? {} : { GATE_KILL_POINT: killPoint }),
    ...preload,
  }
  const asking = { cwd, input, ...options, env }
  const isPlain = (killPoint ?? program ?? preload) === undefined && world.isInProcess !== true
  const isSilent = isPlain && (await isLeftAlone(world, hook, asking))
  const [command, ...args] = hookCommand({
    killPoint,
    preload,
    program: isSilent ? join(PACKAGE, 'bin/hook-launcher') : program,
  })
  const ran = await world.run(command, [...args, hook], asking)
  if (isSilent && ran.stdout + ran.stderr !== '')
    throw new Error(`the front had nothing to do, but Node said: ${ran.stdout}${ran.stderr}`)
  const json = ran.stdout === '' ? undefined : (JSON.parse(ran.stdout) as Fields)
  return { ...ran, json, ...readAnswer(json ?? {}) }
}

/** The registered command; its launcher keeps preloads out of Node, so these need the bundle itself. */
function hookCommand({
  killPoint,
  preload,
  program = join(PACKAGE, 'bin/gstack-hook'),
}: {
  readonly killPoint: string | undefined
  readonly program: string | undefined
  readonly preload: HookRunOptions['preload'] | undefined
}): readonly [string, ...string[]] {
  if (killPoint === undefined && preload === undefined) return [program]
  const imports = killPoint === undefined ? [] : ['--import', join(PACKAGE, 'test/helpers/kill-point.mjs')]
  return [process.execPath, ...imports, join(PACKAGE, 'dist/hook.js')]
}

function readAnswer(json: Fields): Pick<HookAnswer, 'decision' | 'reason' | 'systemMessage' | 'markers'> {
  const specific = (json['hookSpecificOutput'] ?? {}) as Fields
  const isDeny = specific['permissionDecision'] === 'deny'
  const isBlock = json['decision'] === 'block'
  const decision = isDeny ? 'deny' : isBlock ? 'block' : undefined
  const reason = textOf(isDeny ? specific['permissionDecisionReason'] : json['reason'])
  const systemMessage = textOf(json['systemMessage'])
  return { decision, reason, systemMessage, markers: readMarkers(`${reason}\n${systemMessage}`) }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Every marker that stands on a line of its own. */
export function readMarkers(text: string): SeenMarker[] {
  return text.split('\n').flatMap((line) => {
    const marker = parseMarker(line)
    return marker === undefined
      ? []
      : [{ ...marker, fields: Object.fromEntries(marker.fields) as Record<string, string> }]
  })
}
