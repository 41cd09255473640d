/** `gzip_lines`: decodes lines from a gzip archive, which must be complete. */
import { gunzipSync, gzipSync } from 'node:zlib'
import type { Log } from '../../base/log.ts'
import type { Event } from '../event/event.ts'
import { type Charset, charsetOf } from '../plugin/charset.ts'
import { type Codec, codecPlugin, type Decoder } from '../plugin/codec-plugin.ts'
import { option } from '../plugin/options.ts'
import type { PluginContext } from '../plugin/plugin-context.ts'
import { formatLine, MessageMaker } from './text-codec.ts'

export const gzipLines = codecPlugin({
  name: 'gzip_lines',
  touches: 'nothing',
  options: { charset: option.string({ default: 'UTF-8' }), ecs_compatibility: option.words(['disabled', 'v1', 'v8']) },
  create({ charset }, context) {
    const codec: Codec = {
      name: 'gzip_lines',
      createDecoder: () => new GzipDecoder(charsetOf(charset), context),
      encode: (event) => gzipSync(`${formatLine(event, undefined)}\n`),
      forStream: () => codec,
    }
    return codec
  },
})

class GzipDecoder implements Decoder {
  readonly charset: Charset
  readonly #maker: MessageMaker
  readonly #log: Log
  /** Chunks received so far. Streams cut an archive anywhere, and only a complete archive can be decompressed. */
  #held: Uint8Array[] = []

  constructor(charset: Charset, context: PluginContext) {
    this.charset = charset
    this.#maker = new MessageMaker(context)
    this.#log = context.log
  }

  get pending(): boolean {
    return this.#held.length > 0
  }

  decode(bytes: Uint8Array, out: Event[]): void {
    this.#held.push(Uint8Array.from(bytes))
    try {
      this.#emit(gunzipSync(Buffer.concat(this.#held)), out)
      this.#held = []
    } catch (error) {
      // The archive is incomplete, so more bytes may follow. Any other error means that it is not an archive.
      if ((error as NodeJS.ErrnoException).code === 'Z_BUF_ERROR') return
      this.#held = []
      this.#log.warn(`Dropping data that is no gzip: ${(error as Error).message}`)
    }
  }

  decodeLine(line: string, out: Event[]): void {
    out.push(this.#maker.make(line))
  }

  flush(): void {
    this.#held = []
  }

  #emit(bytes: Buffer, out: Event[]): void {
    const lines = this.charset.decode(bytes).split('\n')
    if (lines[lines.length - 1] === '') lines.pop()
    for (const line of lines) this.decodeLine(line, out)
  }
}
