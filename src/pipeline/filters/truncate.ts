/** `truncate`: cuts texts that are longer than some number of bytes, never inside a character. */
import type { Event } from '../event/event.ts'
import { topLevelReference } from '../event/field-reference.ts'
import { type FieldValue, isFields, namesOf } from '../event/fields.ts'
import { filterPlugin } from '../plugin/filter-plugin.ts'
import { option } from '../plugin/options.ts'

export const truncate = filterPlugin({
  name: 'truncate',
  options: { fields: option.strings(), length_bytes: option.number({ required: true }) },
  create({ fields, length_bytes: bytesMax }) {
    return {
      filter(event) {
        const references = fields ?? namesOf(event.fields).map(topLevelReference)
        for (const reference of references) {
          const value = event.get(reference)
          if (value !== undefined) setCut(event, reference, value)
        }
        return true
      },
    }

    function setCut(event: Event, reference: Parameters<Event['set']>[0], value: FieldValue): void {
      const changed = cut(value)
      if (changed !== value) event.set(reference, changed)
    }

    function cut(value: FieldValue): FieldValue {
      if (typeof value === 'string') return cutText(value, bytesMax)
      if (Array.isArray(value)) return value.map(cut)
      if (isFields(value)) for (const name of namesOf(value)) value[name] = cut(value[name]!)
      return value
    }
  },
})

function cutText(text: string, bytesMax: number): string {
  if (text.length * 3 <= bytesMax) return text
  const bytes = Buffer.from(text)
  if (bytes.length <= bytesMax) return text
  let end = bytesMax
  while (end > 0 && (bytes[end]! & 0xc0) === 0x80) end--
  return bytes.toString('utf8', 0, end)
}
