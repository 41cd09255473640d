/** `es_bulk`: decodes the body of a bulk request. Every document is an event, and its action is metadata. */
import type { Log } from '../../base/log.ts'
import { Event } from '../event/event.ts'
import { Fields, type FieldValue, isFields } from '../event/fields.ts'
import { objectText, parseJson } from '../event/json-text.ts'
import { type Charset, charsetOf } from '../plugin/charset.ts'
import { type Codec, codecPlugin, type Decoder } from '../plugin/codec-plugin.ts'
import { option } from '../plugin/options.ts'
import type { PluginContext } from '../plugin/plugin-context.ts'
import { LineSplitter } from './line-splitter.ts'
import { MessageMaker } from './text-codec.ts'

export const esBulk = codecPlugin({
  name: 'es_bulk',
  touches: 'nothing',
  options: {
    charset: option.string({ default: 'UTF-8' }),
    target: option.field(),
    ecs_compatibility: option.words(['disabled', 'v1', 'v8']),
  },
  create({ charset, target }, context) {
    const codec: Codec = {
      name: 'es_bulk',
      createDecoder: () => new BulkDecoder(charsetOf(charset), target, context),
      encode: (event) => `{"index":{}}\n${objectText(event.fields)}\n`,
      forStream: () => codec,
    }
    return codec
  },
})

class BulkDecoder implements Decoder {
  readonly charset: Charset
  readonly #splitter: LineSplitter
  readonly #target: string | undefined
  readonly #metadataField: string
  readonly #maker: MessageMaker
  readonly #log: Log
  /** The action whose document is on the next line. */
  #action: Fields | undefined

  constructor(charset: Charset, target: string | undefined, context: PluginContext) {
    this.charset = charset
    this.#splitter = new LineSplitter(charset, '\n')
    this.#target = target
    this.#metadataField = context.ecs === 'disabled' ? '[@metadata]' : '[@metadata][codec][es_bulk]'
    this.#maker = new MessageMaker(context)
    this.#log = context.log
  }

  get pending(): boolean {
    return this.#splitter.pending || this.#action !== undefined
  }

  decode(bytes: Uint8Array, out: Event[]): void {
    for (const line of this.#splitter.push(bytes)) this.decodeLine(line, out)
  }

  decodeLine(line: string, out: Event[]): void {
    if (line.trim() === '') return
    let value: FieldValue
    try {
      value = parseJson(line)
    } catch {
      value = null
    }
    if (!isFields(value)) {
      // Logstash skips such a line too.
      this.#log.error(`JSON parse failure. ES Bulk messages must in be UTF-8 JSON: ${line.slice(0, 200)}`)
      return
    }
    if (this.#action !== undefined) {
      out.push(this.#eventOf(value, this.#action))
      this.#action = undefined
      return
    }
    const [[kind, details] = ['index', new Fields()]] = Object.entries(value) as [string, FieldValue][]
    const action = isFields(details) ? details : new Fields()
    action['action'] = kind
    // A delete action has no document line.
    if (kind === 'delete') out.push(this.#eventOf(new Fields(), action))
    else this.#action = action
  }

  flush(out: Event[]): void {
    const rest = this.#splitter.end()
    if (rest !== undefined) this.decodeLine(rest, out)
    this.#action = undefined
  }

  #eventOf(document: Fields, action: Fields): Event {
    const now = this.#maker.now()
    const event = Event.ofFields(this.#target === undefined ? document : new Fields(), now)
    if (this.#target !== undefined) event.set(this.#target, document)
    event.set(this.#metadataField, action)
    return event
  }
}
