/** append: adds values to a list. A single value becomes a list. */
import type { ProcessorFactory } from '../pipeline/processor.ts'
import { readMediaType, valueSource } from '../template/value-source.ts'

export const append: ProcessorFactory = (reader) => {
  const field = reader.text('field')
  const given = reader.object('value')
  const allowsDuplicates = reader.boolean('allow_duplicates', true)
  const mediaType = readMediaType(reader)
  const value = valueSource(given, reader, 'value', mediaType)
  return (document) => document.append(field.constant ?? field.render(document), value(document), allowsDuplicates)
}
