/** Sessions that load /investigate and change tracked source in every way before they may. */

import type { Played } from './session.ts'
import { edits, loads, pauses, reads, runs, says } from './speech.ts'
import type { Scenario } from './stage.ts'
import { AUTH, CART, COMMITTED } from './world.ts'

export const CAUSE = `Root cause: user.name is undefined for a guest, ${AUTH}:1`
export const GUARD = { before: 'user.name.length', after: 'user.name?.length' }
export const FIXED_AUTH = COMMITTED.auth.replace(GUARD.before, GUARD.after)
export const SED = `sed -i 's/${GUARD.before}/(user.name ?? "").length/' ${AUTH}`

/** The counts of a session that loaded /investigate once. */
export const heldRun = (played: Played): object => {
  const runs = played.gate('investigate-gate').runs
  return {
    runs: runs.length,
    hasFired: runs[0]?.fired_at !== undefined,
    isReleased: runs[0]?.released_at !== undefined,
    blocked: runs[0]?.blocked,
  }
}

const main: Scenario = {
  name: 'main session',
  async play({ world, check, session }) {
    const auth = `${world.repository}/${AUTH}`
    const played = await session({
      prompt: 'A guest cannot log in.',
      script: {
        main: [
          [loads('investigate')],
          [reads(auth)],
          [says('I will just fix it.'), edits(auth, GUARD.before, GUARD.after)],
          [runs(SED)],
          [says(CAUSE), reads(`${world.repository}/${CART}`)],
          [edits(auth, GUARD.before, GUARD.after)],
          [says('Fixed.\n\nSTATUS: DONE')],
        ],
      },
    })
    const { transcript, seen, requests } = played
    const [denied, allowed] = transcript.results('Edit')
    const [afterBash] = transcript.blocks('PostToolUse')

    check('the Edit without a cause changes nothing', seen['main']?.[3], COMMITTED)
    check('its result is a denial with the marker', firstLine(denied?.text), [
      'PreToolUse:Edit hook error:',
      blockedMarker(played.id, 'edit'),
    ])
    check('the write of sed is put back', seen['main']?.[4], COMMITTED)
    check(
      'its block is attached with the marker',
      afterBash?.split('\n')[0],
      blockedMarker(played.id, 'bash'),
    )
    check(
      'the block reaches the model',
      requests.some((body) => body.includes(blockedMarker(played.id, 'bash'))),
      true,
    )
    check('the Edit after the cause goes through', allowed?.isError, false)
    check('its change stays', world.sources(), { ...COMMITTED, auth: FIXED_AUTH })
    check('the record counts', heldRun(played), { runs: 1, hasFired: true, isReleased: true, blocked: 2 })
    check('the trace log tells', played.logged('investigate-gate'), [
      'fired',
      'blocked',
      'blocked',
      'released',
    ])
    check('fired and released are attached', gateEvents(transcript.systemMessages), ['fired', 'released'])
    check(
      'report --expect armed passes',
      world.gstack('gstack-skill-gates', 'report', '--session', played.id, '--expect', 'armed').exitCode,
      0,
    )
  },
}

const loadAndWrite: Scenario = {
  name: 'load and write in one message',
  async play({ world, check, session }) {
    const played = await session({
      prompt: 'A guest cannot log in.',
      script: { main: [[loads('investigate'), runs(SED)], [says('Done.')]] },
    })

    check('the write is put back', played.seen['main']?.[1], COMMITTED)
    check('both sightings of the load are one run', heldRun(played), {
      runs: 1,
      hasFired: true,
      isReleased: false,
      blocked: 1,
    })
    check('the tree stays as it was', world.sources(), COMMITTED)
  },
}

/** @param tail what the message still says after the call; the call's hook runs before the message ends */
const causeAndEdit = (name: string, tail: Parameters<typeof pauses>[0] | undefined): Scenario => ({
  name,
  async play({ world, check, session }) {
    const auth = `${world.repository}/${AUTH}`
    const edit = edits(auth, GUARD.before, GUARD.after)
    const played = await session({
      prompt: 'A guest cannot log in.',
      script: {
        main: [
          [loads('investigate')],
          [reads(auth)],
          [says(CAUSE), edit, ...(tail === undefined ? [] : [pauses(tail), says('That should do it.')])],
          (heard) => (heard.includes('GSTACK_GATE') ? [edit] : [runs('echo nothing to repeat')]),
          [says('Fixed.\n\nSTATUS: DONE')],
        ],
      },
    })
    const denials = played.transcript.results('Edit').map((result) => result?.isError)

    check('the Edit goes through, at the latest when it is repeated', denials.at(-1), false)
    check('the change stays', world.sources(), { ...COMMITTED, auth: FIXED_AUTH })
    check('the record counts', heldRun(played), {
      runs: 1,
      hasFired: true,
      isReleased: true,
      blocked: denials.length - 1,
    })
  },
})

const bare: Scenario = {
  name: '--bare',
  async play({ world, check, session }) {
    const played = await session({
      prompt: 'A guest cannot log in.',
      args: ['--bare'],
      script: {
        main: [[edits(`${world.repository}/${AUTH}`, GUARD.before, GUARD.after)], [says('Done.')]],
      },
    })
    const report = world.gstack('gstack-skill-gates', 'report', '--session', played.id, '--expect', 'armed')

    check(
      'no hook runs',
      { record: heldRun(played), log: played.logged('investigate-gate') },
      {
        record: { runs: 0, hasFired: false, isReleased: false, blocked: undefined },
        log: [],
      },
    )
    check('report --expect armed exits 2', report.exitCode, 2)
  },
}

export const investigateScenarios: readonly Scenario[] = [
  main,
  loadAndWrite,
  causeAndEdit('cause and Edit in one message', undefined),
  causeAndEdit('cause and Edit in a message that goes on', 1_500),
  bare,
]

const blockedMarker = (session: string, via: string): string =>
  `GSTACK_GATE investigate-gate blocked session=${session} skill=investigate via=${via} files=1`

/** A denial's first line: what the client puts before the reason, and the reason's. */
function firstLine(text: string | undefined): readonly string[] {
  const [line = ''] = (text ?? '').split('\n')
  const at = line.indexOf('GSTACK_GATE')
  return at === -1 ? [line] : [line.slice(0, at).trim(), line.slice(at)]
}

/** Events of the markers in system messages, in order. */
export const gateEvents = (messages: readonly string[]): readonly string[] =>
  messages.flatMap((text) => [...text.matchAll(/^GSTACK_GATE \S+ (\S+)/gm)].map(([, event]) => event ?? ''))
