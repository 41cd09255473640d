/**
 * `rubydebug`: prints events as Ruby's pretty printer does, byte for byte. The output is for people; decoding is not
 * supported.
 */
import { Double } from '../../base/json/json-writer.ts'
import type { Event } from '../event/event.ts'
import { copyFields, type Fields, type FieldValue, isFields, namesOf } from '../event/fields.ts'
import { quoteRuby, rubyFloat } from '../event/ruby-text.ts'
import { Timestamp } from '../event/timestamp.ts'
import { type Codec, codecPlugin } from '../plugin/codec-plugin.ts'
import { option } from '../plugin/options.ts'

export const rubydebug = codecPlugin({
  name: 'rubydebug',
  touches: 'nothing',
  options: { metadata: option.boolean({ default: false }) },
  create({ metadata }) {
    const codec: Codec = {
      name: 'rubydebug',
      createDecoder() {
        throw new Error('Not implemented')
      },
      encode: (event) => rubydebugText(metadata ? withMetadata(event) : event.fields),
      forStream: () => codec,
    }
    return codec
  },
})

export function rubydebugText(fields: Fields): string {
  return `${printFields(fields, 0)}\n`
}

function withMetadata(event: Event): Fields {
  const fields = copyFields(event.fields)
  fields['@metadata'] = event.metadata
  return fields
}

const STEP = 4

function printValue(value: FieldValue, depth: number): string {
  if (value === null) return 'nil'
  if (typeof value === 'string') return quoteRuby(value)
  if (typeof value === 'number') return Number.isInteger(value) ? String(value) : rubyFloat(value)
  if (value instanceof Double) return rubyFloat(value.value)
  if (value instanceof Timestamp) return value.toString()
  if (Array.isArray(value)) return printArray(value, depth)
  return isFields(value) ? printFields(value, depth) : String(value)
}

function printFields(fields: Fields, depth: number): string {
  const names = namesOf(fields)
  if (names.length === 0) return '{}'
  const quoted = names.map(quoteRuby)
  const width = Math.max(...quoted.map((name) => name.length)) + STEP * (depth + 1)
  const lines = names.map((name, i) => `${quoted[i]!.padStart(width)} => ${printValue(fields[name]!, depth + 1)}`)
  return `{\n${lines.join(',\n')}\n${' '.repeat(STEP * depth)}}`
}

function printArray(items: readonly FieldValue[], depth: number): string {
  if (items.length === 0) return '[]'
  const width = String(items.length - 1).length
  const indent = ' '.repeat(STEP * (depth + 1))
  const lines = items.map((item, i) => `${indent}[${String(i).padStart(width)}] ${printValue(item, depth + 1)}`)
  return `[\n${lines.join(',\n')}\n${' '.repeat(STEP * depth)}]`
}
