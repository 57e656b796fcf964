import { printable } from '../core/printable.ts'
import type { HookAnswer } from './call.ts'

/**
 * The JSON that Claude Code reads, exactly one object, or nothing at all.
 *
 * @param event the payload's `hook_event_name`; each has a shape of its own for a block
 * @returns undefined when there is nothing to say
 */
export function formatAnswer(event: string, answer: HookAnswer): string | undefined {
  const output: Record<string, unknown> = {}
  if (answer.block !== undefined && event === 'PreToolUse')
    output['hookSpecificOutput'] = {
      hookEventName: event,
      permissionDecision: 'deny',
      permissionDecisionReason: printable(answer.block.reason),
    }
  else if (answer.block !== undefined)
    Object.assign(output, { decision: 'block', reason: printable(answer.block.reason) })

  if (answer.systemMessages.length > 0) output['systemMessage'] = printable(answer.systemMessages.join('\n'))
  return Object.keys(output).length === 0 ? undefined : JSON.stringify(output)
}
