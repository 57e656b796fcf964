/** The tables of `docs/skill-gates.md` say what is kept on disk: sessions are played, and what they leave is looked up. */

import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { armed, armIn } from '../helpers/armed.ts'
import { install, stopAt, transcriptOf } from '../helpers/contract-world.ts'
import { story } from '../helpers/contract-story.ts'
import { runHook } from '../helpers/run-hook.ts'
import type { Session } from '../helpers/session.ts'
import { PACKAGE, test, type World } from '../helpers/world.ts'

const SESSION = 'skill-gates/<session id>/'
/** Output that makes a transcript worth remembering. */
const LONG = 'text\n'.repeat(20_000)

/** Rows of a table of the page, below the state root; a trailing slash stands for all that is below. */
function documentedNames(): string[] {
  const page = readFileSync(join(PACKAGE, 'docs/skill-gates.md'), 'utf8')
  const section = page.slice(page.indexOf('## What is kept on disk'))
  const [shared = '', own = ''] = section.split(/^A session's folder has$/m)
  const namesIn = (text: string) =>
    [...text.matchAll(/^\| (`[^|]+)\|/gm)].flatMap(([, cell = '']) =>
      [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
    )
  return [
    ...namesIn(shared).filter((name) => name !== SESSION),
    ...namesIn(own).map((name) => SESSION + name),
  ]
}

const patternOf = (name: string): RegExp =>
  new RegExp(
    `^${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(/<[^<>]+>/g, '[^/]+')}${name.endsWith('/') ? '' : '$'}`,
  )

/** Files, links and empty folders below the state root. */
function leftIn(world: World): string[] {
  const names = readdirSync(world.stateRoot, { recursive: true, withFileTypes: true }).map((entry) => {
    const name = join(entry.parentPath, entry.name).slice(world.stateRoot.length + 1)
    return entry.isDirectory() ? `${name}/` : name
  })
  return names.filter(
    (name) => !name.endsWith('/') || !names.some((other) => other !== name && other.startsWith(name)),
  )
}

/** Sessions of each kind, with what makes them write. */
async function playEverything(world: World): Promise<void> {
  leaveOldSession(world)
  fillLog(world)
  await world.program('gstack-config', 'set', 'skill_routing', 'on')
  install(world, 'investigate')
  const { repo, session } = await armed(world, 'dirty-start')
  const other = await armIn(world, repo)
  await manyFilesAndCommits(session)
  await session.bash('echo fix >>src/new-1.js')
  repo.append('src/new-2.js', 'fix\n')
  await session.hook('PostToolUse', { run: { killPoint: 'replace-kept' } })
  await other.session.check('PreToolUse')
  // Younger skills are not cached.
  await sleep(2_100)
  await askForRoute(world, session)
  await stopAt(
    world,
    transcriptOf(world, story().loads('investigate').bash('cat a', { result: LONG }).edits().says('Fixed.')),
  )
  await stopAt(world, transcriptOf(world, 'no transcript\n', 's2'), { session: 's2' })
  await world.run(join(PACKAGE, 'bin/gstack-slug'), [], { cwd: repo.folder })
}

/** Files that a remote has, so that they are gated; then changes of more than a block names, and a commit. */
async function manyFilesAndCommits(session: Session): Promise<void> {
  await session.bash(
    'for at in $(seq 21); do echo old >src/new-$at.js; done; git add src && git commit -qm more && git push -q . HEAD:refs/remotes/origin/main',
  )
  await session.bash('for file in src/new-*.js; do echo fix >>$file; done')
  await session.bash('echo fix >>src/new-1.js && git commit -qm fix src/new-1.js')
}

async function askForRoute(world: World, { id, transcript, cwd }: Session): Promise<void> {
  const place = { session_id: id, transcript_path: transcript.file, cwd }
  await runHook(
    world,
    { ...place, hook_event_name: 'UserPromptSubmit', prompt: 'fix this bug' },
    { hook: 'skill-route' },
  )
}

/** Swept when a gate arms. */
function leaveOldSession({ stateRoot }: World): void {
  const folder = join(stateRoot, 'skill-gates', 'old')
  mkdirSync(folder, { recursive: true })
  const longAgo = new Date(0)
  utimesSync(folder, longAgo, longAgo)
}

/** So that the next line begins a new one. */
function fillLog({ stateRoot }: World): void {
  mkdirSync(join(stateRoot, 'hooks'))
  writeFileSync(join(stateRoot, 'hooks', 'investigate-gate.log'), 'x'.repeat(1024 * 1024))
}

test('every file below the state root has its row, and every row has a file', async ({ world }) => {
  await playEverything(world)

  const left = leftIn(world)
  const names = documentedNames()
  expect(left.filter((file) => !names.some((name) => patternOf(name).test(file)))).toEqual([])
  expect(names.filter((name) => !left.some((file) => patternOf(name).test(file)))).toEqual([])
})
