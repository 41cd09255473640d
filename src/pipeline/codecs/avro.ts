/** `avro`: one record of an Avro schema per message, in base64 unless `encoding` says otherwise. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Event } from '../event/event.ts'
import { Fields, type FieldValue, toFieldValue, toPlainValue } from '../event/fields.ts'
import { utf8 } from '../plugin/charset.ts'
import { type Codec, codecPlugin } from '../plugin/codec-plugin.ts'
import { loadOptional } from '../plugin/optional-package.ts'
import { option } from '../plugin/options.ts'
import { PluginOptionError } from '../plugin/plugin-context.ts'
import { MessageMaker } from './text-codec.ts'

interface AvroType {
  fromBuffer(bytes: Buffer): unknown
  toBuffer(value: unknown): Buffer
}

interface Avsc {
  readonly Type: { forSchema(schema: unknown, options?: { wrapUnions?: boolean }): AvroType }
}

export const avro = codecPlugin({
  name: 'avro',
  touches: 'nothing',
  options: {
    schema_uri: option.touching('files', option.string({ required: true })),
    encoding: option.words(['base64', 'binary'], { default: 'base64' }),
    tag_on_failure: option.boolean({ default: false }),
    target: option.field(),
    ecs_compatibility: option.words(['disabled', 'v1', 'v8']),
  },
  create(options, context) {
    const { Type } = loadOptional<Avsc>('avsc', 'the avro codec')
    const type = typeOf(Type, options.schema_uri)
    const maker = new MessageMaker(context)
    const isText = options.encoding === 'base64'
    const decode = (bytes: Buffer, out: Event[]) => {
      try {
        const fields = toFields(type.fromBuffer(isText ? Buffer.from(bytes.toString('latin1'), 'base64') : bytes))
        const event = Event.ofFields(options.target === undefined ? fields : new Fields(), maker.now())
        if (options.target !== undefined) event.set(options.target, fields)
        maker.keepOriginal(event, utf8.decode(bytes))
        out.push(event)
      } catch (error) {
        if (!options.tag_on_failure) throw error
        const event = maker.make(utf8.decode(bytes))
        event.tag('_avroparsefailure')
        out.push(event)
      }
    }
    const codec: Codec = {
      name: 'avro',
      keepsOriginal: context.ecs !== 'disabled',
      createDecoder: () => ({
        charset: utf8,
        pending: false,
        decode: (bytes, out) => decode(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), out),
        decodeLine: (line, out) => decode(Buffer.from(line), out),
        flush() {},
      }),
      encode(event) {
        const bytes = type.toBuffer(toPlainValue(event.fields))
        return isText ? bytes.toString('base64') : bytes
      },
      forStream: () => codec,
    }
    return codec
  },
})

/** Unions are written as their plain value, as in events. */
function typeOf(type: Avsc['Type'], uri: string): AvroType {
  if (/^https?:/.test(uri)) {
    throw new PluginOptionError('schema_uri must be a file here: download the schema and name its path')
  }
  try {
    const path = uri.startsWith('file:') ? fileURLToPath(uri) : uri
    return type.forSchema(JSON.parse(readFileSync(path, 'utf8')), { wrapUnions: false })
  } catch (error) {
    throw new PluginOptionError(`schema_uri ${uri}: ${(error as Error).message}`)
  }
}

/** Bytes become text; other Avro values are used as they are. */
function toFields(record: unknown): Fields {
  const fields = new Fields()
  for (const [name, value] of Object.entries(record as object)) fields[name] = plain(value)
  return fields
}

function plain(value: unknown): FieldValue {
  if (Buffer.isBuffer(value)) return value.toString('utf8')
  if (Array.isArray(value)) return value.map(plain)
  return value !== null && typeof value === 'object' ? toFields(value) : toFieldValue(value)
}
