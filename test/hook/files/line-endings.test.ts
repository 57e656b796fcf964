import { describe, expect } from 'vitest'
import { armIn } from '../../helpers/armed.ts'
import { checkStep, expectStandard } from '../../helpers/standard.ts'
import { test } from '../../helpers/world.ts'

const latin1 = (text: string) => Buffer.from(text, 'latin1')

/** A repository with these attributes and one file, committed under them and checked out anew. */
const checkedOut = (attributes: string, octal: string) => `
new_repo
printf '${attributes}\\n' > .gitattributes
printf '${octal}' > src/a.js; save
rm src/a.js; git checkout -q -- src/a.js
`

describe('a file comes back byte for byte:', () => {
  const forms: readonly [name: string, attributes: string, written: string, bytes: Buffer][] = [
    ['mixed endings, stored as they are', '', 'a\\r\\nb\\nc\\rd', latin1('a\r\nb\nc\rd')],
    ['mixed endings that git stores as LF', '* text=auto', 'a\\r\\nb\\nc\\n', latin1('a\nb\nc\n')],
    ['mixed endings that git checks out as CRLF', '* text eol=crlf', 'a\\r\\nb\\n', latin1('a\r\nb\r\n')],
    ['Latin-1 under eol=crlf', '* text eol=crlf', 'caf\\351\\n\\240\\n', latin1('caf\xe9\r\n\xa0\r\n')],
    [
      'Shift-JIS under eol=crlf',
      '* text eol=crlf',
      '\\225\\134\\n\\203\\134\\n',
      latin1('\x95\\\r\n\x83\\\r\n'),
    ],
    ['NUL bytes under eol=crlf', '* text eol=crlf', 'a\\000b\\nc', latin1('a\0b\r\nc')],
    ['NUL bytes in automatic text', '* text=auto eol=crlf', 'a\\000b\\nc\\r\\n', latin1('a\0b\nc\r\n')],
    ['a lone CR in automatic text', '* text=auto eol=crlf', 'a\\rb\\n', latin1('a\rb\n')],
  ]
  for (const [name, attributes, written, bytes] of forms) {
    test(name, async ({ world }) => {
      const { repo, session } = await armIn(world, await world.shellRepo(checkedOut(attributes, written)))
      expect(repo.bytes('src/a.js')).toEqual(bytes)

      const step = await checkStep({ world, repo, session, event: 'PostToolUse' }, () =>
        repo.append('src/a.js', 'fix'),
      )

      await expectStandard(step, ['src/a.js'])
      expect(repo.bytes('src/a.js')).toEqual(bytes)
    })
  }
})

const CRLF_STORED = `
new_repo
printf 'a\\r\\n' > src/a.js; printf 'b\\r\\n' > src/b.js; save
git checkout -q -b other; printf 'other\\r\\n' > src/a.js; save other; git checkout -q main
`

describe.each([
  ['autocrlf', `${CRLF_STORED} git config core.autocrlf true`],
  [
    'text=auto',
    `${CRLF_STORED} printf '* text=auto\\n' > .gitattributes; git add .gitattributes; git commit -qm later`,
  ],
  [
    'text',
    `${CRLF_STORED} printf '* text\\n' > .gitattributes; git add .gitattributes; git commit -qm later`,
  ],
])('CRLF in the repository is older than %s, and no change is', (_, setup) => {
  const harmless: readonly [string, string][] = [
    ['a touched file', 'touch src/a.js'],
    ['the same bytes written anew', 'cp src/a.js k; mv k src/a.js'],
    ['a checked-out file', 'echo fix > src/a.js; git checkout -q -- src/a.js'],
    ['a switch of branches', 'git checkout -qf other'],
    ['a switch there and back', 'git checkout -qf other; git checkout -qf main'],
  ]
  for (const [name, script] of harmless) {
    test(name, async ({ world }) => {
      const { repo, session } = await armIn(world, await world.shellRepo(setup))
      repo.sh(script)
      const acted = repo.snapshot()

      const answers = [await session.check('PostToolUse'), await session.stop()]

      expect(answers.map(({ stdout }) => stdout)).toEqual(['', ''])
      expect(repo.snapshot()).toEqual(acted)
    })
  }
})

test('a stash of a CRLF file from before pops without a word', async ({ world }) => {
  const setup = `${CRLF_STORED} git config core.autocrlf true; printf 'user\\r\\n' >> src/a.js; git stash push -q`
  const { repo, session } = await armIn(world, await world.shellRepo(setup))
  repo.sh('git stash pop -q')

  const answer = await session.check('PostToolUse')

  expect(answer.stdout).toBe('')
  expect(repo.read('src/a.js')).toBe('a\r\nuser\r\n')
})

test('a setting that is switched off later hides no fix and makes none', async ({ world }) => {
  const setup = `${checkedOut('', 'a\\nb\\n')} git config core.autocrlf true; rm src/a.js; git checkout -q -- src/a.js`
  const { repo, session } = await armIn(world, await world.shellRepo(setup))
  expect(repo.read('src/a.js')).toBe('a\r\nb\r\n')
  repo.sh('git config core.autocrlf false; touch src/a.js')

  const quiet = await session.check('PostToolUse')
  repo.append('src/a.js', 'fix\r\n')
  const block = await session.check('PostToolUse')

  expect(quiet.decision).toBeUndefined()
  expect(block.decision).toBe('block')
  expect(repo.read('src/a.js')).toBe('a\r\nb\r\n')
})

test('endings that are renormalized in the index go back there, and the file stays', async ({ world }) => {
  const setup = `${CRLF_STORED} printf '* text=auto\\n' > .gitattributes; git add .gitattributes; git commit -qm later`
  const { repo, session } = await armIn(world, await world.shellRepo(setup))
  const before = repo.snapshot()
  const inode = repo.inode('src/a.js')
  repo.sh('git add --renormalize src/a.js')

  const answer = await session.check('PostToolUse')

  expect(answer.decision).toBe('block')
  expect(repo.snapshot()).toEqual(before)
  expect(repo.inode('src/a.js')).toBe(inode)
})
