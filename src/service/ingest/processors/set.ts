/** set: writes a value or a copy of another field. */
import { deepCopy } from '../document/deep-copy.ts'
import type { ProcessorFactory } from '../pipeline/processor.ts'
import { readMediaType, valueSource } from '../template/value-source.ts'
import { fieldName } from './field-name.ts'

export const set: ProcessorFactory = (reader) => {
  const fieldText = reader.string('field')
  const copyFrom = reader.optionalString('copy_from')
  const mediaType = readMediaType(reader)
  let value = undefined as ReturnType<typeof valueSource> | undefined
  let isTemplate = false
  if (copyFrom === undefined) {
    const given = reader.object('value')
    isTemplate = typeof given === 'string' && given.includes('{{')
    value = valueSource(given, reader, 'value', mediaType)
  } else if (reader.take('value') !== undefined) {
    throw reader.error('copy_from', 'cannot set both `copy_from` and `value` in the same processor')
  }
  const overrides = reader.boolean('override', true)
  const ignoresEmpty = reader.boolean('ignore_empty_value', false)
  const field = fieldName(fieldText, reader)
  return (document) => {
    const name = field.constant ?? field.render(document)
    if (!overrides && document.has(name) && document.get(name) !== null) return
    if (value === undefined) {
      const copied = document.find(copyFrom!, ignoresEmpty)
      if (ignoresEmpty && isEmpty(copied ?? null)) return
      document.set(name, deepCopy(copied, document.budget))
      return
    }
    const written = value(document)
    // `ignore_empty_value` applies to templates only.
    if (ignoresEmpty && isTemplate && isEmpty(written)) return
    document.set(name, written)
  }
}

const isEmpty = (value: unknown) => value === null || value === ''
