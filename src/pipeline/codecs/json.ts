/** `json` and `json_lines`: an object is one event, an array of objects is one event per element. */
import { Event } from '../event/event.ts'
import { Fields, type FieldValue, isFields } from '../event/fields.ts'
import { jsonText, objectText, parseJson } from '../event/json-text.ts'
import { type Charset, charsetOf } from '../plugin/charset.ts'
import { type Codec, codecPlugin, type Decoder } from '../plugin/codec-plugin.ts'
import { option } from '../plugin/options.ts'
import type { PluginContext } from '../plugin/plugin-context.ts'
import { LineSplitter } from './line-splitter.ts'
import { MessageMaker } from './text-codec.ts'

/** A line this long without an end is no JSON. */
const LINE_BYTES_MAX = 536_870_912

const ECS = option.words(['disabled', 'v1', 'v8'])

export const json = codecPlugin({
  name: 'json',
  touches: 'nothing',
  options: { charset: option.string({ default: 'UTF-8' }), target: option.field(), ecs_compatibility: ECS },
  create({ charset: name, target }, context) {
    const charset = charsetOf(name)
    return {
      name: 'json',
      keepsOriginal: context.ecs !== 'disabled',
      createDecoder: () => new JsonDecoder(charset, undefined, target, context),
      encode: (event) => objectText(event.fields),
      forStream: () => createJsonLines(charset, '\n', target, LINE_BYTES_MAX, context),
    }
  },
})

export const jsonLines = codecPlugin({
  name: 'json_lines',
  touches: 'nothing',
  options: {
    charset: option.string({ default: 'UTF-8' }),
    delimiter: option.string({ default: '\n' }),
    target: option.field(),
    decode_size_limit_bytes: option.number({ default: LINE_BYTES_MAX }),
    ecs_compatibility: ECS,
  },
  create({ charset, delimiter, target, decode_size_limit_bytes: bytesMax }, context) {
    return createJsonLines(charsetOf(charset), delimiter, target, bytesMax, context)
  },
})

function createJsonLines(
  charset: Charset,
  delimiter: string,
  target: string | undefined,
  bytesMax: number,
  context: PluginContext,
): Codec {
  const codec: Codec = {
    name: 'json_lines',
    keepsOriginal: context.ecs !== 'disabled',
    createDecoder: () => new JsonDecoder(charset, delimiter, target, context, bytesMax),
    encode: (event) => objectText(event.fields) + delimiter,
    forStream: () => codec,
  }
  return codec
}

class JsonDecoder implements Decoder {
  readonly charset: Charset
  readonly #splitter: LineSplitter | undefined
  readonly #target: string | undefined
  readonly #maker: MessageMaker

  readonly #bytesMax: number

  constructor(
    charset: Charset,
    delimiter: string | undefined,
    target: string | undefined,
    context: PluginContext,
    bytesMax = LINE_BYTES_MAX,
  ) {
    this.#bytesMax = bytesMax
    this.charset = charset
    this.#splitter = delimiter === undefined ? undefined : new LineSplitter(charset, delimiter)
    this.#target = target
    this.#maker = new MessageMaker(context)
  }

  get pending(): boolean {
    return this.#splitter?.pending === true
  }

  decode(bytes: Uint8Array, out: Event[]): void {
    if (this.#splitter === undefined) {
      this.decodeLine(this.charset.decode(bytes), out)
      return
    }
    for (const text of this.#splitter.push(bytes)) this.decodeLine(text, out)
    if (!this.#splitter.pending || this.#splitter.heldBytes <= this.#bytesMax) return
    const event = this.#maker.make(this.#splitter.end() ?? '')
    event.tag('_jsonparsetoobigfailure')
    out.push(event)
  }

  /** Blank text is ignored. */
  decodeLine(text: string, out: Event[]): void {
    if (text.trim() !== '') this.#decodeText(text, out)
  }

  flush(out: Event[]): void {
    const rest = this.#splitter?.end()
    if (rest !== undefined) this.decodeLine(rest, out)
  }

  #decodeText(text: string, out: Event[]): void {
    const value = tryParse(text)
    const items = Array.isArray(value) ? value : [value]
    if (value === undefined || !items.every(isFields)) {
      const event = this.#maker.make(text)
      event.tag('_jsonparsefailure')
      out.push(event)
      return
    }
    for (const item of items as Fields[]) {
      const event = this.#eventOf(item)
      this.#maker.keepOriginal(event, Array.isArray(value) ? jsonText(item) : text)
      out.push(event)
    }
  }

  #eventOf(fields: Fields): Event {
    const now = this.#maker.now()
    if (this.#target === undefined) return Event.ofFields(fields, now)
    const event = Event.ofFields(new Fields(), now)
    event.set(this.#target, fields)
    return event
  }
}

function tryParse(text: string): FieldValue | undefined {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}
