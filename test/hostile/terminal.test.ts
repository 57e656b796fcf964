import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { armIn } from '../helpers/armed.ts'
import { openRepo, type Repo } from '../helpers/repo.ts'
import { test, type World } from '../helpers/world.ts'

/** Sets the window's title, clears the screen, and writes an old line anew. */
const ESCAPES = '\u001b]0;owned\u0007\u001b[2J\u009b1A'
const TRACKED = `src/${ESCAPES}.js`

/** What a terminal would act on; a newline and a tab are harmless. */
// eslint-disable-next-line no-control-regex -- control characters are what is looked for
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/

async function hostileRepo(world: World): Promise<Repo> {
  const made = await world.shellRepo('new_repo; echo base > README.md; save')
  const folder = join(made.folder, '..', `project${ESCAPES}`)
  await world.run('mv', [made.folder, folder])
  const repo = openRepo(folder)
  repo.write(TRACKED, 'one\n')
  repo.git('add', '-A')
  repo.git('commit', '-qm', `base ${ESCAPES}`)
  return repo
}

describe('escape sequences in names never reach a terminal as they are:', () => {
  test('in what a hook answers about a file that it put back', async ({ world }) => {
    const repo = await hostileRepo(world)
    const { session } = await armIn(world, repo)
    repo.append(TRACKED, 'fix\n')

    const answer = await session.check('PostToolUse')

    expect(answer.decision).toBe('block')
    expect(repo.read(TRACKED)).toBe('one\n')
    for (const text of [answer.reason, answer.systemMessage, answer.stderr]) expect(text).not.toMatch(CONTROL)
  })

  test('in what a hook answers about a commit that it undid', async ({ world }) => {
    const repo = await hostileRepo(world)
    const { session } = await armIn(world, repo)
    repo.append(TRACKED, 'fix\n')
    repo.git('checkout', '-qb', 'odd\u0080name')
    repo.git('commit', '-qam', `fix ${ESCAPES}`)

    const answer = await session.check('PostToolUse')

    expect(answer.decision).toBe('block')
    for (const text of [answer.reason, answer.systemMessage, answer.stderr]) expect(text).not.toMatch(CONTROL)
  })

  test('in what a hook says when a path of the payload fails', async ({ world }) => {
    const repo = await hostileRepo(world)
    const { session } = await armIn(world, repo)

    const answer = await session.hook('PostToolUse', {
      payload: { transcript_path: join(world.home, `${ESCAPES}.jsonl`) },
    })

    expect(answer.stderr).toContain('GATE_TRANSCRIPT')
    for (const text of [answer.systemMessage, answer.stderr]) expect(text).not.toMatch(CONTROL)
  })

  const commands: readonly (readonly [string, ...string[]])[] = [
    ['gstack-skill-gates', 'report'],
    ['gstack-skill-gates', 'doctor'],
    ['gstack-skill-gates', `no-such-command${ESCAPES}`],
    ['gstack-skill-gates', 'report', '--session', ESCAPES],
    ['gstack-skill-route', '--explain', `fix ${ESCAPES} bug`],
    ['gstack-skill-contract', 'check', ESCAPES],
  ]
  for (const [program, ...args] of commands)
    test(`by ${program} ${args.join(' ').replaceAll(ESCAPES, '<escapes>')}`, async ({ world }) => {
      const repo = await hostileRepo(world)
      const { session } = await armIn(world, repo)
      repo.append(TRACKED, 'fix\n')
      await session.check('PostToolUse')
      const skill = join(world.configDir, 'skills', 'broken')
      mkdirSync(skill)
      writeFileSync(join(skill, 'SKILL.md'), `---\nname: "${ESCAPES}"\ntriggers: [fix ${ESCAPES} bug\n---\n`)

      const ran = await world.program(program, ...args)

      expect(`${ran.stdout}${ran.stderr}`).not.toBe('')
      for (const text of [ran.stdout, ran.stderr]) expect(text).not.toMatch(CONTROL)
    })
})
