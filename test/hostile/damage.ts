import fc from 'fast-check'

/** One change of a text of bytes: what a crash, a full disk or an enemy leaves. */
type Damage = (text: Buffer) => Buffer

const place = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true })
const at = (text: Buffer, where: number): number => Math.floor(text.length * where)

const cut = place.map(
  (where): Damage =>
    (text) =>
      text.subarray(0, at(text, where)),
)
const flip = fc.tuple(place, fc.nat(7)).map(([where, bit]): Damage => (text) => {
  const copy = Buffer.from(text)
  if (copy.length > 0) copy.writeUInt8((copy[at(text, where)] ?? 0) ^ (1 << bit), at(text, where))
  return copy
})
const insert = fc.tuple(place, fc.uint8Array({ minLength: 1, maxLength: 12 })).map(
  ([where, bytes]): Damage =>
    (text) =>
      Buffer.concat([text.subarray(0, at(text, where)), bytes, text.subarray(at(text, where))]),
)
const becomes = (texts: readonly string[]) =>
  fc.constantFrom(...texts).map(
    (text): Damage =>
      () =>
        Buffer.from(text),
  )

export const damaged = fc.oneof(cut, flip, insert, becomes(['', '\0', '{', '[]', 'null', '7', '""', '{}']))

/** Replaces one value inside a JSON text by another one of any type. */
export const mistyped = fc
  .tuple(
    fc.nat(10_000),
    fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom(-1, 1e308, '../../x', '\u0000', [], {})),
  )
  .map(
    ([which, value]): Damage =>
      (text) =>
        Buffer.from(JSON.stringify(withReplaced(JSON.parse(text.toString('utf8')), which, value))),
  )

/** The tree of values with its nth node (in reading order, round and round) replaced. */
function withReplaced(root: unknown, nth: number, value: unknown): unknown {
  const left = { count: nth % countOf(root) }
  const visit = (node: unknown): unknown => {
    if (left.count-- === 0) return value
    if (Array.isArray(node)) return node.map(visit)
    if (typeof node !== 'object' || node === null) return node
    return Object.fromEntries(Object.entries(node).map(([key, inner]) => [key, visit(inner)]))
  }
  return visit(root)
}

const countOf = (node: unknown): number =>
  typeof node === 'object' && node !== null
    ? Object.values(node).reduce((sum: number, inner) => sum + countOf(inner), 1)
    : 1
