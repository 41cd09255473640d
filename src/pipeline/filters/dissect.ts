/** `dissect`: cuts text at fixed delimiters. */
import type { Event } from '../event/event.ts'
import type { FieldValue } from '../event/fields.ts'
import { textForm } from '../event/text-form.ts'
import { filterPlugin } from '../plugin/filter-plugin.ts'
import { type ConfigValue, option } from '../plugin/options.ts'
import { PluginOptionError } from '../plugin/plugin-context.ts'
import { floatOf } from './convert.ts'
import { DissectPattern } from './dissect-pattern.ts'

export const dissect = filterPlugin({
  name: 'dissect',
  options: {
    mapping: option.hash({ default: new Map<string, ConfigValue>() }),
    convert_datatype: option.hash({ default: new Map<string, ConfigValue>() }),
    tag_on_failure: option.strings({ default: ['_dissectfailure'] }),
  },
  create({ mapping, convert_datatype: conversions, tag_on_failure: failureTags }) {
    for (const [field, type] of conversions) {
      if (type !== 'int' && type !== 'float') {
        throw new PluginOptionError(`Dissector datatype conversion, datatype not supported: ${type} for ${field}`)
      }
    }
    const patterns = [...mapping].map(([field, text]) => ({ field, pattern: new DissectPattern(String(text)) }))
    return {
      filter(event) {
        let matched = false
        for (const { field, pattern } of patterns) {
          const value = event.get(field)
          if (value === undefined || value === null) continue
          const found = typeof value === 'string' && value !== '' ? pattern.match(value) : undefined
          if (found === undefined) {
            for (const tag of failureTags) event.tag(tag)
            return false
          }
          store(event, pattern, found)
          matched = true
        }
        for (const [field, type] of conversions) convert(event, field, String(type))
        return matched
      },
    }
  },
})

function store(event: Event, pattern: DissectPattern, found: readonly string[]): void {
  const values = new Map<string, string>()
  const skipped = new Map<string, string>()
  const appended = new Map<string, { order: number; text: string; before: string }[]>()
  pattern.fields.forEach((field, i) => {
    const text = found[i]!
    if (field.skip) skipped.set(field.name, text)
    else if (field.append) {
      const list = appended.get(field.name) ?? []
      list.push({ order: field.order, text, before: field.before })
      appended.set(field.name, list)
    } else if (!field.indirect) values.set(field.name, text)
  })
  for (const [name, parts] of appended) values.set(name, joined(values.get(name), parts))
  for (const [name, text] of values) event.set(name, text)
  pattern.fields.forEach((field, i) => {
    if (!field.indirect) return
    const known = skipped.get(field.name) ?? values.get(field.name) ?? textOf(event.get(field.name))
    if (known !== undefined && known !== '') event.set(known, found[i]!)
  })
}

/** Parts with a number are put in its order with blanks; the others keep the delimiter that stood before them. */
function joined(first: string | undefined, parts: { order: number; text: string; before: string }[]): string {
  if (parts.some(({ order }) => order >= 0)) {
    const sorted = [...parts].sort((a, b) => a.order - b.order).map(({ text }) => text)
    return (first === undefined ? sorted : [first, ...sorted]).join(' ')
  }
  return parts.reduce<string | undefined>(
    (text, part) => (text === undefined ? part.text : text + part.before + part.text),
    first,
  )!
}

function textOf(value: FieldValue | undefined): string | undefined {
  return value === undefined || value === null ? undefined : textForm(value)
}

function convert(event: Event, field: string, type: string): void {
  const value = event.get(field)
  if (value === undefined) return
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN
  if (Number.isNaN(number)) event.tag(`_dataconversionuncoercible_${field}_${type}`)
  else event.set(field, type === 'int' ? Math.trunc(number) : floatOf(number))
}
