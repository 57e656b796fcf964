/** The calls that are measured, each against the program that it is held to. */

import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rootCertificates } from 'node:tls'
import { EXAMPLE_CONTRACT, REPORT } from '../helpers/contract-story.ts'
import { git } from '../helpers/git.ts'
import { newCallId } from '../helpers/session-records.ts'
import { changeFiles, settle, type Forest } from './forest.ts'
import { timeOnce, type Command } from './measure.ts'
import { createStage, installSkills, type Stage, type TimedSession } from './stage.ts'

export interface Row {
  readonly name: string
  /** Highest ratio of the medians. */
  readonly target: number
  /** What it is held against, in words. */
  readonly against: string
  /** Makes all that the two commands need. */
  make(): { readonly subject: Command; readonly reference: Command }
}

export interface Field {
  /** Where stages are made. */
  readonly folder: string
  readonly packageRoot: string
  /** A repository of so many files; `twin` is a second one of the same content, for the reference. */
  forest(files: number, twin?: 'twin'): Forest
}

const MIB = 1024 * 1024
/** Rows are trusted when nothing has changed for longer than this; twice what the file system's clock may be off. */
const TRUSTED_S = '0.04'
const GATE = 'investigate-gate'
const FIVE_QUESTIONS =
  'git rev-parse HEAD; git for-each-ref; git stash list; git diff-files --quiet; git diff-index --cached --quiet HEAD'
const STATUS = ['status', '--porcelain', '-uno']

/** Calls after which a hook has nothing to do. */
export function idleRows(field: Field): Row[] {
  const row = (
    name: string,
    prepare: (stage: Stage, session: TimedSession) => Readonly<Record<string, string>>,
  ): Row => ({
    name,
    target: 0.1,
    against: 'node -e 0',
    make() {
      const stage = createStage(field.folder, field.packageRoot)
      const repo = smallRepo(field)
      const session = stage.session(repo)
      const env = prepare(stage, session)
      const subject = stage.hook(GATE, session.bash('PreToolUse'), env)
      return { subject: saysNothing(subject), reference: nothing(stage) }
    },
  })
  const certificates = (stage: Stage) => ({ NODE_EXTRA_CA_CERTS: writeCertificates(stage) })
  return [
    row('switch off', () => ({ GSTACK_INVESTIGATE_GATE: 'off' })),
    row('unarmed', () => ({})),
    row('unarmed, transcript of 30 MiB', (_, session) => {
      session.pads(30 * MIB)
      return {}
    }),
    row('unarmed, NODE_EXTRA_CA_CERTS set', certificates),
    row('released', (_, session) => {
      releaseRun(session)
      return {}
    }),
    row('released, transcript of 30 MiB', (_, session) => {
      session.pads(30 * MIB)
      releaseRun(session)
      return {}
    }),
  ]
}

/** An armed session whose tree is as it was. */
export function unchangedRow(field: Field, files: number): Row {
  return {
    name: `armed, nothing changed, ${withCommas(files)} files`,
    target: 0.8,
    against: 'the five git questions',
    make() {
      const stage = createStage(field.folder, field.packageRoot)
      const forest = field.forest(files)
      const session = arm(stage, forest)
      return {
        subject: saysNothing(stage.hook(GATE, session.bash('PreToolUse'))),
        reference: stage.program('sh', ['-c', FIVE_QUESTIONS], forest.folder),
      }
    },
  }
}

export function armingRow(field: Field, files: number): Row {
  return {
    name: `arming, ${withCommas(files)} files, clean`,
    target: 1,
    against: 'git status --porcelain -uno',
    make() {
      const stage = createStage(field.folder, field.packageRoot)
      const forest = field.forest(files)
      const session = stage.session(forest.folder).loads('investigate')
      const subject = stage.hook(GATE, session.bash('PreToolUse'))
      return {
        subject: {
          ...subject,
          prepare: () => rmSync(join(stage.stateRoot, 'skill-gates'), { recursive: true, force: true }),
          isDone: (stdout) => stdout.includes(' fired '),
        },
        reference: stage.program('git', STATUS, forest.folder),
      }
    },
  }
}

/** Puts back so many changed files of a tree. */
export function putBackRow(field: Field, files: number, changed: number): Row {
  const isOne = changed === 1
  return {
    name: `${isOne ? 'one changed file' : `${withCommas(changed)} changed files`} put back, ${withCommas(files)} files`,
    target: isOne ? 1.2 : 1.5,
    against: isOne ? 'git status --porcelain -uno' : 'git checkout -- . on the same changes',
    make() {
      const stage = createStage(field.folder, field.packageRoot)
      const [forest, twin] = [field.forest(files), field.forest(files, 'twin')]
      const session = arm(stage, forest)
      let marks = 0
      const change = (tree: Forest) => () => {
        marks += 1
        changeFiles(tree, changed, `change ${marks}`)
      }
      // As a session goes: a call that changes nothing, then one that does. The first pins rows that are old enough by now.
      const lookAndChange = () => {
        for (const event of ['PreToolUse', 'PostToolUse'] as const) {
          execFileSync('sleep', [TRUSTED_S])
          session.run(GATE, session.bash(event))
        }
        change(forest)()
      }
      return {
        subject: {
          ...stage.hook(GATE, session.bash('PostToolUse')),
          prepare: lookAndChange,
          isDone: (stdout) => stdout.includes('"decision":"block"'),
        },
        reference: isOne
          ? stage.program('git', STATUS, twin.folder)
          : { ...stage.program('git', ['checkout', '-q', '--', '.'], twin.folder), prepare: change(twin) },
      }
    },
  }
}

const SKILLS = 65

export function promptRow(field: Field): Row {
  return {
    name: `a prompt through routing, ${SKILLS} skills`,
    target: 1.3,
    against: 'node -e 0',
    make() {
      const stage = createStage(field.folder, field.packageRoot)
      installSkills(stage, SKILLS, EXAMPLE_CONTRACT)
      const session = stage.session(stage.home)
      const payload = {
        session_id: session.id,
        transcript_path: session.transcript.file,
        cwd: stage.home,
        hook_event_name: 'UserPromptSubmit',
        prompt:
          'the login page shows an error since this morning, please find the root cause and fix this bug',
      }
      const subject = stage.hook('skill-route', payload, { GSTACK_SKILL_ROUTING: 'on' })
      return {
        subject: { ...subject, isDone: (stdout) => stdout.includes('investigate') },
        reference: nothing(stage),
      }
    },
  }
}

export function contractRow(field: Field): Row {
  return {
    name: 'Stop with a contract, transcript of 10 MiB, second check',
    target: 1.5,
    against: 'node -e 0',
    make() {
      const stage = createStage(field.folder, field.packageRoot)
      installSkills(stage, SKILLS, EXAMPLE_CONTRACT)
      const session = stage
        .session(stage.home)
        .pads(5 * MIB)
        .loads('checked')
        .pads(5 * MIB)
      edit(session)
      session.says(REPORT)
      const subject = stage.hook('skill-contract', session.stop(REPORT), { GSTACK_SKILL_CONTRACTS: 'on' })
      timeOnce({ ...subject, isDone: (stdout) => stdout.includes('SKILL_CONTRACT_UNMET') })
      const record = join(stage.stateRoot, 'skill-contracts', `${session.id}.json`)
      const afterBlock = readFileSync(record)
      const prepare = () => {
        writeFileSync(record, afterBlock)
        session.transcript.user('Stop hook feedback:\nSKILL_CONTRACT_UNMET', { isMeta: true })
        session.says(REPORT)
      }
      return { subject: { ...saysNothing(subject), prepare }, reference: nothing(stage) }
    },
  }
}

/** What starting any process costs here, which every other figure contains. */
export function harnessRow(field: Field): Row {
  return {
    name: 'an empty program',
    target: Infinity,
    against: 'node -e 0',
    make() {
      const stage = createStage(field.folder, field.packageRoot)
      return { subject: stage.program('/bin/true', []), reference: nothing(stage) }
    },
  }
}

function arm(stage: Stage, forest: Forest): TimedSession {
  settle(forest)
  const session = stage.session(forest.folder).loads('investigate')
  // Rows that were too young to be trusted at the first look are pinned anew at the second.
  for (let look = 0; look < 2; look++) session.run(GATE, session.bash('PreToolUse'))
  return session
}

function releaseRun(session: TimedSession): void {
  session.loads('investigate').run(GATE, session.bash('PreToolUse'))
  const id = newCallId()
  session.transcript.toolUse(id, 'Read', { file_path: 'src/cart.ts' })
  session.transcript.toolResult(id, '1\texport const total = 1\n')
  session.says('Root cause: src/cart.ts:12 counts the discount twice').run(GATE, session.bash('PreToolUse'))
}

function edit(session: TimedSession): void {
  const id = newCallId()
  session.transcript.toolUse(id, 'Edit', { file_path: 'src/cart.ts', old_string: 'a', new_string: 'b' })
  session.transcript.toolResult(id, 'The file src/cart.ts has been updated.')
}

const nothing = (stage: Stage): Command => stage.program(process.execPath, ['-e', '0'])

const saysNothing = (command: Command): Command => ({ ...command, isDone: (stdout) => stdout === '' })

function smallRepo({ folder }: Field): string {
  const repo = mkdtempSync(join(folder, 'repo-'))
  git(repo, ['init', '-q', '-b', 'main'])
  mkdirSync(join(repo, 'src'))
  writeFileSync(join(repo, 'src/cart.ts'), 'export const total = 1\n')
  git(repo, ['add', '.'])
  git(repo, ['-c', 'user.name=Dev', '-c', 'user.email=dev@example.invalid', 'commit', '-qm', 'base'])
  return repo
}

/** As many certificates as a corporate bundle has: those that Node brings along. */
function writeCertificates({ home }: Stage): string {
  const file = join(home, 'certificates.pem')
  writeFileSync(file, `${rootCertificates.join('\n')}\n`)
  return file
}

const withCommas = (value: number): string => value.toLocaleString('en-US')
