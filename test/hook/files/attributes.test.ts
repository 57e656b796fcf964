import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect } from 'vitest'
import { armIn } from '../../helpers/armed.ts'
import { checkStep, expectStandard } from '../../helpers/standard.ts'
import { test, type World } from '../../helpers/world.ts'

const SETUP = "new_repo; mkdir lib; printf 'a\\n' > src/a.js; printf 'b\\n' > lib/b.js; save"
const EXEMPTS = '*.js linguist-generated\n'

describe('attributes that are written later exempt nothing:', () => {
  const places: readonly [name: string, write: (world: World, folder: string) => void][] = [
    ['.gitattributes', (_, folder) => writeFileSync(join(folder, '.gitattributes'), EXEMPTS)],
    [
      '.gitattributes of the folder',
      (_, folder) => writeFileSync(join(folder, 'src/.gitattributes'), EXEMPTS),
    ],
    ['.git/info/attributes', (_, folder) => writeIn(join(folder, '.git/info/attributes'))],
    ['the person’s own attributes', ({ home }) => writeIn(join(home, '.config/git/attributes'))],
    [
      'a file that core.attributesFile names later',
      ({ home }) => {
        writeIn(join(home, 'attributes'))
        writeFileSync(join(home, '.gitconfig'), '[core]\n\tattributesFile = ~/attributes\n')
      },
    ],
  ]
  for (const [name, write] of places) {
    test(name, async ({ world }) => {
      const { repo, session } = await armIn(world, await world.shellRepo(SETUP))

      const step = await checkStep({ world, repo, session, event: 'PostToolUse' }, () => {
        write(world, repo.folder)
        repo.append('src/a.js', 'fix\n')
      })

      expect(step.answer.reason).toContain('src/a.js')
      expect(repo.read('src/a.js')).toBe('a\n')
      expect((await session.edit(repo.path('lib/b.js'), 'fix\n')).decision).toBe('deny')
    })
  }

  test('also when they are committed', async ({ world }) => {
    const { repo, session } = await armIn(world, await world.shellRepo(SETUP))
    repo.sh(`printf '${EXEMPTS}' > .gitattributes; git add -A; git commit -qm attributes`)
    await session.check('PostToolUse')

    const step = await checkStep({ world, repo, session, event: 'PostToolUse' }, () =>
      repo.append('src/a.js', 'fix\n'),
    )

    await expectStandard(step, ['src/a.js'])
  })
})

test('the person’s own attributes hold as they were when the gate armed', async ({ world }) => {
  const own = join(world.home, '.config/git/attributes')
  writeIn(own, '*.js text eol=crlf\nlib/* linguist-generated\n')
  const repo = await world.shellRepo(`${SETUP}; printf 'a\\r\\n' > src/a.js`)
  const { session } = await armIn(world, repo)
  writeIn(own, '*.js -text\n')
  repo.sh('echo fix >> src/a.js; echo generated > lib/b.js')

  const answer = await session.check('PostToolUse')

  expect(repo.read('src/a.js')).toBe('a\r\n')
  expect(repo.read('lib/b.js')).toBe('generated\n')
  expect(answer.systemMessage).toContain('settings that convert content')
})

function writeIn(file: string, content = EXEMPTS): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
}
