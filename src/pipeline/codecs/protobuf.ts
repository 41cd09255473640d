/** `protobuf`: one message of a protocol buffer type per payload. */
import { resolve } from 'node:path'
import { Event } from '../event/event.ts'
import { Fields, type FieldValue, toPlainValue } from '../event/fields.ts'
import { utf8 } from '../plugin/charset.ts'
import { type Codec, codecPlugin } from '../plugin/codec-plugin.ts'
import { option } from '../plugin/options.ts'
import { PluginOptionError } from '../plugin/plugin-context.ts'
import { type MessageType, messageType } from '../protobuf/message-type.ts'
import { MessageMaker } from './text-codec.ts'

/** Fields that the message lacks have their default value, as in Ruby. */
const AS_OBJECT = { enums: String, defaults: true, arrays: true, objects: true, oneofs: true } as const

export const protobuf = codecPlugin({
  name: 'protobuf',
  touches: 'nothing',
  options: {
    class_name: option.string({ required: true }),
    class_file: option.touching('files', option.string()),
    include_path: option.touching('files', option.strings({ default: [] })),
    protobuf_root_directory: option.touching('files', option.string()),
    protobuf_version: option.ignored('The definitions say which syntax they have.'),
    protobuf_version_3: option.ignored('The definitions say which syntax they have.'),
    stop_on_error: option.boolean({ default: false }),
    pb3_encoder_autoconvert_types: option.boolean({ default: true }),
    pb3_set_oneof_metainfo: option.boolean({ default: false }),
    target: option.field(),
    ecs_compatibility: option.words(['disabled', 'v1', 'v8']),
  },
  create(options, context) {
    const files = [...options.include_path, ...(options.class_file === undefined ? [] : [options.class_file])]
    if (files.length === 0) throw new PluginOptionError('class_file or include_path must name the definitions')
    const type = messageType(
      options.class_name,
      files.map((path) => resolve(options.protobuf_root_directory ?? '', path)),
    )
    const maker = new MessageMaker(context)
    const decode = (bytes: Uint8Array, out: Event[]) => {
      try {
        const message = type.toObject(type.decode(bytes), AS_OBJECT)
        const chosen = takeOneofs(type, message)
        const fields = fieldsOf(message)
        const event = Event.ofFields(options.target === undefined ? fields : new Fields(), maker.now())
        if (options.target !== undefined) event.set(options.target, fields)
        if (options.pb3_set_oneof_metainfo) event.set('[@metadata][pb_oneof]', fieldsOf(chosen))
        out.push(event)
      } catch (error) {
        if (options.stop_on_error) throw error
        context.log.warn(`Couldn't decode protobuf: ${(error as Error).message}`)
        const event = maker.make(utf8.decode(bytes))
        event.tag('_protobufdecodefailure')
        out.push(event)
      }
    }
    const codec: Codec = {
      name: 'protobuf',
      createDecoder: () => ({
        charset: utf8,
        pending: false,
        decode,
        decodeLine: (line, out) => decode(Buffer.from(line, 'latin1'), out),
        flush() {},
      }),
      encode(event) {
        const object = toPlainValue(event.fields) as Record<string, unknown>
        return type
          .encode(options.pb3_encoder_autoconvert_types ? type.fromObject(object) : checked(object, type))
          .finish()
      },
      forStream: () => codec,
    }
    return codec
  },
})

/** Without conversion a value of another type is an error. */
function checked(object: Record<string, unknown>, type: MessageType): object {
  const problem = (type as unknown as { verify(object: object): string | null }).verify(object)
  if (problem !== null) throw new TypeError(`the event does not fit ${type.fullName.slice(1)}: ${problem}`)
  return type.fromObject(object)
}

/** Removes the names of choices from the message; returns the member that each choice has. */
function takeOneofs(type: MessageType, message: Record<string, unknown>): Record<string, unknown> {
  const chosen: Record<string, unknown> = {}
  for (const name of Object.keys(type.oneofs ?? {})) {
    if (message[name] !== undefined) chosen[name] = message[name]
    delete message[name]
  }
  return chosen
}

function fieldsOf(message: object): Fields {
  const fields = new Fields()
  for (const [name, value] of Object.entries(message)) fields[name] = fieldValueOf(value)
  return fields
}

function fieldValueOf(value: unknown): FieldValue {
  if (value === null || value === undefined) return null
  if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8')
  if (Array.isArray(value)) return value.map(fieldValueOf)
  if (isLong(value)) {
    const integer = value.toBigInt()
    return Number.isSafeInteger(Number(integer)) ? Number(integer) : integer
  }
  return typeof value === 'object' ? fieldsOf(value) : (value as FieldValue)
}

/** Integers of 64 bits are objects of the library. */
function isLong(value: unknown): value is { toBigInt(): bigint } {
  return typeof value === 'object' && value !== null && typeof (value as { toBigInt?: unknown }).toBigInt === 'function'
}
