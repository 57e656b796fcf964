/** The /investigate gate's main job, from the load to the report, each step checked. */

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { quoteForShell } from '../../core/registration.ts'
import type { GateSettings } from '../settings.ts'
import { runShell } from '../shell.ts'
import { startClient } from './client.ts'
import type { HookAnswer } from './hooks.ts'
import type { Stage } from './stage.ts'
import { BUGGY_FILE, type World } from './world.ts'

const BUG = 'item.price, 1)'
const FIX = 'item.price, 0)'
const CAUSE = `Root cause: the sum starts at 1 instead of 0 (${BUGGY_FILE}:3)`

/** sed's flag; the BSD one wants a suffix. */
const IN_PLACE = process.platform === 'darwin' ? "-i ''" : '-i'

export async function playStory(stage: Stage, world: World, packageRoot: string): Promise<void> {
  const gates = quoteForShell(join(packageRoot, 'bin/gstack-skill-gates'))
  const run = (line: string) => runShell(line, { cwd: world.repository, env: world.env })
  const source = () => readFileSync(join(world.repository, BUGGY_FILE), 'utf8')
  const committed = source()

  const settings = JSON.parse((await run(`${gates} settings --investigate`)).stdout) as GateSettings
  const client = startClient(world, settings, '/investigate the total of a basket is one cent too high')

  stage.act('Claude loads the skill and reads the source')
  const load = await client.loadSkill('investigate')
  stage.answer(load)
  client.read(BUGGY_FILE)
  stage.check('nothing is held up', isSilent(load))

  stage.act(`Claude edits ${BUGGY_FILE} at once`)
  const early = await client.edit(BUGGY_FILE, { from: BUG, to: FIX })
  stage.answer(early)
  stage.check('the gate armed', says(early, 'fired'))
  stage.check(
    'the edit was denied and the file is as it was',
    early.block !== undefined && source() === committed,
  )

  const sed = `sed ${IN_PLACE} 's/price, 1/price, 0/' ${BUGGY_FILE}`
  stage.act(`Claude tries it with Bash: ${sed}`)
  const bash = await client.bash(sed)
  stage.answer(bash)
  stage.check('the file is back as it was', source() === committed)
  stage.check('git sees no change', (await run('git status --porcelain')).stdout === '')
  stage.check('the model was told which file', bash.block?.includes(BUGGY_FILE) === true)
  stage.check(
    'what was replaced is kept, and the model was told where',
    namesKeptCopy(world, bash, committed.replace(BUG, FIX)),
  )

  stage.act('Claude states the root cause and edits again')
  stage.text(CAUSE)
  const late = await client.edit(BUGGY_FILE, { from: BUG, to: FIX, saying: CAUSE })
  stage.answer(late)
  stage.check('the gate let go', says(late, 'released'))
  stage.check('the edit was made', late.block === undefined && source() === committed.replace(BUG, FIX))
  const test = await client.bash('node test/total.test.js')
  stage.check('the test of the basket passes, and no hook minds', isSilent(test))

  stage.act('Claude stops')
  const stop = await client.stop('Fixed. STATUS: DONE')
  stage.answer(stop)
  stage.check('the stop goes through', isSilent(stop))

  const command = `gstack-skill-gates report --session ${client.session} --expect armed`
  stage.act(command)
  const report = await run(command.replace('gstack-skill-gates', gates))
  stage.text(report.stdout.trimEnd())
  stage.check('it exits with 0: armed, and nothing went through unchecked', report.exitCode === 0)
}

const isSilent = (answer: HookAnswer) =>
  answer.block === undefined && answer.systemMessages.length === 0 && answer.complaints.length === 0

const says = (answer: HookAnswer, event: string) =>
  answer.systemMessages.some((message) => message.includes(`GSTACK_GATE investigate-gate ${event} `))

/** Whether a file below the state root holds this content, and the block names that file. */
function namesKeptCopy(world: World, { block = '' }: HookAnswer, content: string): boolean {
  const folder = join(world.home, '.gstack/skill-gates')
  if (!existsSync(folder)) return false
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && block.includes(entry.name))
    .some((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8') === content)
}
