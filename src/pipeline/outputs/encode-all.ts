/** The bytes of a batch in one piece: many small writes cost far more than one. */
import type { Event } from '../event/event.ts'
import type { Codec } from '../plugin/codec-plugin.ts'

export function encodeAll(events: readonly Event[], codec: Codec): Buffer {
  const pieces = events.map((event) => codec.encode(event))
  if (pieces.every((piece) => typeof piece === 'string')) return Buffer.from(pieces.join(''))
  return Buffer.concat(pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)))
}
