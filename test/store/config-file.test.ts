import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  configPath,
  hasConfigKey,
  readConfigText,
  readConfigValue,
  setConfigValue,
} from '../../src/store/config-file.ts'
import { temporaryDir } from '../helpers/temporary-dir.ts'

let root: string
beforeEach(() => {
  root = temporaryDir()
})

const write = (text: string | Buffer) => {
  writeFileSync(configPath(root), text)
}
const read = () => readFileSync(configPath(root), 'utf8')
const valueOf = (key: string) => readConfigValue(root, key)

describe('reading a value', () => {
  test('the last line of a key wins', () => {
    write('skill_routing: on\nother: x\nskill_routing: off\n')

    expect(valueOf('skill_routing')).toEqual({ kind: 'value', text: 'off' })
  })

  test('blanks around a value are not part of it, a comment behind it is', () => {
    write('a:   on  \r\nb: on # not yet\nc:on')

    expect(['a', 'b', 'c'].map(valueOf)).toEqual([
      { kind: 'value', text: 'on' },
      { kind: 'value', text: 'on # not yet' },
      { kind: 'value', text: 'on' },
    ])
  })

  test.each(['', 'a:\n', 'a: \n', ' a: on\n', '# a: on\n', 'aa: on\n', 'a : on\n'])(
    'the key is absent in %j',
    (text) => {
      write(text)

      expect(valueOf('a')).toEqual({ kind: 'value', text: undefined })
    },
  )

  test('a byte order mark hides no key', () => {
    write('\ufeffa: on\n')

    expect(valueOf('a')).toEqual({ kind: 'value', text: 'on' })
  })

  test('no file means no value', () => {
    expect(valueOf('a')).toEqual({ kind: 'value', text: undefined })
  })

  test('a state root that is a file holds no value', () => {
    writeFileSync(join(root, 'file'), '')

    expect(readConfigValue(join(root, 'file'), 'a')).toEqual({ kind: 'value', text: undefined })
  })

  test('a directory in its place is unreadable', () => {
    mkdirSync(configPath(root))

    expect(valueOf('a')).toEqual({ kind: 'unreadable' })
  })

  test('a link that leads nowhere is unreadable, since its target may hold an off', () => {
    symlinkSync(join(root, 'not-mounted'), configPath(root))

    expect(valueOf('a')).toEqual({ kind: 'unreadable' })
  })
})

describe('setting a value', () => {
  test('a new file is private and explains itself', async () => {
    await setConfigValue(join(root, 'new'), 'skill_routing', 'on')

    const path = configPath(join(root, 'new'))
    expect(readFileSync(path, 'utf8')).toMatch(/^# gstack configuration.*\n#.*\n\nskill_routing: on\n$/)
    expect(statSync(path).mode % 0o1000).toBe(0o600)
  })

  test('every line of the key gets the value, other bytes stay', async () => {
    const before = Buffer.from('# mine \xff\r\na: 1\r\n\r\nab: 2\n a: 3\na: 4', 'latin1')
    write(before)

    await setConfigValue(root, 'a', '5')

    expect(readFileSync(configPath(root)).toString('latin1')).toBe(
      '# mine \xff\r\na: 5\r\n\r\nab: 2\n a: 3\na: 5',
    )
  })

  test('a new key is appended with the line ends of the file', async () => {
    write('a: 1\r\nb: 2')

    await setConfigValue(root, 'c', 'naïve')

    expect(read()).toBe('a: 1\r\nb: 2\r\nc: naïve\r\n')
    expect(valueOf('c')).toEqual({ kind: 'value', text: 'naïve' })
  })

  test('only the first line of a value is kept', async () => {
    await setConfigValue(root, 'a', '  one $& \nskill_routing: on')

    expect(valueOf('a')).toEqual({ kind: 'value', text: 'one $&' })
    expect(hasConfigKey(read(), 'skill_routing')).toBe(false)
  })

  test('mode and link of an existing file stay', async () => {
    const target = join(root, 'dotfiles.yaml')
    writeFileSync(target, 'a: 1\n')
    chmodSync(target, 0o640)
    symlinkSync(target, configPath(root))

    await setConfigValue(root, 'a', '2')

    expect(readFileSync(target, 'utf8')).toBe('a: 2\n')
    expect(statSync(target).mode % 0o1000).toBe(0o640)
  })

  test('an unreadable file is refused and left alone', async () => {
    mkdirSync(configPath(root))

    await expect(setConfigValue(root, 'a', '1')).rejects.toMatchObject({
      code: 'CONFIG_ERROR',
      message: expect.stringContaining(configPath(root)) as string,
    })
    expect(readConfigText(root).kind).toBe('unreadable')
  })

  test('twenty sets at once lose nothing and leave no lock', async () => {
    const keys = Array.from({ length: 20 }, (_, index) => `key_${String(index)}`)

    await Promise.all(keys.map((key) => setConfigValue(root, key, key)))

    expect(keys.map((key) => valueOf(key))).toEqual(keys.map((key) => ({ kind: 'value', text: key })))
    expect(statSync(`${configPath(root)}.lock`, { throwIfNoEntry: false })).toBeUndefined()
  })
})
