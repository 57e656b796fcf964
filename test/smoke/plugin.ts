/** The package as a plugin of the client, alone and beside the registration that settings.json or `--settings` brings. */

import { gateEvents, CAUSE, FIXED_AUTH, GUARD, heldRun, SED } from './investigate.ts'
import { edits, loads, reads, runs, says } from './speech.ts'
import type { Scenario } from './stage.ts'
import { AUTH, COMMITTED, type World } from './world.ts'

/** Blocked before its edit, after its sed and at its stop; then it states the cause and edits. */
const script = (world: World) => {
  const auth = `${world.repository}/${AUTH}`
  const edit = edits(auth, GUARD.before, GUARD.after)
  return {
    main: [
      [loads('investigate')],
      [edit],
      [runs(SED)],
      [says(CAUSE), reads(auth)],
      [edit],
      [says('Fixed.\n\nSTATUS: DONE')],
    ],
  }
}

const ONCE = { runs: 1, hasFired: true, isReleased: true, blocked: 2 }
const EVENTS = ['fired', 'blocked', 'blocked', 'released']

const alone: Scenario = {
  name: 'a plugin alone',
  async play({ world, check, session }) {
    check('the switch is set', world.gstack('gstack-config', 'set', 'investigate_gate', 'on').exitCode, 0)
    const played = await session({
      prompt: 'A guest cannot log in.',
      isGated: false,
      args: ['--plugin-dir', world.packageRoot],
      script: script(world),
    })

    check('the edit and the write of sed change nothing', played.seen['main']?.slice(2, 4), [
      COMMITTED,
      COMMITTED,
    ])
    check('the edit after the cause stays', world.sources(), { ...COMMITTED, auth: FIXED_AUTH })
    check('the record counts', heldRun(played), ONCE)
    check('the trace log tells', played.logged('investigate-gate'), EVENTS)
  },
}

const beside: Scenario = {
  name: 'a plugin beside settings',
  async play({ world, check, session }) {
    const registered = world.gstack('gstack-skill-gates', 'setup', '--skill-contracts', '--investigate-gate')
    check('setup registers the hooks', registered.exitCode, 0)
    const played = await session({
      prompt: 'A guest cannot log in.',
      isGated: false,
      args: ['--plugin-dir', world.packageRoot],
      script: { main: [...script(world).main, [runs('node test/repro.js')], [says('STATUS: DONE')]] },
    })

    check('each decision is counted once', heldRun(played), ONCE)
    check('the trace log tells each once', played.logged('investigate-gate'), EVENTS)
    check('the person is told each once', gateEvents(played.transcript.systemMessages), ['fired', 'released'])
    check('the stop is blocked once', played.transcript.blocks('Stop').length, 1)
    check(
      'doctor names the second registration',
      world.gstack('gstack-skill-gates', 'doctor').stdout.includes('registered a second time'),
      true,
    )
  },
}

export const pluginScenarios: readonly Scenario[] = [alone, beside]
