import type { Sha256 } from '../../core/ids.ts'
import { showPath } from '../../core/ids.ts'
import type { AttributesView } from '../../git/attributes-view.ts'
import { wantedOf, type NowContent, type Wanted } from '../../git/compare.ts'
import { native } from '../../native/binding.ts'
import type { Judgement } from '../../judge/path.ts'
import { decodeText, unifiedDiff } from '../text-diff.ts'

/** Longer texts are not compared line by line. */
const LONGEST_DIFF_BYTES = 1024 * 1024

/** A unified diff from what the baseline has at a path to what is there now: of its text, else of its index entry. */
export async function diffOf(
  { state, findings, verdict }: Judgement,
  view: AttributesView,
  readRawCopy: (sha256: Sha256) => Buffer,
): Promise<string> {
  const { path, before, now } = state
  const name = showPath(path)
  const then = verdict.kind === 'fix-write' ? findings.target : before
  const contentOf = async (wanted: Wanted): Promise<Buffer | undefined> => {
    if (wanted.kind === 'file') return readRawCopy(wanted.sha256)
    if (wanted.kind === 'link') return Buffer.from(wanted.target, 'latin1')
    return wanted.kind === 'entry' ? (await view.smudge(new Map([[path, wanted]]))).get(path) : undefined
  }
  if (!findings.sameWork)
    return textDiff(await contentOf(then.work), bytesNow(now.work), [`baseline ${name}`, `now ${name}`])
  const stored = (entries: typeof now.entries): Buffer | undefined => {
    const wanted = wantedOf(entries)
    return wanted.kind === 'entry' ? native().readBlob(view.git, wanted.oid) : undefined
  }
  return textDiff(stored(then.entries), stored(now.entries), [
    `baseline ${name} (index)`,
    `now ${name} (index)`,
  ])
}

function bytesNow(now: NowContent): Buffer | undefined {
  if (now.kind === 'file') return now.bytes
  return now.kind === 'link' ? Buffer.from(now.target, 'latin1') : undefined
}

const NOTHING = '/dev/null'

function textDiff(
  before: Buffer | undefined,
  after: Buffer | undefined,
  [nameBefore, nameAfter]: readonly [string, string],
): string {
  const names = [
    before === undefined ? NOTHING : nameBefore,
    after === undefined ? NOTHING : nameAfter,
  ] as const
  const [old, fresh] = [before ?? Buffer.alloc(0), after ?? Buffer.alloc(0)]
  const isShort = old.length + fresh.length <= LONGEST_DIFF_BYTES
  const [oldText, freshText] = isShort ? [decodeText(old), decodeText(fresh)] : []
  if (oldText === undefined || freshText === undefined)
    return `Files ${names[0]} and ${names[1]} differ: ${String(old.length)} and ${String(fresh.length)} bytes\n`
  return unifiedDiff(oldText, freshText, ...names)
}
