/** What the demo shows: acts, markers as they come, what the model and the person read, and whether it was right. */

import type { CliContext } from '../command.ts'
import { paintFor } from '../paint.ts'
import type { HookAnswer } from './hooks.ts'

export interface Stage {
  act(title: string): void
  answer(answer: HookAnswer): void
  text(lines: string): void
  /** Says whether it holds, and remembers when it does not. */
  check(what: string, holds: boolean): void
  /** Checks that did not hold so far. */
  failures(): number
}

const MARKER_PREFIX = 'GSTACK_GATE '

export function openStage(context: CliContext): Stage {
  const paint = paintFor(context)
  const line = (text = '') => context.stdout(`${text}\n`)
  let acts = 0
  let failed = 0

  const marked = (text: string) => (text.startsWith(MARKER_PREFIX) ? paint.mark(text) : text)
  const quoted = (text: string) => text.split('\n').forEach((each) => line(`     ${paint.dim('|')} ${each}`))

  return {
    act(title) {
      acts += 1
      line(`\n${paint.bold(`${String(acts)}. ${title}`)}`)
    },
    answer({ block, systemMessages, complaints, durationMs }) {
      const told = systemMessages.flatMap((message) => message.split('\n'))
      for (const text of told) line(`   ${marked(text)}`)
      if (block !== undefined) {
        line(`   ${paint.mark(markerIn(block))}`)
        line('   The model reads:')
        quoted(block)
      }
      for (const complaint of complaints) line(`   ${paint.bad(complaint)}`)
      line(paint.dim(`   (${String(Math.round(durationMs))} ms)`))
    },
    text: quoted,
    check(what, holds) {
      line(`   ${holds ? paint.good('ok') : paint.bad('NOT OK')}  ${what}`)
      if (!holds) failed += 1
    },
    failures: () => failed,
  }
}

/** The marker that a block's text carries, behind what the client puts before it. */
const markerIn = (block: string) => /GSTACK_GATE .*/.exec(block)?.[0] ?? ''
