/** Decodes LZ4 blocks in JavaScript, for Kafka batches and for stored documents where the native package is missing. */
import { type BlockOutput, DamagedBlockError } from './block-output.ts'

const MATCH_BYTES_MIN = 4
/** A length of 15 in the token continues in the following bytes. */
const LENGTH_GOES_ON = 15

/** Appends the contents of the block `source[at, end)` to `out` and returns `out`. */
export function decodeLz4Block(source: Uint8Array, at: number, out: BlockOutput): BlockOutput {
  const end = source.length
  const longLength = (start: number): number => {
    let length = start
    if (start !== LENGTH_GOES_ON) return length
    for (let byte = 255; byte === 255; length += byte) {
      if (at >= end) throw new DamagedBlockError('the packed data ends early')
      byte = source[at++]!
    }
    return length
  }
  while (at < end) {
    const token = source[at++]!
    const literals = longLength(token >>> 4)
    out.literal(source, at, literals)
    at += literals
    // The last sequence has only literals.
    if (at >= end) return out
    if (at + 2 > end) throw new DamagedBlockError('the packed data ends early')
    const distance = source[at]! | (source[at + 1]! << 8)
    at += 2
    out.copy(distance, longLength(token & 15) + MATCH_BYTES_MIN)
  }
  return out
}
