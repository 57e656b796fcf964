/**
 * Draws `block.svg`, the picture of the README, from a real run of the demo: the act in which a Bash call is blocked.
 *
 *   node docs/pictures/make.mjs [file]
 *
 * Ids, times and folders are made the same for every run, so that the picture changes only when what is shown does.
 */

import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const COLUMNS = 104
const [CHAR_WIDTH, LINE_HEIGHT, MARGIN, TOP] = [8.4, 19, 20, 52]
const COLOURS = {
  plain: '#d7dae0',
  quiet: '#8b929e',
  mark: '#79b8ff',
  good: '#7bd88f',
  title: '#ffffff',
  added: '#f2c97d',
}

const told = execFileSync(`${ROOT}bin/gstack-skill-gates`, ['demo'], {
  encoding: 'utf8',
  env: { PATH: process.env.PATH, HOME: '/' },
})
const lines = actOf(told, 'Claude tries it with Bash').flatMap(wrap)
writeFileSync(process.argv[2] ?? new URL('block.svg', import.meta.url), draw(lines))

/** Lines of one act, from its title to the next. */
function actOf(text, title) {
  const acts = text.split(/\n(?=\d+\. )/)
  const act = acts.find((each) => each.includes(title))
  if (act === undefined) throw new Error(`the demo has no act "${title}"`)
  return act
    .replaceAll(ROOT, '/home/you/gstack-skill-gates/')
    .replace(/\/\S*?\/gstack-demo-[A-Za-z0-9]+\/home/g, '/home/you')
    .replace(/\/\S*?\/gstack-demo-[A-Za-z0-9]+\//g, '/home/you/')
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '7d0c41e2')
    .replace(/\d{8}T\d{6}Z(-[0-9a-z]+){3}/g, '20260102T030405Z-5e0-f6a7b-1')
    .replace(/\n *\(the hook took \d+ ms\)/g, '')
    .trimEnd()
    .split('\n')
}

function wrap(line) {
  const indent = /^\s*(\| )?/.exec(line)[0]
  const parts = []
  let rest = line
  while (rest.length > COLUMNS) {
    const blank = rest.lastIndexOf(' ', COLUMNS)
    const at = blank > indent.length + 4 ? blank : COLUMNS
    parts.push(rest.slice(0, at))
    rest = indent + rest.slice(at).trimStart()
  }
  return [...parts, rest]
}

function draw(shown) {
  const width = Math.round(COLUMNS * CHAR_WIDTH + 2 * MARGIN)
  const height = TOP + shown.length * LINE_HEIGHT + MARGIN
  const dots = ['#ff5f57', '#febc2e', '#28c840'].map(
    (colour, at) => `<circle cx="${20 + at * 18}" cy="18" r="6" fill="${colour}"/>`,
  )
  const texts = shown.map(
    (line, at) =>
      `<text x="${MARGIN}" y="${TOP + at * LINE_HEIGHT}" fill="${colourOf(line)}" xml:space="preserve">${escape(line)}</text>`,
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="A blocked Bash call: the file is put back, and the model is told what to do next">
<rect width="${width}" height="${height}" rx="10" fill="#1c1f26"/>
${dots.join('')}
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14">
${texts.join('\n')}
</g>
</svg>
`
}

function colourOf(line) {
  if (/^\d+\. /.test(line)) return COLOURS.title
  if (/^ {3}GSTACK_GATE/.test(line)) return COLOURS.mark
  if (/^ {3}ok/.test(line)) return COLOURS.good
  if (/^ {5}\| Root cause:/.test(line)) return COLOURS.added
  return COLOURS.plain
}

function escape(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
