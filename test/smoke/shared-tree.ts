/** Armed sessions in which more than one call, speaker or client works on the same tree. */

import { CAUSE, FIXED_AUTH, gateEvents, GUARD, heldRun, SED } from './investigate.ts'
import { dispatches, edits, loads, reads, runs, says } from './speech.ts'
import type { Scenario } from './stage.ts'
import { AUTH, CART, COMMITTED } from './world.ts'

const subagent: Scenario = {
  name: 'a subagent that writes',
  async play({ world, check, session }) {
    const auth = `${world.repository}/${AUTH}`
    const cart = `${world.repository}/${CART}`
    const played = await session({
      prompt: 'A guest cannot log in.',
      script: {
        main: [
          [loads('investigate')],
          [reads(auth)],
          [dispatches('FIX the login', 'general-purpose')],
          [edits(cart, 'cart.items.length', 'cart.items?.length')],
          [says('Fixed.\n\nSTATUS: DONE')],
        ],
        agents: {
          'FIX the login': [
            [runs(SED)],
            [edits(auth, GUARD.before, GUARD.after)],
            [reads(auth)],
            [says(CAUSE), reads(cart)],
            [edits(auth, GUARD.before, GUARD.after)],
            [says('Fixed it.')],
          ],
        },
      },
    })
    const seen = played.seen['FIX the login']
    const [agent] = Object.values(played.agents)

    check('its write by sed is put back', seen?.[1], COMMITTED)
    check('the block stands in its own transcript', agent?.blocks('PostToolUse').length, 1)
    check(
      'its Edit is denied',
      agent?.results('Edit').map((result) => result?.isError),
      [true, false],
    )
    check('its cause after a look of its own releases its Edit', seen?.[5], {
      ...COMMITTED,
      auth: FIXED_AUTH,
    })
    check('its markers stand there too', gateEvents(agent?.systemMessages ?? []), ['fired', 'released'])
    check('the release counts for the main session too', played.transcript.results('Edit')[0]?.isError, false)
    check('the record counts', heldRun(played), { runs: 1, hasFired: true, isReleased: true, blocked: 2 })
  },
}

const parallel: Scenario = {
  name: 'parallel Bash calls',
  async play({ check, session }) {
    const played = await session({
      prompt: 'A guest cannot log in.',
      script: {
        main: [
          [loads('investigate')],
          [
            runs(`sleep 0.5; cat ${AUTH}`),
            runs(`sleep 0.5; cat ${CART}`),
            runs(SED),
            runs(`sleep 0.3; perl -pi -e 's/items/goods/' ${CART}`),
            runs(`git status --short`),
          ],
          [says('Done.')],
        ],
      },
    })

    check('every write is put back', played.seen['main']?.[2], COMMITTED)
    check(
      'the gate fires once',
      played.logged('investigate-gate').filter((event) => event === 'fired').length,
      1,
    )
    check('each write is blocked', heldRun(played), {
      runs: 1,
      hasFired: true,
      isReleased: false,
      blocked: 2,
    })
    check(
      'the calls themselves all ran',
      played.transcript.results('Bash').map((result) => result?.isError),
      [false, false, false, false, false],
    )
  },
}

const resumed: Scenario = {
  name: 'a resumed session',
  async play({ world, check, session }) {
    const auth = `${world.repository}/${AUTH}`
    const first = await session({
      prompt: 'A guest cannot log in.',
      script: { main: [[loads('investigate')], [runs(SED)], [says('I stop here for today.')]] },
    })
    check(
      'armed, the first client holds',
      { tree: world.sources(), ...heldRun(first) },
      {
        tree: COMMITTED,
        runs: 1,
        hasFired: true,
        isReleased: false,
        blocked: 1,
      },
    )

    // What a person did between the two clients.
    const mine = { ...COMMITTED, cart: COMMITTED.cart.replace('length', 'size') }
    world.write(CART, mine.cart)
    const second = await session({
      prompt: 'Go on.',
      resume: first.id,
      script: {
        main: [
          [runs('git status --short')],
          [runs(SED)],
          [says(CAUSE), reads(auth)],
          [edits(auth, GUARD.before, GUARD.after)],
          [says('Fixed.\n\nSTATUS: DONE')],
        ],
      },
    })

    check('a change made between the clients is kept', second.seen['main']?.[1], mine)
    check('the gate still holds', second.seen['main']?.[2], mine)
    check('a cause still releases', world.sources(), { ...mine, auth: FIXED_AUTH })
    check('it is the same run', heldRun(second), { runs: 1, hasFired: true, isReleased: true, blocked: 2 })
    check('the new pinning is observed, once', second.logged('investigate-gate'), [
      'fired',
      'blocked',
      'observed',
      'blocked',
      'released',
    ])
  },
}

export const sharedTreeScenarios: readonly Scenario[] = [subagent, parallel, resumed]
