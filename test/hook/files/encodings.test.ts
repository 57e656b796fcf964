import { describe, expect } from 'vitest'
import { armIn } from '../../helpers/armed.ts'
import { checkStep, expectStandard } from '../../helpers/standard.ts'
import { test } from '../../helpers/world.ts'

/** One file in that encoding, committed and checked out anew. */
const encoded = (attributes: string, iconv: string) => `
new_repo
printf 'src/* ${attributes}\\n' > .gitattributes; git add .gitattributes; git commit -qm attributes
printf 'na\\303\\257ve\\nzwei\\n' | iconv -f UTF-8 -t ${iconv} > src/a.rc; save
rm src/a.rc; git checkout -q -- src/a.rc
`

describe('a file with a working-tree-encoding comes back byte for byte:', () => {
  const encodings: readonly [attributes: string, iconv: string][] = [
    ['working-tree-encoding=UTF-16 text', 'UTF-16'],
    ['working-tree-encoding=UTF-16LE text eol=crlf', 'UTF-16LE'],
    ['working-tree-encoding=UTF-16BE text', 'UTF-16BE'],
    ['working-tree-encoding=UTF-16LE-BOM text eol=crlf', 'UTF-16'],
    ['working-tree-encoding=ISO-8859-1 ident', 'ISO-8859-1'],
  ]
  for (const [attributes, iconv] of encodings) {
    test(attributes, async ({ world }) => {
      const { repo, session } = await armIn(world, await world.shellRepo(encoded(attributes, iconv)))
      const bytes = repo.bytes('src/a.rc')
      expect(bytes).not.toEqual(Buffer.from('naïve\nzwei\n'))

      const step = await checkStep({ world, repo, session, event: 'PostToolUse' }, () =>
        repo.sh(`printf 'fix\\n' | iconv -t ${iconv} >> src/a.rc`),
      )

      await expectStandard(step, ['src/a.rc'])
      expect(repo.bytes('src/a.rc')).toEqual(bytes)
    })
  }
})

test('the same text in the other byte order is no change', async ({ world }) => {
  const { repo, session } = await armIn(
    world,
    await world.shellRepo(encoded('working-tree-encoding=UTF-16 text', 'UTF-16')),
  )
  const text = repo.bytes('src/a.rc')
  repo.write('src/a.rc', Buffer.from(text).swap16())

  const answer = await session.check('PostToolUse')

  expect(answer.stdout).toBe('')
})

test('bytes that are no text of the encoding are a change', async ({ world }) => {
  const { repo, session } = await armIn(
    world,
    await world.shellRepo(encoded('working-tree-encoding=UTF-16 text', 'UTF-16')),
  )

  const step = await checkStep({ world, repo, session, event: 'PostToolUse' }, () =>
    repo.write('src/a.rc', 'plain ASCII\n'),
  )

  await expectStandard(step, ['src/a.rc'])
})

describe('UTF-16 that is stored as it is and older than its attribute', () => {
  const RAW = `
new_repo
printf 'a\\r\\n' | iconv -t UTF-16 > src/a.rc; touch -d 2020-01-01 src/a.rc; save
printf '*.rc working-tree-encoding=UTF-16 text\\n' > .gitattributes; git add .gitattributes; git commit -qm later
`
  test('is no change when it is touched', async ({ world }) => {
    const { repo, session } = await armIn(world, await world.shellRepo(RAW))
    repo.sh('touch src/a.rc')

    const answer = await session.check('PostToolUse')

    expect(answer.stdout).toBe('')
  })

  test('comes back as it was', async ({ world }) => {
    const { repo, session } = await armIn(world, await world.shellRepo(RAW))
    const bytes = repo.bytes('src/a.rc')
    repo.sh("printf 'fix' | iconv -t UTF-16 > src/a.rc")

    const answer = await session.check('PostToolUse')

    expect(answer.decision).toBe('block')
    expect(repo.bytes('src/a.rc')).toEqual(bytes)
    expect((await session.check('PostToolUse')).stdout).toBe('')
  })
})

test('an encoding that git does not know is left to the bytes', async ({ world }) => {
  const setup = `
new_repo
printf 'a\\n' > src/a.js; save
printf '*.js working-tree-encoding=NONE-SUCH\\n' > .gitattributes; git add .gitattributes; git commit -qm later`
  const { repo, session } = await armIn(world, await world.shellRepo(setup))

  const step = await checkStep({ world, repo, session, event: 'PostToolUse' }, () =>
    repo.append('src/a.js', 'fix'),
  )

  await expectStandard(step, ['src/a.js'])
})
