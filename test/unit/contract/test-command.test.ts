import { describe, expect, test } from 'vitest'
import { isTestCommand } from '../../../src/policy/contract/test-command.ts'
import { RUNS } from './lines-by-language.ts'
import { RUNS_BY_TOOL } from './lines-by-tool.ts'
import { RUNS_NOTHING } from './lines-that-test-nothing.ts'

describe.each(Object.entries({ ...RUNS, ...RUNS_BY_TOOL }))('%s', (_, lines) => {
  test.each(lines)('%s counts', (line) => {
    expect(isTestCommand(line)).toBe(true)
  })
})

describe.each(Object.entries(RUNS_NOTHING))('%s', (_, lines) => {
  test.each(lines)('%s does not count', (line) => {
    expect(isTestCommand(line)).toBe(false)
  })
})

test('the tables hold at least 250 command lines, each once', () => {
  const lines = [RUNS, RUNS_BY_TOOL, RUNS_NOTHING].flatMap((table) => Object.values(table).flat())

  expect(lines.length).toBeGreaterThanOrEqual(250)
  expect(new Set(lines).size).toBe(lines.length)
})
