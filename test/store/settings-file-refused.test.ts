import { chmodSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ALL, makeSettings } from './settings.ts'

describe('a file that is refused', () => {
  test.each([
    ['a trailing comma', '{\n  "model": "opus",\n}', 'line 3, column 1'],
    ['a comment', '{\n  // mine\n  "model": "opus"\n}', 'line 2, column 3'],
    ['no bytes', '', 'line 1, column 1'],
    ['half a file', '{ "model": "op', 'line 1, column 12'],
    ['a list', '[]', 'line 1, column 1'],
    ['hooks that are a list', '{ "hooks": [] }', 'line 1, column 12'],
    ['an event that is no list', '{\n "hooks": { "Stop": {} } }', 'line 2, column 21'],
    ['two values', '{} {}', 'line 1, column 4'],
  ])('%s: nothing is written, and the message says where', async (_, text, where) => {
    const { dir, file, read, write, register } = makeSettings()
    write(text)
    chmodSync(file, 0o600)
    const stamp = () => [statSync(file).ino, statSync(file).mtimeMs, statSync(file).mode]
    const before = stamp()

    await expect(register(ALL)).rejects.toMatchObject({
      code: 'SETUP_FAILED',
      message: expect.stringMatching(new RegExp(`${file}.*${where}`)),
    })

    expect(read()).toBe(text)
    expect(stamp()).toEqual(before)
    expect(readdirSync(dir)).toEqual(['settings.json'])
  })

  test('bytes that are not UTF-8', async () => {
    const { file, register } = makeSettings()
    writeFileSync(file, Buffer.from('{ "a": "\xff" }', 'latin1'))

    await expect(register(ALL)).rejects.toMatchObject({ code: 'SETUP_FAILED' })
    expect(readFileSync(file).toString('latin1')).toBe('{ "a": "\xff" }')
  })

  test('a link that leads nowhere', async () => {
    const { dir, file, register } = makeSettings()
    symlinkSync(join(dir, 'not-mounted.json'), file)

    await expect(register(ALL)).rejects.toThrow('leads nowhere')
    expect(readdirSync(dir)).toEqual(['settings.json'])
  })
})
