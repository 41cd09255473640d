/** `fluent`: the forward protocol of Fluentd and Fluent Bit, a sequence of MessagePack arrays. */
import { gunzipSync } from 'node:zlib'
import type { Log } from '../../base/log.ts'
import { Event } from '../event/event.ts'
import { Fields, type FieldValue, isFields, namesOf } from '../event/fields.ts'
import { textForm } from '../event/text-form.ts'
import { Timestamp } from '../event/timestamp.ts'
import { utf8 } from '../plugin/charset.ts'
import { type Codec, codecPlugin } from '../plugin/codec-plugin.ts'
import { option } from '../plugin/options.ts'
import type { PluginContext } from '../plugin/plugin-context.ts'
import { EventTime, type MessageValue, readMessage, writeMessage } from './message-pack.ts'
import { MessageStreamDecoder } from './message-stream.ts'
import { MessageMaker } from './text-codec.ts'

export const fluent = codecPlugin({
  name: 'fluent',
  touches: 'nothing',
  options: {
    nanosecond_precision: option.boolean({ default: false }),
    target: option.field(),
    ecs_compatibility: option.words(['disabled', 'v1', 'v8']),
  },
  create({ nanosecond_precision: isPrecise, target }, context) {
    const codec: Codec = {
      name: 'fluent',
      createDecoder: () => new FluentDecoder(target, context),
      encode(event) {
        const timestamp = event.timestamp ?? new Timestamp(context.clock.nowMs())
        const seconds = Math.floor(timestamp.ms / 1000)
        const time = isPrecise ? new EventTime(seconds, (timestamp.ms - seconds * 1000) * 1e6) : seconds
        return writeMessage([tagOf(event), time, event.fields])
      },
      forStream: () => codec,
    }
    return codec
  },
})

/** Fluentd routes by one text. */
function tagOf({ fields: { tags } }: Event): string {
  if (tags === undefined || tags === null) return 'log'
  return Array.isArray(tags) ? tags.map(textForm).join('.') : textForm(tags)
}

class FluentDecoder extends MessageStreamDecoder {
  readonly #target: string | undefined
  readonly #maker: MessageMaker
  readonly #log: Log

  constructor(target: string | undefined, context: PluginContext) {
    super(true)
    this.#target = target
    this.#maker = new MessageMaker(context)
    this.#log = context.log
  }

  /** `[tag, time, record]`, `[tag, [[time, record], …]]` or `[tag, packed entries, options]`. */
  protected override received(message: MessageValue, out: Event[]): void {
    const made: Event[] = []
    try {
      if (!Array.isArray(message)) throw new Error('a message is no array')
      const [tag, entries, third] = message as MessageValue[]
      if (Array.isArray(entries)) for (const entry of entries as MessageValue[]) this.#entry(tag, entry, made)
      else if (typeof entries === 'string' || entries instanceof Uint8Array) {
        this.#packed(tag, typeof entries === 'string' ? Buffer.from(entries) : Buffer.from(entries), third, made)
      } else if (typeof entries === 'number' || entries instanceof EventTime) {
        this.#entry(tag, [entries, third] as MessageValue[], made)
      } else throw new Error('Unknown event type')
      out.push(...made)
    } catch (error) {
      this.failed(shown(message), error as Error, out)
    }
  }

  #packed(tag: MessageValue | undefined, bytes: Buffer, options: MessageValue | undefined, out: Event[]): void {
    const isCompressed = isFields(options) && options['compressed'] === 'gzip'
    const entries = isCompressed ? gunzipSync(bytes) : bytes
    for (let at = 0; at < entries.length; ) {
      const { value, end } = readMessage(entries, at, { keepsBytes: true })
      at = end
      this.#entry(tag, value, out)
    }
  }

  #entry(tag: MessageValue | undefined, entry: MessageValue, out: Event[]): void {
    const [time, record] = (Array.isArray(entry) ? entry : []) as MessageValue[]
    if (!isFields(record)) throw new Error('a record is no map')
    const fields = withTexts(record) as Fields
    const event = Event.ofFields(this.#target === undefined ? fields : new Fields(), this.#maker.now())
    if (this.#target !== undefined) event.set(this.#target, fields)
    if (time instanceof EventTime) {
      event.set('@timestamp', new Timestamp(time.seconds * 1000 + Math.floor(time.nanos / 1e6), time.nanos % 1e6))
    } else if (typeof time === 'number') event.set('@timestamp', new Timestamp(time * 1000))
    if (typeof tag === 'string') event.tag(tag)
    out.push(event)
  }

  protected override failed(text: string, error: Error, out: Event[]): void {
    this.#log.error(`Fluent parse error, original data now in message field: ${error.message}`)
    const event = this.#maker.make(text)
    event.tag('_fluentparsefailure')
    out.push(event)
  }
}

function shown(message: MessageValue): string {
  return JSON.stringify(message, (_name, value) => (typeof value === 'bigint' ? String(value) : value))
}

/** Fluent Bit sends texts of records as bytes too. */
function withTexts(value: MessageValue): FieldValue {
  if (value instanceof Uint8Array) return utf8.decode(value)
  if (value instanceof EventTime) return new Timestamp(value.seconds * 1000 + Math.floor(value.nanos / 1e6))
  if (Array.isArray(value)) return (value as MessageValue[]).map(withTexts)
  if (!isFields(value)) return value as FieldValue
  const fields = new Fields()
  for (const name of namesOf(value)) fields[name] = withTexts(value[name] as MessageValue)
  return fields
}
