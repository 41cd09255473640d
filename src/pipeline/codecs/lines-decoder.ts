/** The base of line-based decoders: turns chunks of bytes into complete lines. */
import type { Event } from '../event/event.ts'
import type { Charset } from '../plugin/charset.ts'
import type { Decoder } from '../plugin/codec-plugin.ts'
import type { PluginContext } from '../plugin/plugin-context.ts'
import { LineSplitter } from './line-splitter.ts'
import { MessageMaker } from './text-codec.ts'

export abstract class LinesDecoder implements Decoder {
  readonly charset: Charset
  protected readonly maker: MessageMaker
  readonly #splitter: LineSplitter

  constructor(charset: Charset, delimiter: string, context: PluginContext) {
    this.charset = charset
    this.#splitter = new LineSplitter(charset, delimiter)
    this.maker = new MessageMaker(context)
  }

  get pending(): boolean {
    return this.#splitter.pending
  }

  decode(bytes: Uint8Array, out: Event[]): void {
    const lines = this.#splitter.push(bytes)
    for (let i = 0; i < lines.length; i++) this.decodeLine(lines[i]!, out)
  }

  abstract decodeLine(line: string, out: Event[]): void

  flush(out: Event[]): void {
    const rest = this.#splitter.end()
    if (rest !== undefined) this.decodeLine(rest, out)
  }
}
