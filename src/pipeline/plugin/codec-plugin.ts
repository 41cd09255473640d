/** Codecs decode the bytes of an input to events, and encode events to the bytes of an output. */

import type { Event } from '../event/event.ts'
import type { Charset } from './charset.ts'
import type { OptionTable, OptionValues } from './options.ts'
import type { PluginContext } from './plugin-context.ts'
import type { Touches } from './touches.ts'

/** Decodes one source. Every connection and file has its own decoder, so that incomplete lines never mix. */
export interface Decoder {
  /** The charset of lines that the input splits itself. */
  readonly charset: Charset
  /** Whether data is held back for further bytes. The input must not record those bytes as read. */
  readonly pending: boolean
  /**
   * Decodes the next bytes: any chunk of a stream for line-based codecs, one complete message (a datagram) for others.
   */
  decode(bytes: Uint8Array, out: Event[]): void
  /** Decodes one complete line without its end, for inputs that split lines themselves. */
  decodeLine(line: string, out: Event[]): void
  /** Called when the source has ended or was quiet for long: emits what is held back. */
  flush(out: Event[]): void
  /** Milliseconds of silence after which the input calls `flush`; undefined means never. */
  readonly flushAfterMs?: number
}

export interface Codec {
  readonly name: string
  /** The `format` of the configuration, for outputs that have a format of their own otherwise. */
  readonly format?: string | undefined
  /** Whether decoded events have the text in `[event][original]`, as under ECS. */
  readonly keepsOriginal?: boolean
  /** `source` names the sender of datagrams, for codecs that keep what each sender announced. */
  createDecoder(source?: string): Decoder
  /** The bytes of one event, including its terminator. */
  encode(event: Event): string | Uint8Array
  /** The codec for streams (stdin, tcp): `plain` becomes `line`, `json` becomes `json_lines`. */
  forStream(): Codec
}

export interface CodecPlugin<S extends OptionTable = OptionTable> {
  readonly name: string
  /** What it reaches when it runs, whatever its options say. Creating it reaches nothing but what options declare. */
  readonly touches: Touches
  readonly options: S
  create(options: OptionValues<S>, context: PluginContext): Codec
}

/** Infers the option types of `create` from the options table. */
export function codecPlugin<const S extends OptionTable>(plugin: CodecPlugin<S>): CodecPlugin {
  return plugin as unknown as CodecPlugin
}
