/**
 * Which blocks of stored documents this thread has compared with their checksums. A scan reads each block many times, and every point
 * in time has readers of its own, so the readers of a segment share what they know.
 */
import type { Arena } from '../../memory/arena.ts'

/** The most blocks of all segments of an arena together: a byte for each. Older segments are forgotten. */
const BLOCKS_MAX = 1 << 20

interface VerifiedSegments {
  /** By the serial number of the segment. */
  readonly flags: Map<number, Uint8Array>
  blocks: number
}

const arenas = new WeakMap<Arena, VerifiedSegments>()

/** For each block whether it was compared. The caller sets it. */
export function verifiedBlocks(arena: Arena, segment: number, blockCount: number): Uint8Array {
  let known = arenas.get(arena)
  if (known === undefined) arenas.set(arena, (known = { flags: new Map(), blocks: 0 }))
  const old = known.flags.get(segment)
  if (old !== undefined) return old
  const flags = new Uint8Array(blockCount)
  known.flags.set(segment, flags)
  known.blocks += blockCount
  for (const [other, { length }] of known.flags) {
    if (known.blocks <= BLOCKS_MAX || other === segment) break
    known.flags.delete(other)
    known.blocks -= length
  }
  return flags
}
