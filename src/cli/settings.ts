/** The block for `claude --settings`: what registers the gates in a run that reads no settings.json. */

import { HOOK_TIMEOUT_S } from '../core/deadline.ts'
import type { CommandCall } from './command.ts'

export function hookTimeout({ context }: CommandCall): number {
  context.stdout(`${String(HOOK_TIMEOUT_S)}\n`)
  return 0
}
