/** `msgpack`: a sequence of MessagePack objects. */
import { Event } from '../event/event.ts'
import { isFields } from '../event/fields.ts'
import { type Codec, codecPlugin } from '../plugin/codec-plugin.ts'
import { option } from '../plugin/options.ts'
import type { PluginContext } from '../plugin/plugin-context.ts'
import { type MessageValue, writeMessage } from './message-pack.ts'
import { MessageStreamDecoder } from './message-stream.ts'
import { MessageMaker } from './text-codec.ts'

export const msgpack = codecPlugin({
  name: 'msgpack',
  touches: 'nothing',
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

class MessagePackDecoder extends MessageStreamDecoder {
  readonly #target: string | undefined
  readonly #maker: MessageMaker

  constructor(target: string | undefined, context: PluginContext) {
    super(false)
    this.#target = target
    this.#maker = new MessageMaker(context)
  }

  protected override received(value: MessageValue, out: Event[]): void {
    if (!isFields(value)) return
    const event = Event.ofFields(value, this.#maker.now())
    if (this.#target !== undefined) event.set(this.#target, value)
    out.push(event)
  }

  protected override failed(text: string, _error: Error, out: Event[]): void {
    const event = this.#maker.make(text)
    event.tag('_msgpackparsefailure')
    out.push(event)
  }
}
