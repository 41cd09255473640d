/** `plain`: every chunk of input is one event. */
import type { Event } from '../event/event.ts'
import { type Charset, charsetOf } from '../plugin/charset.ts'
import { codecPlugin, type Decoder } from '../plugin/codec-plugin.ts'
import { option } from '../plugin/options.ts'
import type { PluginContext } from '../plugin/plugin-context.ts'
import { createLineCodec } from './line.ts'
import { formatLine, MessageMaker } from './text-codec.ts'

export const plain = codecPlugin({
  name: 'plain',
  touches: 'nothing',
  options: {
    format: option.string(),
    charset: option.string({ default: 'UTF-8' }),
    ecs_compatibility: option.words(['disabled', 'v1', 'v8']),
  },
  create({ charset: name, format }, context) {
    const charset = charsetOf(name)
    return {
      name: 'plain',
      format,
      keepsOriginal: context.ecs !== 'disabled',
      createDecoder: () => new PlainDecoder(charset, context),
      encode: (event) => formatLine(event, format),
      forStream: () => createLineCodec(charset, '\n', format, context),
    }
  },
})

class PlainDecoder implements Decoder {
  readonly charset: Charset
  readonly pending = false
  readonly #maker: MessageMaker

  constructor(charset: Charset, context: PluginContext) {
    this.charset = charset
    this.#maker = new MessageMaker(context)
  }

  decode(bytes: Uint8Array, out: Event[]): void {
    out.push(this.#maker.make(this.charset.decode(bytes)))
  }

  decodeLine(text: string, out: Event[]): void {
    out.push(this.#maker.make(text))
  }

  flush(): void {}
}
