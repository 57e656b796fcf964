/** Asks the hooks of a settings file about one event, as Claude Code does, and reads what they answer. */

import type { GateSettings } from '../settings.ts'
import { runShell, type ShellResult } from '../shell.ts'

/** What the hooks of one event answered, put together. */
export interface HookAnswer {
  /** As the model reads it; undefined when the call goes on. */
  readonly block: string | undefined
  /** As the terminal shows it to the person. */
  readonly systemMessages: readonly string[]
  /** Standard error and odd exit codes: nothing of that should be there. */
  readonly complaints: readonly string[]
  readonly durationMs: number
}

/** Runs every matching command beside the others, the payload on its standard input. */
export async function askHooks(
  settings: GateSettings,
  where: Pick<Parameters<typeof runShell>[1], 'cwd' | 'env'>,
  payload: { readonly hook_event_name: string; readonly tool_name?: string },
): Promise<HookAnswer> {
  const event = payload.hook_event_name
  const commands = (settings.hooks[event] ?? [])
    .filter((entry) => matches(entry.matcher, payload.tool_name))
    .flatMap((entry) => entry.hooks.map((hook) => hook.command))
  const stdin = `${JSON.stringify(payload)}\n`
  const answers = await Promise.all(
    commands.map(async (command) =>
      readAnswer(event, payload, command, await runShell(command, { ...where, stdin })),
    ),
  )
  const blocks = answers.flatMap((answer) => answer.block ?? [])
  return {
    block: blocks.length === 0 ? undefined : blocks.join('\n'),
    systemMessages: answers.flatMap((answer) => answer.systemMessages),
    complaints: answers.flatMap((answer) => answer.complaints),
    durationMs: Math.max(0, ...answers.map((answer) => answer.durationMs)),
  }
}

const matches = (matcher: string | undefined, tool: string | undefined) =>
  matcher === undefined || new RegExp(`^(?:${matcher})$`).test(tool ?? '')

/** The parts of a hook's JSON that the client acts on. */
interface HookJson {
  readonly decision?: string
  readonly reason?: string
  readonly systemMessage?: string
  readonly hookSpecificOutput?: {
    readonly permissionDecision?: string
    readonly permissionDecisionReason?: string
  }
}

function readAnswer(
  event: string,
  { tool_name: tool = '' }: { readonly tool_name?: string },
  command: string,
  result: ShellResult,
): HookAnswer {
  const json = (result.stdout === '' ? {} : JSON.parse(result.stdout)) as HookJson
  const complaints = [
    ...(result.stderr === '' ? [] : [result.stderr.trim()]),
    ...(result.exitCode === 0 ? [] : [`${command} ended with ${String(result.exitCode ?? 'a signal')}`]),
  ]
  const denial = json.hookSpecificOutput
  const reason = denial?.permissionDecision === 'deny' ? denial.permissionDecisionReason : json.reason
  const isBlock = denial?.permissionDecision === 'deny' || json.decision === 'block'
  const block = isBlock ? `${blockPrefix(event, tool, command)}${reason ?? ''}` : undefined
  return {
    block,
    systemMessages: json.systemMessage === undefined ? [] : [json.systemMessage],
    complaints,
    durationMs: result.durationMs,
  }
}

/** What the client puts before a reason. */
function blockPrefix(event: string, tool: string, command: string): string {
  if (event === 'Stop') return 'Stop hook feedback:\n'
  if (event === 'PreToolUse') return `PreToolUse:${tool} hook error: `
  return `${event}:${tool} hook blocking error from command: "${command}": `
}
