/** The same numbers again for the same seed, which TEST_SEED may name. */
export const SEED = Number(process.env['TEST_SEED'] ?? 20_261_130)

/** Numbers from 0 up to 1, by the mulberry32 generator. */
export function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
