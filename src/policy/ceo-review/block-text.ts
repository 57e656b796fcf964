import { repoPathFromText, showPath } from '../../core/ids.ts'
import type { CheckedFile, Shortfall } from './output-file.ts'
import { TEXT_LIMIT_BYTES } from './ranked-risks.ts'

/** Files that a block lists one by one. */
const LISTED_FILES = 20

/**
 * The reason of a block, without its marker. Whoever does what it says passes the gate at the next stop
 * (test/hook/ceo-review).
 *
 * @param target absolute path of the file that the findings belong to
 * @param checked in the order in which they were looked at
 */
export function blockText(target: string, checked: readonly CheckedFile[]): string {
  return [
    'The /plan-ceo-review run is not finished: no output file of this review ranks the top risks.',
    '',
    `Write a \`## Findings\` section to ${showFile(target)} that ranks the top risks of the reviewed plan:`,
    '- a numbered list right below the heading, with `1.` for the most serious risk; bullets do not count',
    '- one risk per item, stated in words of your own: what breaks and when; no placeholder',
    '- outside code blocks, quotes and comments, and before a `## GSTACK REVIEW REPORT` heading where the file has one',
    'Create the file and its folder where they do not exist. Then end your turn again.',
    '',
    ...listChecked(checked),
  ].join('\n')
}

function listChecked(checked: readonly CheckedFile[]): string[] {
  if (checked.length === 0) return ['Checked: the run has written no file, and no Markdown file has changed.']
  // Files that nobody touched since the load say least, so they go first when there are too many.
  const shown = [...checked.filter(isTouched), ...checked.filter((file) => !isTouched(file))].slice(
    0,
    LISTED_FILES,
  )
  const rest = checked.length - shown.length
  return [
    'Checked:',
    ...shown.map((file) => `- ${showFile(file.path)}: ${describeShortfall(file.shortfall)}`),
    ...(rest > 0 ? [`- and ${rest} more`] : []),
  ]
}

const isTouched = (file: CheckedFile): boolean =>
  file.shortfall.kind !== 'unchanged' && file.shortfall.kind !== 'missing'

/** What a file lacks, as the end of a line. */
function describeShortfall(shortfall: Shortfall): string {
  switch (shortfall.kind) {
    case 'missing':
      return 'there is no such file'
    case 'not-a-file':
      return 'it is not a regular file'
    case 'too-large':
      return `it is ${Math.ceil(shortfall.bytes / 1024)} KiB long, and only files up to ${TEXT_LIMIT_BYTES / 1024} KiB are read`
    case 'unreadable':
      return `it cannot be read (${shortfall.why})`
    case 'unchanged':
      return 'not modified since the review loaded'
    case 'no-section':
      return 'it has no heading with Findings or Top risks'
    case 'buried-section':
      return 'its Findings or Top risks heading stands inside a code block, quote, comment or list, or lacks the blank behind #'
    case 'no-list':
      return `the section ${showHeading(shortfall.heading)} has no numbered list: no line that starts with 1. and a blank`
    case 'bullets':
      return `the section ${showHeading(shortfall.heading)} has a bullet list, not a numbered one`
    case 'wrong-start':
      return `the numbered list of the section ${showHeading(shortfall.heading)} starts at ${shortfall.start}, not at 1`
    case 'placeholders':
      return `every item of the section ${showHeading(shortfall.heading)} is a placeholder`
  }
}

const showHeading = (heading: string): string =>
  `"${heading.length > 60 ? `${heading.slice(0, 59)}…` : heading}"`

const showFile = (file: string): string => showPath(repoPathFromText(file))
