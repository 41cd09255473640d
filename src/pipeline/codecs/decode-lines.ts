/** Decodes a block of complete lines, for inputs such as file that split lines themselves. */
import type { Event } from '../event/event.ts'
import type { Decoder } from '../plugin/codec-plugin.ts'

/** `bytes` contains complete lines; the last line end is optional. */
export function decodeLines(decoder: Decoder, bytes: Uint8Array, delimiter: string, out: Event[]): void {
  const lines = decoder.charset.decode(bytes).split(delimiter)
  if (lines[lines.length - 1] === '') lines.pop()
  for (let i = 0; i < lines.length; i++) decoder.decodeLine(lines[i]!, out)
}
