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

const isMarker = (text: string) => text.startsWith('GSTACK_GATE ')

export function openStage(context: CliContext): Stage {
  const paint = paintFor(context)
  const line = (text = '') => context.stdout(`${text}\n`)
  let acts = 0
  let failed = 0

  const quote = (lines: readonly string[]) => {
    for (const text of lines) line(`     ${paint.dim('|')} ${text}`)
  }
  const show = (title: string, lines: readonly string[]) => {
    if (lines.length === 0) return
    line(`   ${title}`)
    quote(lines)
  }

  return {
    act(title) {
      acts += 1
      line(`\n${paint.bold(`${String(acts)}. ${title}`)}`)
    },
    answer({ block, systemMessages, complaints, durationMs }) {
      const told = systemMessages.flatMap((message) => message.split('\n'))
      for (const marker of told.filter(isMarker)) line(`   ${paint.mark(marker)}`)
      if (block !== undefined) line(`   ${paint.mark(markerIn(block))}`)
      show('The model reads:', block === undefined ? [] : block.split('\n'))
      show(
        'You read:',
        told.filter((text) => !isMarker(text)),
      )
      for (const complaint of complaints) line(`   ${paint.bad(complaint)}`)
      line(paint.dim(`   (the hook took ${String(Math.round(durationMs))} ms)`))
    },
    text: (lines) => quote(lines.split('\n')),
    check(what, holds) {
      line(`   ${holds ? paint.good('ok') : paint.bad('NOT OK')}  ${what}`)
      if (!holds) failed += 1
    },
    failures: () => failed,
  }
}

/** The marker that a block's text carries, behind what the client puts before it. */
const markerIn = (block: string) => /GSTACK_GATE .*/.exec(block)?.[0] ?? ''
