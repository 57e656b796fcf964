import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readShellCommands } from '../../../src/policy/contract/shell-commands.ts'
import { isTestCommand } from '../../../src/policy/contract/test-command.ts'

const wordsOf = (line: string) => readShellCommands(line).map(({ words }) => words)

test('a list is split at every operator, outside of quotes only', () => {
  expect(wordsOf(`a 1 && b "x && y" || c 'z; w' ; d | e & f`)).toEqual([
    ['a', '1'],
    ['b', 'x && y'],
    ['c', 'z; w'],
    ['d'],
    ['e'],
    ['f'],
  ])
})

test('assignments, keywords, redirections and comments are no words', () => {
  expect(wordsOf('A=1 B="x y" if ! run 2>&1 >out <in # and more')).toEqual([['run']])
})

test('a word is joined from its quoted and unquoted parts', () => {
  expect(wordsOf(`a"b c"'d e'\\ f$'g\\nh'`)).toEqual([['ab cd e fg\nh']])
})

test('commands of a substitution stand before the command that uses them', () => {
  expect(wordsOf('echo "$(a "$(b)")" `c` <(d)')).toEqual([
    ['b'],
    ['a', '$()'],
    ['c'],
    ['d'],
    ['echo', '$()', '$()', '$()'],
  ])
})

test('arithmetic and parameter expansions run nothing', () => {
  expect(wordsOf('echo $((1 + (2))) ${x:-npm test} $y')).toEqual([['echo', '0', '${x:-npm test}', '$y']])
})

test('a here-document is input of its command and holds no commands', () => {
  const commands = readShellCommands("cat <<'A' <<-B; next\nnpm test\nA\n\tb\n\tB\nlast")

  expect(commands.map(({ words, input }) => [words[0], input])).toEqual([
    ['cat', '\tb\n'],
    ['next', undefined],
    ['last', undefined],
  ])
})

test('a command knows whether another one feeds it', () => {
  expect(readShellCommands('a | b |& c; d').map(({ isPiped }) => isPiped)).toEqual([false, true, true, false])
})

const SHELL_TEXT = fc.array(
  fc.oneof(
    fc.constantFrom(
      "'",
      '"',
      '`',
      '$(',
      ')',
      '(',
      '{',
      '}',
      '<<',
      '<<EOF',
      '\nEOF\n',
      '\\',
      '\n',
      '#',
      '$',
      '${',
      '$((',
      "$'",
      '|',
      '&',
      ';',
      '<',
      '>',
      '=',
      ' ',
    ),
    fc.constantFrom(
      'npm test',
      'bash -c',
      'eval',
      'env',
      'find . -exec',
      'ssh h',
      'python -m',
      'npx',
      'docker compose run',
    ),
    fc.string({ unit: 'binary', maxLength: 5 }),
  ),
)

test('no text makes the reader throw, and the same text gives the same answer', () => {
  fc.assert(
    fc.property(SHELL_TEXT, (parts) => {
      const line = parts.join('')

      expect(isTestCommand(line)).toBe(isTestCommand(line))
    }),
    { numRuns: 2_000 },
  )
})

test('plainly quoted text never counts', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(isTestCommand(`echo '${text.replaceAll("'", '')}'`)).toBe(false)
    }),
  )
})

test.each([
  ['nested substitutions', '$('.repeat(50_000)],
  ['nested shells', 'bash -c "'.repeat(20_000)],
  ['open quotes', `"'`.repeat(50_000)],
  ['here-documents', 'cat <<A;'.repeat(50_000) + '\n'],
  ['wrappers', 'env '.repeat(50_000)],
  ['find', 'find -exec -execdir '.repeat(20_000)],
  ['fd', 'fd -x --exec -X '.repeat(20_000)],
  ['a long line', `echo ${'word '.repeat(100_000)}`],
  ['digits', '1'.repeat(200_000)],
  ['a curl of many variables', `curl ${'$a'.repeat(100_000)}`],
])('the time for %s grows with their length', (_, line) => {
  const startedMs = performance.now()

  isTestCommand(line)

  expect(performance.now() - startedMs).toBeLessThan(3_000)
})
