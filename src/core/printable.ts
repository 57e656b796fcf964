/**
 * Characters that a terminal acts on, that turn text around, or that nobody sees; a newline and a tab are harmless. Joiners
 * (U+200C, U+200D) are part of words and signs.
 */
// eslint-disable-next-line no-control-regex -- control characters are what is looked for
const ACTING = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/** Text of several lines as a terminal may show it, whatever names stand in it: such characters become C escapes. */
export const printable = (text: string): string =>
  text.replace(ACTING, (character) => escaped(character.charCodeAt(0)))

/** C escape of a code point. */
export const escaped = (code: number): string =>
  code <= 0xff ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`

/** JSON text with JSON's own escapes for such characters. */
export const printableJson = (json: string): string =>
  json.replace(ACTING, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** Text in one line: control characters, line ends and tabs with the blanks around them become one blank. */
export const oneLine = (text: string): string =>
  // eslint-disable-next-line no-control-regex -- control characters are what is removed
  text.replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, ' ').trim()
