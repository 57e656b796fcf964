/** Plays one scripted session of the real client in a world, and finds what it and the hooks left behind. */

import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gateOf, NO_GATE_RECORD, type GateRecord, type SessionRecord } from '../../src/core/record.ts'
import type { GateHook } from '../../src/core/marker.ts'
import { runClient, type ClientRun } from './client.ts'
import { startModel, type Model, type Script } from './model.ts'
import { readTranscript, type Transcript } from './transcript.ts'
import type { Sources, World } from './world.ts'

const TOOLS = ['Agent', 'Bash', 'Edit', 'Read', 'Skill', 'Write']

export interface SessionOptions {
  readonly script: Script
  readonly prompt: string
  /** Id of the session that is gone on with. */
  readonly resume?: string
  /** Whether the gates are registered, by `--settings`; true when it is left out. */
  readonly isGated?: boolean
  readonly args?: readonly string[]
}

export interface Played extends Pick<Model<Sources>, 'requests' | 'seen' | 'strangers'> {
  readonly id: string
  readonly client: ClientRun
  readonly transcript: Transcript
  /** Transcripts of the session's subagents by their id. */
  readonly agents: Readonly<Record<string, Transcript>>
  gate(hook: GateHook): GateRecord
  /** Events in the gate's trace log, in order. */
  logged(hook: GateHook): readonly string[]
}

export async function playSession(program: string, world: World, options: SessionOptions): Promise<Played> {
  const id = options.resume ?? randomUUID()
  const model = await startModel(options.script, () => world.sources())
  try {
    const client = await runClient(program, argumentsOf(options, id, world), {
      cwd: world.repository,
      env: { ...world.env, ...environmentOf(model.port) },
    })
    const transcript = findTranscript(world, id)
    return {
      id,
      client,
      requests: model.requests,
      seen: model.seen,
      strangers: model.strangers,
      transcript: readTranscript(transcript),
      agents: readAgents(transcript.replace(/\.jsonl$/, '/subagents')),
      gate: (hook) => readGate(world, id, hook),
      logged: (hook) => readLog(join(world.stateRoot, 'hooks', `${hook}.log`), id),
    }
  } finally {
    await model.close()
  }
}

function argumentsOf({ prompt, resume, isGated, args }: SessionOptions, id: string, world: World): string[] {
  return [
    '-p',
    prompt,
    ...(resume === undefined ? ['--session-id', id] : ['--resume', resume]),
    ...(isGated === false ? [] : ['--settings', world.gateSettings]),
    ...['--permission-mode', 'acceptEdits', '--allowedTools', ...TOOLS],
    ...(args ?? []),
  ]
}

/** A proxy that refuses stands between the client and the rest of the world. */
const environmentOf = (port: number): Readonly<Record<string, string>> => ({
  ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}`,
  ANTHROPIC_API_KEY: 'dummy',
  HTTPS_PROXY: `http://127.0.0.1:${port}`,
  NO_PROXY: '127.0.0.1',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  DISABLE_AUTOUPDATER: '1',
  DISABLE_TELEMETRY: '1',
  DISABLE_ERROR_REPORTING: '1',
})

/** @throws Error when the client wrote none */
function findTranscript(world: World, id: string): string {
  const projects = join(world.configDir, 'projects')
  const file = readdirSync(projects)
    .map((project) => join(projects, project, `${id}.jsonl`))
    .find((path) => existsSync(path))
  if (file === undefined) throw new Error(`the client wrote no transcript of session ${id} below ${projects}`)
  return file
}

function readAgents(folder: string): Readonly<Record<string, Transcript>> {
  if (!existsSync(folder)) return {}
  return Object.fromEntries(
    readdirSync(folder)
      .filter((name) => name.endsWith('.jsonl'))
      .map((name) => [name.slice('agent-'.length, -'.jsonl'.length), readTranscript(join(folder, name))]),
  )
}

function readGate(world: World, id: string, hook: GateHook): GateRecord {
  const file = join(world.stateRoot, 'skill-gates', id, 'record.json')
  if (!existsSync(file)) return NO_GATE_RECORD
  return gateOf(JSON.parse(readFileSync(file, 'utf8')) as SessionRecord, hook)
}

function readLog(file: string, id: string): readonly string[] {
  if (!existsSync(file)) return []
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.includes(` session=${id} `))
    .map((line) => / event=(\S+)/.exec(line)?.[1] ?? line)
}
