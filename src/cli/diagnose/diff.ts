import { sizeOf, type Content, type OwnContent } from '../../core/content.ts'
import { showPath, type Oid, type Sha256 } from '../../core/ids.ts'
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
  readRawCopy: (sha256: Sha256) => OwnContent,
): Promise<string> {
  const { path, before, now } = state
  const name = showPath(path)
  const then = verdict.kind === 'fix-write' ? findings.target : before
  const contentOf = async (wanted: Wanted): Promise<OwnContent | undefined> => {
    if (wanted.kind === 'file') return readRawCopy(wanted.sha256)
    if (wanted.kind === 'link') return Buffer.from(wanted.target, 'latin1')
    return wanted.kind === 'entry' ? (await view.smudge(new Map([[path, wanted]]))).get(path) : undefined
  }
  if (!findings.sameWork)
    return textDiff(await contentOf(then.work), contentNow(now.work), [`baseline ${name}`, `now ${name}`])
  const stored = (entries: typeof now.entries): Differing | undefined => {
    const wanted = wantedOf(entries)
    return wanted.kind === 'entry' ? readStored(view, wanted.oid) : undefined
  }
  return textDiff(stored(then.entries), stored(now.entries), [
    `baseline ${name} (index)`,
    `now ${name} (index)`,
  ])
}

function contentNow(now: NowContent): Content | undefined {
  if (now.kind === 'file') return now.content
  return now.kind === 'link' ? Buffer.from(now.target, 'latin1') : undefined
}

const NOTHING = '/dev/null'

/** Content, or how much of it there is. */
type Differing = Content | { readonly kind: 'unread'; readonly sizeBytes: number }

function readStored({ git }: AttributesView, oid: Oid): Differing | undefined {
  const sizeBytes = native().blobSize(git, oid)
  if (sizeBytes === undefined) return undefined
  return sizeBytes > LONGEST_DIFF_BYTES ? { kind: 'unread', sizeBytes } : native().readBlob(git, oid)
}

function textDiff(
  before: Differing | undefined,
  after: Differing | undefined,
  [nameBefore, nameAfter]: readonly [string, string],
): string {
  const names = [
    before === undefined ? NOTHING : nameBefore,
    after === undefined ? NOTHING : nameAfter,
  ] as const
  const [old, fresh] = [before ?? Buffer.alloc(0), after ?? Buffer.alloc(0)]
  const isShort = sizeOf(old) + sizeOf(fresh) <= LONGEST_DIFF_BYTES
  const [oldText, freshText] = isShort ? [old, fresh].map(textOf) : []
  if (oldText === undefined || freshText === undefined)
    return `Files ${names[0]} and ${names[1]} differ: ${String(sizeOf(old))} and ${String(sizeOf(fresh))} bytes\n`
  return unifiedDiff(oldText, freshText, ...names)
}

const textOf = (content: Differing): string | undefined =>
  Buffer.isBuffer(content) ? decodeText(content) : undefined
