import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect } from 'vitest'
import { armed, CAUSE } from '../../helpers/armed.ts'
import { test } from '../../helpers/world.ts'

describe('a transcript that', () => {
  test('became shorter is read from its start', async ({ world }) => {
    const { session } = await armed(world)
    session.reads('src/price.js').says('A long story. '.repeat(200))
    await session.check('PreToolUse')
    const lines = readFileSync(session.transcript.file, 'utf8').split('\n')
    writeFileSync(session.transcript.file, `${lines.slice(0, 6).join('\n')}\n`)

    const denied = await session.edit('src/price.js', 'fixed\n')
    session.reads('src/price.js').says(`Root cause: ${CAUSE}`)
    const allowed = await session.edit('src/price.js', 'fixed\n')

    expect([denied.decision, allowed.decision]).toEqual(['deny', undefined])
  })

  test('was replaced by one of the same length is read from its start', async ({ world }) => {
    const { session } = await armed(world)
    session.reads('src/price.js').says('No cause yet, I am still looking around here and there now.')
    await session.check('PreToolUse')
    const text = readFileSync(session.transcript.file, 'utf8')
    const replaced = text.replace(
      'No cause yet, I am still looking around',
      `Root cause: ${CAUSE.slice(0, 27)}`,
    )
    writeFileSync(`${session.transcript.file}.new`, replaced)
    copyFileSync(`${session.transcript.file}.new`, session.transcript.file)
    await world.run('mv', [`${session.transcript.file}.new`, session.transcript.file])

    expect((await session.edit('src/price.js', 'fixed\n')).decision).toBeUndefined()
  })

  test('ends in half a line counts that line once it is whole', async ({ world }) => {
    const { session } = await armed(world)
    session.reads('src/price.js')
    const before = readFileSync(session.transcript.file)
    session.says(`Root cause: ${CAUSE}`)
    const whole = readFileSync(session.transcript.file)
    writeFileSync(session.transcript.file, whole.subarray(0, before.length + 120))
    const torn = await session.edit('src/price.js', 'fixed\n', { recorded: false })
    writeFileSync(session.transcript.file, whole)

    const answer = await session.edit('src/price.js', 'fixed\n')

    expect([torn.decision, answer.decision]).toEqual(['deny', undefined])
    expect(torn.stderr).toBe('')
  })

  for (const [name, bytes] of [
    ['U+2028', '{"type":"system","content":"a\u2028b"}\n'],
    ['NUL bytes', '\0\0\0\0\n'],
    ['a broken line', '{"type":"attachment","uuid":"x1","attachm{"type":"system"}\n'],
    ['blank lines', '\n\n'],
    ['bytes that are not UTF-8', Buffer.from([0xff, 0xfe, 0x0a])],
  ] as const) {
    test(`holds ${name} hides nothing that comes later`, async ({ world }) => {
      const { session } = await armed(world)
      session.transcript.raw(bytes)
      session.reads('src/price.js').says(`Root cause: ${CAUSE}`)

      const answer = await session.edit('src/price.js', 'fixed\n')

      expect(answer.decision, answer.stderr).toBeUndefined()
      expect(answer.markers.map(({ event }) => event)).toContain('released')
    })
  }

  test('lies in a folder with another name than its session is found by its path', async ({ world }) => {
    const { session } = await armed(world)
    const moved = join(dirname(session.transcript.file), 'moved.jsonl')
    copyFileSync(session.transcript.file, moved)

    const answer = await session.hook('PreToolUse', {
      tool: 'Edit',
      input: { file_path: 'src/price.js' },
      payload: { transcript_path: moved },
    })

    expect(answer.decision).toBe('deny')
  })
})
