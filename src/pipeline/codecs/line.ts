/** `line`: every line is an event. */
import type { Event } from '../event/event.ts'
import { type Codec, codecPlugin, type Decoder } from '../plugin/codec-plugin.ts'
import { option } from '../plugin/options.ts'
import type { PluginContext } from '../plugin/plugin-context.ts'
import { type Charset, charsetOf } from './charset.ts'
import { LineSplitter } from './line-splitter.ts'
import { formatLine, MessageMaker } from './text-codec.ts'

export const line = codecPlugin({
  name: 'line',
  options: {
    format: option.string(),
    charset: option.string({ default: 'UTF-8' }),
    delimiter: option.string({ default: '\n' }),
    ecs_compatibility: option.words(['disabled', 'v1', 'v8']),
  },
  create(options, context) {
    return createLineCodec(charsetOf(options.charset), options.delimiter, options.format, context)
  },
})

export function createLineCodec(
  charset: Charset,
  delimiter: string,
  format: string | undefined,
  context: PluginContext,
): Codec {
  const codec: Codec = {
    name: 'line',
    createDecoder: () => new LineDecoder(charset, delimiter, context),
    encode: (event) => formatLine(event, format) + delimiter,
    forStream: () => codec,
  }
  return codec
}

class LineDecoder implements Decoder {
  readonly charset: Charset
  readonly #splitter: LineSplitter
  readonly #maker: MessageMaker

  constructor(charset: Charset, delimiter: string, context: PluginContext) {
    this.charset = charset
    this.#splitter = new LineSplitter(charset, delimiter)
    this.#maker = new MessageMaker(context)
  }

  get pending(): boolean {
    return this.#splitter.pending
  }

  decode(bytes: Uint8Array, out: Event[]): void {
    const lines = this.#splitter.push(bytes)
    for (let i = 0; i < lines.length; i++) out.push(this.#maker.make(lines[i]!))
  }

  decodeLine(text: string, out: Event[]): void {
    out.push(this.#maker.make(text))
  }

  flush(out: Event[]): void {
    const rest = this.#splitter.end()
    if (rest !== undefined) out.push(this.#maker.make(rest))
  }
}
