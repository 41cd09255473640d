/**
 * Encodes a batch as one block of bytes, because many small writes cost far more. Events that the codec cannot encode
 * are given up.
 */
import type { Event } from '../event/event.ts'
import type { Codec } from '../plugin/codec-plugin.ts'
import type { Delivery } from '../plugin/delivery.ts'

export async function encodeAll(events: readonly Event[], codec: Codec, delivery: Delivery): Promise<Buffer> {
  return joinPieces(await delivery.forEach(events, (event) => codec.encode(event)))
}

/** Joins texts before encoding them. */
export function joinPieces(pieces: readonly (string | Uint8Array)[]): Buffer {
  if (pieces.every((piece) => typeof piece === 'string')) return Buffer.from(pieces.join(''))
  return Buffer.concat(pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)))
}
