/** `de_dot`: replaces the dots in field names, which older stores cannot hold. */
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
    tag_on_failure: option.strings({ default: ['_de_dot_failure'] }),
  },
  create({ separator, nested, recursive, fields, tag_on_failure: failureTags }) {
    if (separator.includes('.')) throw new PluginOptionError('de_dot: separator cannot be or contain a period')
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
      // Parent names may contain dots too: the first level with a dot in its name is removed with everything below it.
      const { path, inMetadata } = reference
      const first = path.findIndex((part) => part.includes('.'))
      const gone = path.slice(0, first + 1)
      const rest = event.get(pathText(gone, inMetadata))
      const target = path.flatMap((part) => (nested ? part.split('.') : part.replaceAll('.', separator)))
      event.remove(name.startsWith('[') ? fieldReference(pathText(gone, inMetadata)) : reference)
      // Sibling fields of the named field move below the new name of the parent.
      if (gone.length < path.length && rest !== undefined) {
        const parent = gone.flatMap((part) => (nested ? part.split('.') : part.replaceAll('.', separator)))
        if (event.get(pathText(parent, inMetadata)) === undefined) event.set(pathText(parent, inMetadata), rest)
        event.remove(pathText([...parent, ...path.slice(first + 1)], inMetadata))
      }
      event.set(pathText(target, inMetadata), changed)
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

function pathText(path: readonly string[], inMetadata: boolean): string {
  return `${inMetadata ? '[@metadata]' : ''}${path.map((part) => `[${part}]`).join('')}`
}
