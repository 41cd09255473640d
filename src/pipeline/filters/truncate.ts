/** `truncate`: cuts texts to a maximum number of bytes, never inside a character. */
import { topLevelReference } from '../event/field-reference.ts'
import { Fields, type FieldValue, isFields, namesOf } from '../event/fields.ts'
import { filterPlugin } from '../plugin/filter-plugin.ts'
import { option } from '../plugin/options.ts'

export const truncate = filterPlugin({
  name: 'truncate',
  touches: 'nothing',
  options: { fields: option.strings(), length_bytes: option.number({ required: true }) },
  create({ fields, length_bytes: bytesMax }) {
    return {
      filter(event) {
        const references = fields ?? namesOf(event.fields).map(topLevelReference)
        let hasCut = false
        for (const reference of references) {
          const value = event.get(reference)
          if (value === undefined) continue
          const changed = cut(value, bytesMax)
          if (changed === value) continue
          event.set(reference, changed)
          hasCut = true
        }
        return hasCut
      },
    }
  },
})

/** Returns the value itself if nothing in it is too long. */
function cut(value: FieldValue, bytesMax: number): FieldValue {
  if (typeof value === 'string') return cutText(value, bytesMax)
  if (Array.isArray(value)) {
    const items = value.map((item) => cut(item, bytesMax))
    return items.some((item, i) => item !== value[i]) ? items : value
  }
  if (!isFields(value)) return value
  const changed = new Fields()
  let hasChanged = false
  for (const name of namesOf(value)) {
    changed[name] = cut(value[name]!, bytesMax)
    if (changed[name] !== value[name]) hasChanged = true
  }
  return hasChanged ? changed : value
}

function cutText(text: string, bytesMax: number): string {
  if (text.length * 3 <= bytesMax) return text
  const bytes = Buffer.from(text)
  if (bytes.length <= bytesMax) return text
  let end = bytesMax
  while (end > 0 && (bytes[end]! & 0xc0) === 0x80) end--
  return bytes.toString('utf8', 0, end)
}
