/** A session whose skill promises a report and a repro, with the hook that setup registers in settings.json. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { FIXED_AUTH, GUARD } from './investigate.ts'
import { edits, loads, runs, says } from './speech.ts'
import type { Scenario } from './stage.ts'
import { AUTH, COMMITTED } from './world.ts'

const REPORT = `DEBUG REPORT
Symptom: a guest cannot log in
Root cause: user.name is undefined for a guest
Fix: ask for the name only when there is one
Evidence: node test/repro.js prints "1 passed"

STATUS: DONE`

const contract: Scenario = {
  name: 'a skill contract',
  async play({ world, check, session }) {
    check(
      'setup registers the hook',
      world.gstack('gstack-skill-gates', 'setup', '--skill-contracts').exitCode,
      0,
    )
    const played = await session({
      prompt: 'A guest cannot log in.',
      isGated: false,
      script: {
        main: [
          [loads('investigate')],
          [edits(`${world.repository}/${AUTH}`, GUARD.before, GUARD.after)],
          [says('Fixed: the null check was missing.')],
          [runs('node test/repro.js')],
          [says(REPORT)],
        ],
      },
    })
    const { transcript, requests } = played
    const blocks = transcript.blocks('Stop')

    check(
      'the stop without report and repro is blocked, once',
      blocks.map((text) => text.replace(/'[^']*\/bin\//, "'<gstack>/bin/")),
      [UNMET],
    )
    check(
      'the block reaches the model',
      requests.some((body) => body.includes('missing debug-report, repro-after-fix')),
      true,
    )
    check('the edit stays', world.sources(), { ...COMMITTED, auth: FIXED_AUTH })
    check('the record says how it was met', outcomes(world.stateRoot, played.id), ['met_after_block'])
    check('report counts no miss', world.gstack('gstack-skill-contract', 'report', '--session', played.id), {
      exitCode: 0,
      stdout: 'SKILL_CONTRACT_MET report: 1 run in 1 session, 0 misses\n',
    })
  },
}

const UNMET =
  'SKILL_CONTRACT_UNMET investigate (contract v1): missing debug-report, repro-after-fix. Fix: debug-report: print the DEBUG REPORT with real values for Symptom, Root cause, Fix, Evidence; repro-after-fix: run the test or repro again after your last edit and show its result. If an item truly does not apply, run \'<gstack>/bin/gstack-skill-contract\' waive <item> --reason "<why>" (this session only; counted as a miss for follow). This blocks once.'

function outcomes(stateRoot: string, session: string): readonly string[] {
  const text = readFileSync(join(stateRoot, 'skill-contracts', `${session}.json`), 'utf8')
  return (JSON.parse(text) as { runs: { outcome: string }[] }).runs.map(({ outcome }) => outcome)
}

export const contractScenarios: readonly Scenario[] = [contract]
