/** For inputs that cut lines themselves (files): a block of whole lines through a decoder. */
import type { Event } from '../event/event.ts'
import type { Decoder } from '../plugin/codec-plugin.ts'

/** `bytes` holds whole lines, with or without the end of the last one. */
export function decodeLines(decoder: Decoder, bytes: Uint8Array, delimiter: string, out: Event[]): void {
  const lines = decoder.charset.decode(bytes).split(delimiter)
  if (lines[lines.length - 1] === '') lines.pop()
  for (let i = 0; i < lines.length; i++) decoder.decodeLine(lines[i]!, out)
}
