/** Names in a payload, and in git's objects, that would lead out of the folder they belong to. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect } from 'vitest'
import type { Repo } from '../helpers/repo.ts'
import { test, type World } from '../helpers/world.ts'
import { patient } from '../reliability/passes.ts'

const OUT = '../../../../../../planted'

/** Everything below a folder, by path and content. */
const filesBelow = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((file) => [file, readFileSync(file, 'latin1')]),
  )

/** Whatever is not the state root of this world, nor Claude Code's own folder. */
function outsideOf(world: World): Record<string, string> {
  const ours = [world.stateRoot, world.configDir]
  return Object.fromEntries(
    Object.entries(filesBelow(world.folder)).filter(
      ([file]) => !ours.some((folder) => file.startsWith(`${folder}/`)),
    ),
  )
}

describe('a name that leads out of its folder writes nothing there:', () => {
  for (const [field, value] of [
    ['tool_use_id', OUT],
    ['tool_use_id', '/tmp/planted'],
    ['agent_id', OUT],
    ['hook_event_name', OUT],
    ['tool_name', OUT],
  ] as const)
    test(`${field} ${value}`, async ({ world }) => {
      const { repo, session } = await patient(world)
      repo.append('src/cart.js', 'fix\n')
      const fixed = repo.read('src/cart.js')
      const before = outsideOf(world)

      const answer = await session.hook('PostToolUse', { payload: { [field]: value } })
      await session.check('PostToolUse')

      const put = repo.path('src/cart.js')
      expect(answer.exitCode).toBe(0)
      expect(outsideOf(world)).toEqual({ ...before, [put]: repo.committed('src/cart.js') })
      expect(existsSync('/tmp/planted')).toBe(false)
      expect(Object.values(filesBelow(session.stateFolder))).toContain(fixed)
    })

  test('a transcript path that names a file of the person: it is only read, and none of it is shown', async ({
    world,
  }) => {
    const { repo, session } = await patient(world)
    const secret = join(world.home, 'secret.txt')
    writeFileSync(secret, 'password: hunter2\n')
    repo.append('src/cart.js', 'fix\n')

    const answer = await session.hook('PostToolUse', {
      payload: { transcript_path: `${dirname(session.transcript.file)}/../../../secret.txt` },
    })

    expect(answer.exitCode).toBe(0)
    expect(answer.stdout + answer.stderr).not.toContain('hunter2')
    expect(readFileSync(secret, 'utf8')).toBe('password: hunter2\n')
    expect(JSON.stringify(filesBelow(world.stateRoot))).not.toContain('hunter2')
  })
})

describe('an edit whose path climbs', () => {
  test('back into the tree is denied as the file that it names', async ({ world }) => {
    const { repo, session } = await patient(world)

    const answer = await session.hook('PreToolUse', {
      tool: 'Write',
      input: { file_path: 'x', content: 'fix' },
      payload: {
        tool_input: { file_path: `${repo.folder}/docs/../../${repo.name}/src/cart.js`, content: 'fix' },
      },
    })

    expect(answer.decision, answer.stderr).toBe('deny')
    expect(answer.reason).toContain('src/cart.js')
  })

  test('out of the tree is none of the gate’s business', async ({ world }) => {
    const { repo, session } = await patient(world)

    const answer = await session.hook('PreToolUse', {
      tool: 'Write',
      input: { file_path: 'x', content: 'fix' },
      payload: { tool_input: { file_path: `${repo.folder}/src/../../elsewhere.js`, content: 'fix' } },
    })

    expect(answer.decision).toBeUndefined()
  })
})

/** A commit whose tree has `<folder>/evil.js`, which no git would check out. */
function commitHostilePath(repo: Repo, folder: string): void {
  repo.sh(`
    blob=$(echo theirs | git hash-object -w --stdin)
    inner=$(printf '100644 blob %s\\tevil.js\\n' $blob | git mktree)
    outer=$({ git cat-file tree HEAD^{tree}; printf '40000 ${folder}\\0'; printf $inner | sed 's/../\\\\x&/g' | xargs -0 printf '%b'; } |
      git hash-object -w -t tree --stdin --literally)
    git update-ref HEAD $(git commit-tree -p HEAD -m hostile $outer)
  `)
}

describe('a commit with a path that leads to', () => {
  for (const [place, folder] of [
    ['the folder above', '..'],
    ['git’s own folder', '.git'],
  ] as const) {
    test(`${place} is an error before the gate arms, and nothing there is touched`, async ({ world }) => {
      const repo = world.repo('plain')
      const target = join(repo.folder, folder, 'evil.js')
      commitHostilePath(repo, folder)
      writeFileSync(target, 'mine\n')
      const session = world.session().loads('investigate')

      const answer = await session.arm()
      await session.stop()

      expect(answer.markers).toMatchObject([{ event: 'error', fields: { code: 'GATE_GIT' } }])
      expect(readFileSync(target, 'utf8')).toBe('mine\n')
    })

    test(`${place}, made while the gate is armed, hides no fix, and nothing there is touched`, async ({
      world,
    }) => {
      const { repo, session } = await patient(world)
      const target = join(repo.folder, folder, 'evil.js')
      commitHostilePath(repo, folder)
      writeFileSync(target, 'mine\n')
      repo.append('src/cart.js', 'fix\n')

      const answer = await session.check('PostToolUse')

      expect(answer.decision, answer.stderr).toBe('block')
      expect(answer.reason).toContain('src/cart.js')
      expect(repo.read('src/cart.js')).toBe(repo.committed('src/cart.js', 'HEAD~1'))
      expect(readFileSync(target, 'utf8')).toBe('mine\n')
    })
  }
})
