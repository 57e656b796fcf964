import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { ContractRecord } from '../../src/store/contract-record.ts'
import { EXAMPLE_CONTRACT, type Story } from './contract-story.ts'
import { runHook, type HookAnswer } from './run-hook.ts'
import type { Fields } from './transcript.ts'
import { PACKAGE, type World } from './world.ts'

export const PROGRAM = join(PACKAGE, 'bin/gstack-skill-contract')

/** Installs a skill; `contract` is what its frontmatter has, JSON being YAML, or null for none. */
export function install(world: World, skill: string, contract: unknown = EXAMPLE_CONTRACT): string {
  const field = contract === null ? '' : `contract: ${JSON.stringify(contract)}\n`
  return installText(world, skill, `---\nname: ${skill}\n${field}---\n\n# /${skill}\n`)
}

export function installText(world: World, skill: string, text: string | Buffer): string {
  const file = join(world.configDir, 'skills', skill, 'SKILL.md')
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  return file
}

/** Writes a story where the client keeps transcripts. */
export function transcriptOf(world: World, told: Story | string, session = 's1'): string {
  const file = join(world.configDir, 'projects', '-repo', `${session}.jsonl`)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, typeof told === 'string' ? told : told.text())
  return file
}

export interface StopOptions {
  readonly session?: string
  readonly payload?: Fields
  readonly env?: Readonly<Record<string, string | undefined>>
}

/** The Stop of a session as the client sends it, with the switch on. */
export async function stop(world: World, told: Story, options: StopOptions = {}): Promise<HookAnswer> {
  const { session = 's1' } = options
  return await stopAt(world, transcriptOf(world, told, session), {
    ...options,
    payload: { last_assistant_message: lastText(told), ...options.payload },
  })
}

export async function stopAt(
  world: World,
  transcript: string,
  { session = 's1', payload = {}, env = {} }: StopOptions = {},
): Promise<HookAnswer> {
  const fields = {
    session_id: session,
    transcript_path: transcript,
    cwd: world.home,
    hook_event_name: 'Stop',
    stop_hook_active: false,
    background_tasks: [],
    session_crons: [],
    ...payload,
  }
  return await runHook(world, fields, {
    hook: 'skill-contract',
    env: { ...world.env, GSTACK_SKILL_CONTRACTS: 'on', ...env },
  })
}

export function recordOf(world: World, session = 's1'): ContractRecord {
  return JSON.parse(readFileSync(recordFile(world, session), 'utf8')) as ContractRecord
}

export const recordFile = (world: World, session = 's1'): string =>
  join(world.stateRoot, 'skill-contracts', `${session}.json`)

function lastText(told: Story): string {
  const replies = told.events().flatMap((event) => (event.kind === 'reply' ? [event.text] : []))
  return replies.at(-1) ?? ''
}
