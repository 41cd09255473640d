/** `msgpack`: a sequence of MessagePack objects. */
import { Event } from '../event/event.ts'
import { isFields } from '../event/fields.ts'
import { utf8 } from '../plugin/charset.ts'
import { type Codec, codecPlugin, type Decoder } from '../plugin/codec-plugin.ts'
import { option } from '../plugin/options.ts'
import type { PluginContext } from '../plugin/plugin-context.ts'
import { IncompleteMessageError, readMessage, writeMessage } from './message-pack.ts'
import { MessageMaker } from './text-codec.ts'

export const msgpack = codecPlugin({
  name: 'msgpack',
  options: {
    format: option.ignored('Events are written whole.'),
    target: option.field(),
    ecs_compatibility: option.words(['disabled', 'v1', 'v8']),
  },
  create({ target }, context) {
    const codec: Codec = {
      name: 'msgpack',
      createDecoder: () => new MessagePackDecoder(target, context),
      encode: (event) => writeMessage(event.fields),
      forStream: () => codec,
    }
    return codec
  },
})

class MessagePackDecoder implements Decoder {
  readonly charset = utf8
  readonly #target: string | undefined
  readonly #maker: MessageMaker
  #held = Buffer.alloc(0)

  constructor(target: string | undefined, context: PluginContext) {
    this.#target = target
    this.#maker = new MessageMaker(context)
  }

  get pending(): boolean {
    return this.#held.length > 0
  }

  decode(bytes: Uint8Array, out: Event[]): void {
    this.#held = Buffer.concat([this.#held, bytes])
    let at = 0
    try {
      while (at < this.#held.length) {
        const { value, end } = readMessage(this.#held, at)
        at = end
        if (!isFields(value)) continue
        const event = Event.ofFields(value, this.#maker.now())
        if (this.#target !== undefined) event.set(this.#target, value)
        out.push(event)
      }
    } catch (error) {
      if (!(error instanceof IncompleteMessageError)) {
        // The start of the next message is unknown, so all remaining bytes become one text event.
        const event = this.#maker.make(this.charset.decode(this.#held.subarray(at)))
        event.tag('_msgpackparsefailure')
        out.push(event)
        at = this.#held.length
      }
    }
    this.#held = Buffer.from(this.#held.subarray(at))
  }

  decodeLine(line: string, out: Event[]): void {
    this.decode(Buffer.from(line), out)
  }

  flush(): void {
    this.#held = Buffer.alloc(0)
  }
}
