/** `de_dot`: field names without dots, which older stores cannot hold. */
import type { Event } from '../event/event.ts'
import { fieldReference, topLevelReference } from '../event/field-reference.ts'
import { Fields, type FieldValue, isFields, namesOf } from '../event/fields.ts'
import { filterPlugin } from '../plugin/filter-plugin.ts'
import { option } from '../plugin/options.ts'
import { PluginOptionError } from '../plugin/plugin-context.ts'

export const deDot = filterPlugin({
  name: 'de_dot',
  options: {
    separator: option.string({ default: '_' }),
    nested: option.boolean({ default: false }),
    recursive: option.boolean({ default: false }),
    fields: option.strings({ default: [] }),
  },
  create({ separator, nested, recursive, fields }) {
    if (separator.includes('.')) throw new PluginOptionError('de_dot: separator cannot be or contain a period')
    const targetOf = (name: string): string =>
      nested
        ? name
            .split('.')
            .map((part) => `[${part}]`)
            .join('')
        : name.replaceAll('.', separator)

    const inside = (value: FieldValue): FieldValue => {
      if (Array.isArray(value)) return value.map(inside)
      if (!isFields(value)) return value
      const renamed = new Fields()
      for (const name of namesOf(value)) renamed[name.replaceAll('.', separator)] = inside(value[name]!)
      return renamed
    }

    const rename = (event: Event, name: string): void => {
      const reference = name.startsWith('[') ? fieldReference(name) : topLevelReference(name)
      const value = event.get(reference)
      if (value === undefined) return
      const changed = recursive ? inside(value) : value
      if (!name.includes('.')) {
        if (changed !== value) event.set(reference, changed)
        return
      }
      event.remove(reference)
      event.set(targetOf(name), changed)
    }

    return {
      filter(event) {
        for (const name of fields.length > 0 ? fields : namesOf(event.fields)) rename(event, name)
        return true
      },
    }
  },
})
