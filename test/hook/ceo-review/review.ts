/** A session under the /plan-ceo-review gate: what the run did to files, and its stops as the client reports them. */

import { mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { SessionRecord } from '../../../src/core/record.ts'
import { stopPayload } from '../../helpers/payload.ts'
import { runHook, type HookAnswer } from '../../helpers/run-hook.ts'
import { newCallId, recordStopBlock, type LoadVia } from '../../helpers/session-records.ts'
import type { Session } from '../../helpers/session.ts'
import type { Fields } from '../../helpers/transcript.ts'
import type { World } from '../../helpers/world.ts'

export const SKILL = 'plan-ceo-review'

export const FINDINGS =
  '## Findings\n\n1. Payment retries can double-charge when the provider times out.\n2. No rollback path.\n'

/** Environment of a session that a person answers. */
export const INTERACTIVE = { CLAUDE_CODE_ENTRYPOINT: 'cli', CLAUDE_CODE_SESSION_ATTENDED: '1' }

export interface Review {
  readonly session: Session
  /** The run writes a file with the Write tool. */
  writes(path: string, content: string): Review
  /** The same by other means, such as a heredoc. */
  writesByShell(path: string, content: string): Review
  stop(text?: string, payload?: Fields): Promise<HookAnswer>
  /** The end of a subagent of this session. */
  agentStop(agent: Session, options?: { text?: string; payload?: Fields }): Promise<HookAnswer>
  record(): SessionRecord
}

/** A session with the gate on that has loaded the skill. */
export function startReview(
  world: World,
  { via = 'skill-tool', loads = true }: { via?: LoadVia; loads?: boolean } = {},
): Review {
  world.env['GSTACK_CEO_REVIEW_GATE'] = 'on'
  const session = world.session().prompts('Review the plan.')
  if (loads) session.loads(SKILL, via)
  const send = async (payload: Fields) => await runHook(world, payload, { hook: 'ceo-review-gate' })
  const transcript = `${join(world.configDir, 'projects', session.cwd.replace(/[^A-Za-z0-9]/g, '-'), session.id)}.jsonl`
  const facts = { sessionId: session.id, transcript, cwd: session.cwd }

  const review: Review = {
    session,
    writes: (path, content) => {
      recordWrite(session, path, content)
      return review.writesByShell(path, content)
    },
    writesByShell: (path, content) => {
      writeFile(resolve(session.cwd, path), content)
      return review
    },
    stop: async (text = 'The review is done.', payload = {}) => {
      session.says(text)
      const answer = await send({ ...stopPayload({ ...facts, cwd: session.cwd }, text), ...payload })
      if (answer.decision === 'block') recordStopBlock(session.transcript, 'Stop', answer.reason)
      return answer
    },
    agentStop: async (agent, { text = 'The review is done.', payload = {} } = {}) => {
      agent.says(text)
      const id = /agent-(.*)\.jsonl$/.exec(agent.transcript.file)?.[1] ?? ''
      const answer = await send({
        ...stopPayload({ ...facts, agent: { id, type: 'general-purpose' } }, text),
        ...payload,
      })
      if (answer.decision === 'block') recordStopBlock(agent.transcript, 'SubagentStop', answer.reason)
      return answer
    },
    record: () => JSON.parse(readFileSync(join(session.stateFolder, 'record.json'), 'utf8')) as SessionRecord,
  }
  return review
}

/** The records of a Write that succeeded; the path stays as the model wrote it. */
export function recordWrite(session: Session, path: string, content: string): void {
  const id = newCallId()
  session.transcript.toolUse(id, 'Write', { file_path: path, content })
  session.transcript.toolResult(id, `File created successfully at: ${path}`)
}

/** File times come from the kernel's tick, which can be 10 ms behind the clock of the transcript. */
const TICK_MS = 20

export function writeFile(path: string, content: string): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, TICK_MS)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
}

/** As if the file had been left alone since before the session. */
export function makeOld(path: string): void {
  utimesSync(path, new Date(2020, 1, 1), new Date(2020, 1, 1))
}

/** What a block says of each file, by its path. */
export function checkedFiles(reason: string): Readonly<Record<string, string>> {
  const lines = reason.slice(reason.indexOf('\nChecked')).split('\n- ').slice(1)
  return Object.fromEntries(lines.map((line) => line.split(/: (.*)/s).slice(0, 2) as [string, string]))
}

/** The file that a block asks for. */
export const targetOf = (reason: string): string | undefined =>
  /Write a `## Findings` section to (.*) that ranks/.exec(reason)?.[1]

/** The markers of a stop that loads the gate and releases it by this file. */
export const released = (file: string) => [{ event: 'fired' }, { event: 'released', fields: { file } }]
