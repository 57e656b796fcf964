/**
 * Calls each registered command as the client would: `/bin/sh`, the payload on standard input, ten times. State goes to
 * a folder of its own, so that no session, log or gate of the person is touched.
 */

import { randomUUID } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { environmentNameOf, SWITCH_NAMES } from '../../core/switches.ts'
import type { FoundRegistration } from '../../store/settings-text.ts'
import type { CliContext } from '../command.ts'
import { runShell, type ShellResult } from '../shell.ts'
import { ok, problem, type Finding } from './finding.ts'

const CALLS = 10
/** A person notices this at every call. */
const SLOW_MS = 1_000

/** What the client sends beside the fields that every event has. */
const FIELDS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  UserPromptSubmit: { prompt: 'Say hello.' },
  PreToolUse: {
    tool_name: 'Bash',
    tool_input: { command: 'true', description: 'Do nothing' },
    tool_use_id: 'toolu_doctor',
  },
  PostToolUse: {
    tool_name: 'Bash',
    tool_input: { command: 'true', description: 'Do nothing' },
    tool_use_id: 'toolu_doctor',
    tool_response: { stdout: '', stderr: '', interrupted: false, isImage: false, noOutputExpected: true },
  },
  PostToolUseFailure: {
    tool_name: 'Bash',
    tool_input: { command: 'false', description: 'Fail' },
    tool_use_id: 'toolu_doctor',
    error: 'Exit code 1',
    is_interrupt: false,
  },
  Stop: { stop_hook_active: false, last_assistant_message: 'Hello.', background_tasks: [] },
  SubagentStop: {
    stop_hook_active: false,
    last_assistant_message: 'Hello.',
    background_tasks: [],
    agent_id: 'doctor',
    agent_type: '',
    agent_transcript_path: '/nowhere/agent-doctor.jsonl',
  },
}

/** @param registered one entry per event; a command that stands for several events is called with its first */
export async function checkCalls(
  registered: readonly FoundRegistration[],
  context: CliContext,
): Promise<Finding[]> {
  const commands = new Map(registered.toReversed().map((found) => [found.command, found]))
  const findings: Finding[] = []
  for (const found of [...commands.values()].reverse()) findings.push(await checkCall(found, context))
  return findings
}

async function checkCall({ hook, command, event }: FoundRegistration, { env }: CliContext): Promise<Finding> {
  const folder = mkdtempSync(join(tmpdir(), 'gstack-doctor-'))
  try {
    const session = randomUUID()
    const transcript = join(folder, `${session}.jsonl`)
    writeFileSync(transcript, `${JSON.stringify(firstRecord(session, folder))}\n`)
    const payload = {
      session_id: session,
      transcript_path: transcript,
      cwd: folder,
      permission_mode: 'default',
      hook_event_name: event,
      ...FIELDS[event],
    }
    const call = { cwd: folder, env: callEnvironment(env, folder), stdin: `${JSON.stringify(payload)}\n` }

    const bad = (why: string) =>
      problem(
        hook,
        `a ${event} call of ${command} ${why}`,
        'Run ./setup again; if it stays, report what stands here.',
      )
    const times: number[] = []
    for (let count = 0; count < CALLS; count++) {
      const result = await runShell(command, call)
      const why = whyBad(result)
      if (why !== undefined) return bad(why)
      times.push(result.durationMs)
    }
    const error = errorLineIn(join(folder, 'state', 'hooks'))
    if (error !== undefined) return bad(`logged ${error}`)
    const median = Math.round(medianOf(times))
    const found = `${event} answered ${String(CALLS)} times, median ${String(median)} ms`
    return median < SLOW_MS
      ? ok(hook, found)
      : problem(hook, found, 'Look for what slows down starting Node here.')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const firstRecord = (session: string, cwd: string) => ({
  parentUuid: null,
  isSidechain: false,
  type: 'user',
  message: { role: 'user', content: 'Say hello.' },
  uuid: randomUUID(),
  timestamp: new Date().toISOString(),
  cwd,
  sessionId: session,
})

/** Every switch on, so that the whole hook runs. */
function callEnvironment(env: CliContext['env'], folder: string): CliContext['env'] {
  const switches = SWITCH_NAMES.map((name) => [environmentNameOf(name), 'on'] as const)
  return {
    ...env,
    ...Object.fromEntries(switches),
    GSTACK_STATE_ROOT: join(folder, 'state'),
    CLAUDE_PROJECT_DIR: folder,
    CLAUDECODE: '1',
  }
}

/** @returns undefined when the client could use the answer */
function whyBad({ exitCode, stdout, stderr }: ShellResult): string | undefined {
  const said = stderr.trim() === '' ? '' : `: ${stderr.trim().slice(0, 300)}`
  if (exitCode !== 0)
    return `ended with ${exitCode === undefined ? 'a signal' : `exit code ${String(exitCode)}`}${said}`
  if (said !== '') return `complained${said}`
  return stdout.trim() === '' || isJsonObject(stdout) ? undefined : 'printed something that is no JSON object'
}

/** A hook that fails lets the call through and says so in its log only. */
function errorLineIn(logs: string): string | undefined {
  const files = existsSync(logs) ? readdirSync(logs).map((name) => join(logs, name)) : []
  return files
    .flatMap((file) => readFileSync(file, 'utf8').split('\n'))
    .find((line) => line.includes(' event=error '))
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}

function medianOf(times: readonly number[]): number {
  const sorted = times.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle) - 1] ?? 0)) / 2
}
