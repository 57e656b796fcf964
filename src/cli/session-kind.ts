import { sessionKindOf } from '../core/session-kind.ts'
import type { CommandCall } from './command.ts'

export function printSessionKind({ context }: CommandCall): number {
  context.stdout(`${sessionKindOf(context.env)}\n`)
  return 0
}
