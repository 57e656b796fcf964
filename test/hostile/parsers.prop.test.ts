import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { GateError } from '../../src/core/errors.ts'
import { hookCommand, registrationsOf } from '../../src/core/registration.ts'
import { asRepoPath, showPath, toSessionId } from '../../src/core/ids.ts'
import { printable } from '../../src/core/printable.ts'
import { readHead, readRefs, readReflog, readFetchHead, readTips } from '../../src/git/refs.ts'
import { readPayload } from '../../src/hook/payload.ts'
import { readConfigValue } from '../../src/store/config-file.ts'
import { readFrontmatter } from '../../src/store/frontmatter.ts'
import { applyRegistrations } from '../../src/store/settings-text.ts'
import { readEvents } from '../../src/transcript/event.ts'
import { NO_FACTS } from '../../src/transcript/facts.ts'
import { foldEvents } from '../../src/transcript/fold-facts.ts'
import { GIT_ENV } from '../helpers/git.ts'
import { IS_LONG } from '../helpers/long.ts'
import { temporaryDir } from '../helpers/temporary-dir.ts'
import { damaged, mistyped } from './damage.ts'

const RUNS = { numRuns: IS_LONG ? 20_000 : 300 }

const PAYLOAD = Buffer.from(
  JSON.stringify({
    session_id: 's-1',
    transcript_path: '/t.jsonl',
    cwd: '/w',
    hook_event_name: 'PreToolUse',
    tool_name: 'Edit',
    tool_use_id: 'toolu_1',
    tool_input: { file_path: '/w/a.js', edits: [{ old_string: 'a' }] },
    background_tasks: [{ id: 'b' }],
    last_assistant_message: 'Root cause: x',
  }),
)

/** One record of each shape that the client writes. */
const RECORDS = [
  {
    type: 'user',
    message: { role: 'user', content: '/investigate' },
    timestamp: '2026-01-01T00:00:00Z',
    cwd: '/w',
  },
  {
    type: 'assistant',
    isSidechain: false,
    message: {
      id: 'm1',
      content: [
        { type: 'text', text: 'Root cause: x, src/a.js:1' },
        { type: 'tool_use', id: 't1', name: 'Skill', input: { skill: 'investigate' } },
        { type: 'tool_use', id: 't2', name: 'Read', input: { file_path: '/w/a.js' } },
      ],
    },
  },
  {
    type: 'user',
    toolUseResult: { interrupted: false },
    message: {
      content: [
        { type: 'tool_result', tool_use_id: 't2', content: [{ type: 'text', text: 'a' }], is_error: false },
      ],
    },
  },
  {
    type: 'attachment',
    attachment: { type: 'hook_cancelled', hookEvent: 'Stop', command: 'x', timedOut: true },
  },
  { type: 'queue-operation', operation: 'enqueue', content: 'x' },
].map((record) => Buffer.from(JSON.stringify(record)))

/** Damaged in its bytes, in its types, or in both. */
const broken = (text: Buffer) =>
  fc.oneof(
    damaged.map((damage) => damage(text)),
    mistyped.map((damage) => damage(text)),
    fc.tuple(mistyped, damaged).map(([first, second]) => second(first(text))),
  )

test('a payload is read as JSON.parse reads it, or is GATE_BAD_PAYLOAD', () => {
  fc.assert(
    fc.property(broken(PAYLOAD), (bytes) => {
      try {
        const payload = readPayload(bytes)
        const fields = JSON.parse(bytes.toString('utf8')) as Record<string, unknown>
        expect(payload).toMatchObject({
          session: fields['session_id'],
          cwd: fields['cwd'],
          event: fields['hook_event_name'],
        })
        expect(toSessionId(payload.session)).toBe(payload.session)
      } catch (error) {
        expect(error).toBeInstanceOf(GateError)
        expect(error).toMatchObject({ code: 'GATE_BAD_PAYLOAD' })
      }
    }),
    RUNS,
  )
})

test('no line of a transcript is too odd to be folded', () => {
  const line = fc.constantFrom(...RECORDS).chain(broken)
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 8 }),
      fc.constantFrom('main' as const, 'agent' as const),
      (lines, speaker) => {
        const events = lines.flatMap((bytes, index) => readEvents(bytes.toString('utf8'), index))
        const facts = foldEvents(NO_FACTS, events, speaker)

        expect(JSON.parse(JSON.stringify(facts))).toEqual(
          JSON.parse(JSON.stringify(foldEvents(NO_FACTS, events, speaker))),
        )
      },
    ),
    RUNS,
  )
})

test('a config.yaml of any bytes has a value, no value, or cannot be read', () => {
  const root = temporaryDir()
  const config = Buffer.from('# mine\ninvestigate_gate: on\r\nteam_mode: true\nskill_routing:\n')
  fc.assert(
    fc.property(damaged, (damage) => {
      writeFileSync(join(root, 'config.yaml'), damage(config))
      expect(['value', 'unreadable']).toContain(readConfigValue(root, 'investigate_gate').kind)
    }),
    RUNS,
  )
})

test('settings.json gets its registrations where it parses; else it is named in an error and stays', () => {
  const settings = Buffer.from(
    '{\n  "model": "opus",\n  "hooks": { "Stop": [{ "hooks": [{ "type": "command", "command": "x" }] }] }\n}\n',
  )
  const wanted = registrationsOf('/opt/gates', ['investigate-gate'])
  fc.assert(
    fc.property(broken(settings), (bytes) => {
      const changed = unlessGateError(() =>
        applyRegistrations(bytes.toString('utf8'), wanted, 'settings.json'),
      )
      if (changed === undefined) return
      expect(JSON.stringify(JSON.parse(changed.replace(/^\ufeff/, '')))).toContain(
        hookCommand('/opt/gates', 'investigate-gate'),
      )
    }),
    RUNS,
  )
})

function unlessGateError<T>(attempt: () => T): T | undefined {
  try {
    return attempt()
  } catch (error) {
    if (error instanceof GateError) return undefined
    throw error
  }
}

test('the frontmatter of any SKILL.md is read, missing or broken with a reason', () => {
  const skill = Buffer.from(
    '---\nname: investigate\ntriggers:\n  - fix this bug\ncontract:\n  version: 1\n  items: []\n---\nbody\n',
  )
  fc.assert(
    fc.property(damaged, (damage) => {
      const frontmatter = readFrontmatter(damage(skill).toString('utf8'))
      if (frontmatter.kind === 'broken') expect(frontmatter.why).not.toBe('')
    }),
    RUNS,
  )
})

test('a shown path is one line without a control character, and different paths are shown differently', () => {
  const path = fc
    .uint8Array({ minLength: 1, maxLength: 24 })
    .map((bytes) => asRepoPath(Buffer.from(bytes).toString('latin1')))
  fc.assert(
    fc.property(path, path, (one, other) => {
      // eslint-disable-next-line no-control-regex -- control characters are what is looked for
      expect(showPath(one)).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/)
      expect(printable(showPath(one))).toBe(showPath(one))
      if (one !== other) expect(showPath(one)).not.toBe(showPath(other))
    }),
    RUNS,
  )
})

describe('git’s own files of any bytes are read, or are GATE_GIT:', () => {
  for (const name of ['HEAD', 'packed-refs', 'refs/heads/main', 'logs/HEAD', 'FETCH_HEAD', 'logs/refs/stash'])
    test(name, () => {
      const gitDir = join(temporaryRepository(), '.git')
      const dirs = { gitDir, commonDir: gitDir }
      const file = join(gitDir, name)
      const before = readFileSync(file)
      fc.assert(
        fc.property(damaged, (damage) => {
          writeFileSync(file, damage(before))
          try {
            readHead(dirs)
            const list = readRefs(dirs)
            readReflog(dirs, 'HEAD')
            readFetchHead(dirs)
            for (const tip of readTips(dirs, list, new Set())) expect(tip).toMatch(/^[0-9a-f]{40}$/)
          } catch (error) {
            expect(error).toMatchObject({ code: 'GATE_GIT' })
          }
        }),
        RUNS,
      )
    })
})

function temporaryRepository(): string {
  const root = join(temporaryDir(), 'repo')
  mkdirSync(root)
  const script = `git init -q -b main . && git config user.email dev@example.invalid && git config user.name Dev
    echo a > a && git add a && git commit -qm a && git tag t && echo b > a && git stash -q
    git branch other && git pack-refs --all && git commit -q --allow-empty -m b && git fetch -q . main`
  execFileSync('bash', ['-ec', script], { cwd: root, env: GIT_ENV })
  return root
}
