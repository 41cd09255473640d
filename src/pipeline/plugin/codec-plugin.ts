/** Codecs: bytes of an input become events, events become the bytes of an output. */

import type { Event } from '../event/event.ts'
import type { Charset } from './charset.ts'
import type { OptionTable, OptionValues } from './options.ts'
import type { PluginContext } from './plugin-context.ts'

/** Decodes one source: every connection and every file has its own, so that half lines never mix. */
export interface Decoder {
  /** How lines cut by the input are turned into text. */
  readonly charset: Charset
  /** True while something is held back for bytes to come: the input must not mark those as read. */
  readonly pending: boolean
  /**
   * Takes the next bytes: any piece of a stream for line-based codecs, one whole message (a datagram) for the others.
   */
  decode(bytes: Uint8Array, out: Event[]): void
  /** Takes one whole line without its end, for inputs that cut lines themselves. */
  decodeLine(line: string, out: Event[]): void
  /** The source has ended (or been quiet for long): emits what is held back. */
  flush(out: Event[]): void
  /** Milliseconds of quiet after which the input calls `flush`; undefined means never. */
  readonly flushAfterMs?: number
}

export interface Codec {
  readonly name: string
  createDecoder(): Decoder
  /** The bytes of one event, with whatever ends it. */
  encode(event: Event): string | Uint8Array
  /** The codec a stream (stdin, tcp) uses instead: `plain` becomes `line`, `json` becomes `json_lines`. */
  forStream(): Codec
}

export interface CodecPlugin<S extends OptionTable = OptionTable> {
  readonly name: string
  readonly options: S
  create(options: OptionValues<S>, context: PluginContext): Codec
}

/** Gives `create` the types of its options table. */
export function codecPlugin<const S extends OptionTable>(plugin: CodecPlugin<S>): CodecPlugin {
  return plugin as unknown as CodecPlugin
}
