import { mkdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { readFrontmatter } from '../../src/store/frontmatter.ts'
import { readInstalledSkills, skillCacheFile } from '../../src/store/skills.ts'
import { temporaryDir } from '../helpers/temporary-dir.ts'

describe('frontmatter', () => {
  const fieldsOf = async (text: string) => {
    const frontmatter = readFrontmatter(text)
    return frontmatter.kind === 'read' ? frontmatter.fields : frontmatter
  }

  test('a byte order mark and CRLF change nothing', async () => {
    expect(
      await fieldsOf('\ufeff---\r\nname: qa\r\ntriggers:\r\n  - test the site\r\n---\r\nbody\r\n'),
    ).toEqual({
      name: 'qa',
      triggers: ['test the site'],
    })
  })

  test('dashes inside a value or in the body are no end', async () => {
    const text = '---\nnote: |\n  a line\n  --- not the end\nname: qa\n---\nbody\n---\nname: other\n---\n'

    expect(await fieldsOf(text)).toEqual({ note: 'a line\n--- not the end\n', name: 'qa' })
  })

  test('a colon in an unquoted description is prose', async () => {
    expect(
      await fieldsOf('---\nname: qa\ndescription: Use when: the user asks\ntriggers: [a b]\n---\n'),
    ).toEqual({
      name: 'qa',
      description: 'Use when: the user asks',
      triggers: ['a b'],
    })
  })

  test('nested values are read', async () => {
    expect(await fieldsOf('---\ncontract:\n  version: 1\n  items:\n    - { id: a, kind: b }\n---\n')).toEqual(
      {
        contract: { version: 1, items: [{ id: 'a', kind: 'b' }] },
      },
    )
  })

  test('an empty block has no fields, a file without one has no frontmatter', async () => {
    expect(await fieldsOf('---\n---\nbody')).toEqual({})
    expect(await fieldsOf('# Title\n---\nname: x\n---\n')).toEqual({ kind: 'none' })
    expect(await fieldsOf('')).toEqual({ kind: 'none' })
  })

  test.each([
    ['a block that never ends', '---\nname: broken\n\ttriggers: [x\nno end', /closing ---/],
    ['a key that stands twice', '---\ntriggers: [a]\ntriggers: [b]\n---\n', /unique/],
    ['a tab as indent', '---\na:\n\tb: 1\n---\n', /./],
    ['a list', '---\n- a\n---\n', /keys and values/],
    ['an alias of itself', '---\na: &x [*x]\n---\n', /circular/i],
    ['an alias that expands without end', bomb(), /alias/],
  ])('%s is broken, with a reason in one line', async (_, text, why) => {
    const frontmatter = readFrontmatter(text)

    expect(frontmatter).toEqual({ kind: 'broken', why: expect.stringMatching(why) as string })
    expect(JSON.stringify(frontmatter)).not.toContain('\\n')
  })

  function bomb(): string {
    const levels = Array.from(
      { length: 9 },
      (_, i) => `l${String(i + 1)}: &l${String(i + 1)} [${`*l${String(i)},`.repeat(9)}]`,
    )
    return `---\nl0: &l0 [x]\n${levels.join('\n')}\n---\n`
  }
})

describe('installed skills', () => {
  let claudeDir: string
  let cacheFile: string
  beforeEach(() => {
    claudeDir = temporaryDir()
    cacheFile = skillCacheFile(join(claudeDir, 'state'))
  })

  const install = (name: string, text: string) => {
    const file = join(claudeDir, 'skills', name, 'SKILL.md')
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
    return file
  }
  const skills = () => readInstalledSkills(claudeDir, cacheFile, Date.now() + 10_000)

  test('are listed by name, whatever else lies in the directory', async () => {
    install('review', '---\nname: review\n---\n')
    install('investigate', '---\nname: investigate\n---\n')
    mkdirSync(join(claudeDir, 'skills', 'empty'))
    writeFileSync(join(claudeDir, 'skills', 'notes.txt'), '')

    expect((await skills()).map((skill) => skill.name)).toEqual(['investigate', 'review'])
  })

  test('are none without a skills directory', async () => {
    expect(await skills()).toEqual([])
  })

  test('are found through links, under the path of the link', async () => {
    const source = install('../elsewhere/qa', '---\ntriggers: [test the site]\n---\n')
    mkdirSync(join(claudeDir, 'skills', 'qa'), { recursive: true })
    symlinkSync(source, join(claudeDir, 'skills', 'qa', 'SKILL.md'))

    expect(await skills()).toMatchObject([{ name: 'qa', file: join(claudeDir, 'skills', 'qa', 'SKILL.md') }])
  })

  test('keep only the fields that hooks read', async () => {
    install('qa', '---\nname: qa\ndescription: long\ntriggers: [a b]\n---\n')

    expect((await skills())[0]?.frontmatter).toEqual({
      kind: 'read',
      fields: { name: 'qa', triggers: ['a b'] },
    })
  })

  test('a broken one stops no other', async () => {
    install('broken', '---\nname: broken\n\ttriggers: [x\nno end')
    install('huge', 'x'.repeat(1024 * 1024 + 1))
    mkdirSync(join(claudeDir, 'skills', 'dir', 'SKILL.md'), { recursive: true })
    install('qa', '---\nname: qa\n---\n')

    expect((await skills()).map((skill) => [skill.name, skill.frontmatter.kind])).toEqual([
      ['broken', 'broken'],
      ['dir', 'broken'],
      ['huge', 'broken'],
      ['qa', 'read'],
    ])
  })

  test('come from the cache until their file changes', async () => {
    const file = install('qa', '---\ntriggers: [one a]\n---\n')
    const first = await skills()
    const second = await skills()

    expect([first[0]?.isFresh, second[0]?.isFresh]).toEqual([true, false])
    expect(second[0]?.frontmatter).toEqual(first[0]?.frontmatter)

    writeFileSync(file, '---\ntriggers: [two b]\n---\n')
    utimesSync(file, 1, 1)

    expect((await skills())[0]?.frontmatter).toEqual({ kind: 'read', fields: { triggers: ['two b'] } })
  })

  test('a file that was just written is parsed again, since it may change under the same stat data', async () => {
    install('qa', '---\ntriggers: [a b]\n---\n')

    await readInstalledSkills(claudeDir, cacheFile)

    expect((await readInstalledSkills(claudeDir, cacheFile))[0]?.isFresh).toBe(true)
  })

  test.each(['{', 'null', '{"version":1,"skills":{"x":null}}', '{"version":99}'])(
    'a cache of %s is written anew',
    async (text) => {
      install('qa', '---\ntriggers: [a b]\n---\n')
      mkdirSync(dirname(cacheFile), { recursive: true })
      writeFileSync(cacheFile, text)

      expect((await skills())[0]?.frontmatter.kind).toBe('read')
      expect(JSON.parse(readFileSync(cacheFile, 'utf8'))).toMatchObject({ version: 1 })
    },
  )

  test('a cache that cannot be written costs nothing but time', async () => {
    install('qa', '---\ntriggers: [a b]\n---\n')
    writeFileSync(join(claudeDir, 'state'), 'a file where the state root should be')

    expect(await skills()).toHaveLength(1)
  })
})
