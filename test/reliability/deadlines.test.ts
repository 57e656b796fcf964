import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { armed, armIn } from '../helpers/armed.ts'
import { IS_LONG } from '../helpers/long.ts'
import { runHook } from '../helpers/run-hook.ts'
import { test } from '../helpers/world.ts'
import { startReview } from '../hook/ceo-review/review.ts'
import { CAN_FAULT, faultAt } from './file-faults.ts'
import { MILLION_FILES } from './million.ts'

/** The registration's 25 seconds: whoever takes longer is killed by the client. */
const CLIENT_KILLS_AFTER_MS = 25_000

describe.skipIf(!CAN_FAULT)('a slow file system', () => {
  test(
    'ends a check by its own deadline, and the next check finishes',
    { timeout: 90_000 },
    async ({ world }) => {
      const { repo, session } = await armed(world)
      const before = repo.snapshot()
      repo.append('src/cart.js', 'fix\n')
      const deadline = { GSTACK_SKILL_GATE_DEADLINE_MS: '2000' }

      const slow = await session.hook('PostToolUse', {
        run: { preload: { ...faultAt(world, 'delay:30000'), ...deadline } },
      })
      world.env['GSTACK_SKILL_GATE_DEADLINE_MS'] = '20000'
      const next = await session.check('PostToolUse')

      expect(slow.exitCode).toBe(0)
      expect(slow.markers).toMatchObject([{ event: 'error', fields: { code: 'GATE_TIMEOUT' } }])
      expect(slow.ms).toBeLessThan(CLIENT_KILLS_AFTER_MS)
      expect(next.decision, next.stderr).toBe('block')
      expect(next.reason).toContain('src/cart.js')
      expect(repo.snapshot()).toEqual(before)
    },
  )

  test(
    'in which one step takes longer than the whole deadline ends the hook all the same',
    { timeout: 90_000 },
    async ({ world }) => {
      const { repo, session } = await armed(world)
      repo.append('src/cart.js', 'fix\n')
      const deadline = { GSTACK_SKILL_GATE_DEADLINE_MS: '500' }

      const hung = await session.hook('PostToolUse', {
        run: { preload: { ...faultAt(world, 'delay:400000'), ...deadline } },
      })
      world.env['GSTACK_SKILL_GATE_DEADLINE_MS'] = '20000'
      const next = await session.check('PostToolUse')

      expect(hung.exitCode).toBe(0)
      expect(hung.markers).toMatchObject([{ event: 'error', fields: { code: 'GATE_TIMEOUT' } }])
      expect(hung.ms).toBeLessThan(CLIENT_KILLS_AFTER_MS)
      expect(next.reason + next.systemMessage).toContain('src/cart.js')
    },
  )
})

test.skipIf(!CAN_FAULT)(
  'a file system that hangs while the tree is looked at ends the hook all the same, and no kill is told of',
  { timeout: 90_000 },
  async ({ world }) => {
    const { repo, session } = await armed(world)
    repo.append('src/cart.js', 'fix\n')
    const preload = { ...faultAt(world, '1:hang'), GATE_FAULT_UNDER: repo.path('src') }

    const hung = await session.hook('PostToolUse', {
      run: { preload: { ...preload, GSTACK_SKILL_GATE_DEADLINE_MS: '1000' } },
    })
    const next = await session.check('PostToolUse')

    expect(hung.exitCode).toBe(0)
    expect(hung.markers).toMatchObject([{ event: 'error', fields: { code: 'GATE_TIMEOUT' } }])
    expect(hung.ms).toBeLessThan(CLIENT_KILLS_AFTER_MS)
    expect(next.decision, next.stderr).toBe('block')
    expect(next.reason + next.systemMessage).not.toContain('GATE_KILLED')
  },
)

const nested = (open: string, depth: number): string => `${open.repeat(depth)}x\n`

/** Texts that slow careless parsers down to hours. */
const MARKDOWN_BOMBS: Readonly<Record<string, string>> = {
  'nested quotes': nested('> ', 20_000),
  'nested lists': Array.from({ length: 3_000 }, (_, depth) => `${' '.repeat(depth * 2)}- x`).join('\n'),
  'open brackets': `${'['.repeat(60_000)}\n`,
  'emphasis that never closes': `${'*a _b '.repeat(40_000)}\n`,
  'backticks of every length': Array.from({ length: 2_000 }, (_, length) => '`'.repeat(length)).join(' '),
}

describe('a hostile text', () => {
  for (const [name, text] of Object.entries(MARKDOWN_BOMBS))
    test(
      `of Markdown, ${name}, is answered before the client would kill`,
      { timeout: 60_000 },
      async ({ world }) => {
        world.repo('plain')
        const review = startReview(world).writes('plan.md', `# Plan\n\n## Findings\n\n${text}`)

        const answer = await review.stop()

        expect(answer.exitCode).toBe(0)
        expect(answer.stdout).not.toBe('')
        expect(answer.ms).toBeLessThan(CLIENT_KILLS_AFTER_MS)
      },
    )

  test(
    'of YAML that grows when it is read routes nothing and is answered in time',
    { timeout: 60_000 },
    async ({ world }) => {
      world.repo('plain')
      world.env['GSTACK_SKILL_ROUTING'] = 'on'
      const rows = Array.from({ length: 30 }, (_, row) => {
        const below = row === 0 ? 'lol' : `*a${String(row - 1)}`
        return `a${String(row)}: &a${String(row)} [${Array(9).fill(below).join(', ')}]`
      })
      mkdirSync(join(world.configDir, 'skills/bomb'), { recursive: true })
      writeFileSync(
        join(world.configDir, 'skills/bomb/SKILL.md'),
        `---\nname: bomb\n${rows.join('\n')}\ntriggers: *a29\n---\n`,
      )

      const answer = await runHook(
        world,
        { hook_event_name: 'UserPromptSubmit', session_id: 's1', prompt: 'fix this bug', cwd: world.home },
        { hook: 'skill-route' },
      )

      expect(answer.exitCode).toBe(0)
      expect(answer.ms).toBeLessThan(CLIENT_KILLS_AFTER_MS)
    },
  )

  test('of a transcript just under its limit is read in time', { timeout: 90_000 }, async ({ world }) => {
    world.env['GSTACK_SKILL_GATE_DEADLINE_MS'] = '20000'
    const { repo, session } = await armed(world)
    repo.append('src/cart.js', 'fix\n')
    const line = `${JSON.stringify({ type: 'system', content: `root cause ${'a'.repeat(900)}` })}\n`
    session.transcript.raw(line.repeat(Math.floor((31 * 1024 * 1024) / line.length)))

    const answer = await session.check('PostToolUse')

    expect(answer.exitCode).toBe(0)
    expect(answer.stdout).not.toBe('')
    expect(answer.ms).toBeLessThan(CLIENT_KILLS_AFTER_MS)
  })

  test(
    'of a reply that is made for slow expressions is judged in time',
    { timeout: 60_000 },
    async ({ world }) => {
      const { repo, session } = await armed(world)
      repo.append('src/cart.js', 'fix\n')
      session.reads('src/cart.js').says(`${' '.repeat(100_000)}x\n${'#'.repeat(50_000)} Root cause: TBD`)

      const answer = await session.check('PreToolUse')

      expect(answer.decision, answer.stderr).toBe('deny')
      expect(answer.ms).toBeLessThan(CLIENT_KILLS_AFTER_MS)
    },
  )
})

test.skipIf(!IS_LONG)(
  'a tree of 1,000,000 files ends in an answer or in GATE_TIMEOUT, before the client would kill',
  { timeout: 3_600_000 },
  async ({ world }) => {
    const repo = await world.shellRepo(MILLION_FILES)
    world.env['GSTACK_SKILL_GATE_DEADLINE_MS'] = '20000'
    const { session } = await armIn(world, repo)
    world.env['GSTACK_SKILL_GATE_DEADLINE_MS'] = '5000'
    repo.append('d0/f1.js', 'fix\n')

    const answer = await session.check('PostToolUse')

    const codes = answer.markers.map(({ fields }) => fields['code'] ?? 'none')
    expect(answer.exitCode).toBe(0)
    expect(['block', 'GATE_TIMEOUT']).toContain(answer.decision ?? codes[0])
    expect(answer.ms).toBeLessThan(CLIENT_KILLS_AFTER_MS)
    expect(existsSync(repo.path('.git/index.lock'))).toBe(false)
  },
)
