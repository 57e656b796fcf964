import { PROMPT_ID, type Fields } from './transcript.ts'

export type HookEvent =
  'PreToolUse' | 'PostToolUse' | 'PostToolUseFailure' | 'Stop' | 'SubagentStop' | 'UserPromptSubmit'

export interface PayloadFacts {
  readonly sessionId: string
  readonly transcript: string
  readonly cwd: string
  readonly agent?: { readonly id: string; readonly type: string } | undefined
}

export interface ToolCall {
  readonly id: string
  readonly tool: string
  readonly input: Fields
}

/** What every event of a session carries; a subagent's events name the main session and its transcript. */
function commonFields({ sessionId, transcript, cwd, agent }: PayloadFacts): Fields {
  return {
    session_id: sessionId,
    transcript_path: transcript,
    cwd,
    prompt_id: PROMPT_ID,
    permission_mode: 'acceptEdits',
    ...(agent === undefined ? {} : { agent_id: agent.id, agent_type: agent.type }),
    effort: { level: 'medium' },
  }
}

/** A payload of the three tool events. */
export function toolPayload(event: HookEvent, facts: PayloadFacts, call: ToolCall): Fields {
  const tool = { hook_event_name: event, tool_name: call.tool, tool_input: call.input, tool_use_id: call.id }
  const outcome: Partial<Record<HookEvent, Fields>> = {
    PostToolUse: {
      tool_response: { stdout: '', stderr: '', interrupted: false, isImage: false, noOutputExpected: false },
      duration_ms: 92,
    },
    PostToolUseFailure: { error: 'Exit code 1', is_interrupt: false, duration_ms: 22 },
  }
  return { ...commonFields(facts), ...tool, ...outcome[event] }
}

/** A payload of Stop, or of SubagentStop for the facts' agent. */
export function stopPayload(facts: PayloadFacts, lastAssistantMessage: string): Fields {
  const { agent } = facts
  return {
    ...commonFields(facts),
    hook_event_name: agent === undefined ? 'Stop' : 'SubagentStop',
    stop_hook_active: false,
    ...(agent === undefined ? {} : { agent_transcript_path: agentTranscriptOf(facts.transcript, agent.id) }),
    last_assistant_message: lastAssistantMessage,
    background_tasks: [],
    session_crons: [],
  }
}

/** Where the client writes a subagent's own records. */
export const agentTranscriptOf = (mainTranscript: string, agentId: string): string =>
  `${mainTranscript.replace(/\.jsonl$/, '')}/subagents/agent-${agentId}.jsonl`
