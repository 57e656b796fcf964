/**
 * Records that several lines of a story share: loads by their kind, and what the client writes about a hook's answer.
 */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { HookEvent, ToolCall } from './payload.ts'
import type { HookAnswer } from './run-hook.ts'
import type { Fields, Transcript } from './transcript.ts'

export type LoadVia = 'skill-tool' | 'typed' | 'read'

/** A tool_use_id in the client's alphabet. */
export const newCallId = () => `toolu_${randomUUID().replaceAll('-', '')}`

/** Results of a Read, by how it went. */
export const RESULTS = {
  ok: ['1\ttext\n'],
  error: ['File does not exist.', { is_error: true, toolUseResult: 'Error: File does not exist.' }],
  denied: [
    'PreToolUse:Read hook error: no',
    { is_error: true, permissionDecision: { decision: 'reject', source: 'hook', reasonType: 'hook' } },
  ],
  rejected: [
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). STOP what you are doing and wait for the user to tell you how to proceed.",
    { is_error: true, toolUseResult: 'User rejected tool use' },
  ],
} as const

/** The records of one load, by how it came about. */
export function loadSkill(
  transcript: Transcript,
  skill: string,
  folder: string,
): Record<LoadVia, () => void> {
  const body = [{ type: 'text', text: `Base directory for this skill: ${folder}\n\n# /${skill}\n` }]
  return {
    'skill-tool': () => {
      const id = newCallId()
      transcript.toolUse(id, 'Skill', { skill })
      transcript.toolResult(id, `Launching skill: ${skill}`, {
        toolUseResult: { success: true, commandName: skill },
      })
      transcript.user(body, { isMeta: true, turnCompanion: true, sourceToolUseID: id })
      transcript.attachment({ type: 'command_permissions', allowedTools: ['Bash', 'Read'] })
    },
    typed: () => {
      transcript.user(`<command-message>${skill}</command-message>\n<command-name>/${skill}</command-name>`)
      transcript.user(body, { isMeta: true, turnCompanion: true })
    },
    read: () => {
      const id = newCallId()
      transcript.toolUse(id, 'Read', { file_path: join(folder, 'SKILL.md') })
      transcript.toolResult(id, `1\t# /${skill}\n`)
    },
  }
}

export function recordDenial(transcript: Transcript, call: ToolCall, reason: string): void {
  const content = `PreToolUse:${call.tool} hook error: ${reason}`
  transcript.toolResult(call.id, content, {
    is_error: true,
    toolUseResult: `Error: ${content}`,
    toolDenialKind: 'permission-rule',
    permissionDecision: {
      decision: 'reject',
      source: 'hook',
      reasonType: 'hook',
      reasonCode: 'hook:PreToolUse',
    },
  })
}

export function recordBlock(transcript: Transcript, event: HookEvent, call: ToolCall, reason: string): void {
  transcript.attachment(blockingError(event, `${event}:${call.tool}`, call.id, reason))
}

/** The client gives the reason to the model as a user's words, too. */
export function recordStopBlock(transcript: Transcript, event: HookEvent, reason: string): void {
  transcript.user(`Stop hook feedback:\n${reason}`, { isMeta: true })
  transcript.attachment(blockingError(event, event, randomUUID(), reason))
}

const blockingError = (
  hookEvent: HookEvent,
  hookName: string,
  toolUseID: string,
  reason: string,
): Fields => ({
  type: 'hook_blocking_error',
  hookName,
  toolUseID,
  hookEvent,
  blockingError: { blockingError: reason, command: 'gstack-hook investigate-gate' },
})

export function recordSystemMessage(
  transcript: Transcript,
  hookEvent: HookEvent,
  call: ToolCall,
  answer: HookAnswer,
): void {
  const common = { hookName: `${hookEvent}:${call.tool}`, toolUseID: call.id, hookEvent }
  if (answer.decision === undefined)
    transcript.attachment({
      type: 'hook_success',
      content: '',
      stdout: answer.stdout,
      stderr: '',
      exitCode: 0,
      ...common,
    })
  transcript.attachment({ type: 'hook_system_message', content: answer.systemMessage, ...common })
}
