/** `de_dot`: replaces the dots in field names, which older stores cannot hold. */
import type { Event } from '../event/event.ts'
import { fieldReference, topLevelReference } from '../event/field-reference.ts'
import { Fields, type FieldValue, isFields, namesOf } from '../event/fields.ts'
import { filterPlugin } from '../plugin/filter-plugin.ts'
import { option } from '../plugin/options.ts'
import { PluginOptionError } from '../plugin/plugin-context.ts'

export const deDot = filterPlugin({
  name: 'de_dot',
  touches: 'nothing',
  options: {
    separator: option.string({ default: '_' }),
    nested: option.boolean({ default: false }),
    recursive: option.boolean({ default: false }),
    fields: option.strings({ default: [] }),
    tag_on_failure: option.strings({ default: ['_de_dot_failure'] }),
  },
  create({ separator, nested, recursive, fields, tag_on_failure: failureTags }) {
    if (separator.includes('.')) throw new PluginOptionError('de_dot: separator cannot be or contain a period')
    const namesFor = (name: string) => (nested ? name.split('.') : [name.replaceAll('.', separator)])
    const inside = (value: FieldValue): FieldValue => {
      if (Array.isArray(value)) return value.map(inside)
      if (!isFields(value)) return value
      const renamed = new Fields()
      for (const name of namesOf(value)) place(renamed, namesFor(name), inside(value[name]!))
      return renamed
    }
    const rename = (event: Event, name: string): void => {
      const reference = name.startsWith('[') ? fieldReference(name) : topLevelReference(name)
      if (event.get(reference) === undefined) return
      const { path, inMetadata } = reference
      let container: FieldValue | undefined = inMetadata ? event.metadata : event.fields
      path.forEach((part, i) => {
        const isLast = i === path.length - 1
        if (Array.isArray(container)) {
          container = container.at(Number(part))
          return
        }
        const holder = container as Fields
        const value = holder[part]!
        const changed = isLast && recursive ? inside(value) : value
        if (part.includes('.')) {
          holder[part] = undefined
          container = place(holder, namesFor(part), changed)
        } else {
          if (changed !== value) holder[part] = changed
          container = changed
        }
      })
    }

    return {
      filter(event) {
        for (const name of fields.length > 0 ? fields : namesOf(event.fields)) rename(event, name)
        return true
      },
      failed(event) {
        for (const tag of failureTags) event.tag(tag)
      },
    }
  },
})

/** Sets a value below names, which become objects. Objects at the same place are merged. Returns what is at the place. */
function place(holder: Fields, names: readonly string[], value: FieldValue): FieldValue {
  let at = holder
  for (const name of names.slice(0, -1)) {
    const next = at[name] ?? new Fields()
    if (!isFields(next)) throw new Error(`${name} is a value and cannot have fields`)
    at[name] = next
    at = next
  }
  const last = names.at(-1)!
  const there = at[last]
  if (isFields(there) && isFields(value)) for (const name of namesOf(value)) there[name] = value[name]
  else at[last] = value
  return at[last]!
}
