/** `dissect`: splits text at fixed delimiters. */

import { floatOf } from '../event/convert.ts'
import type { Event } from '../event/event.ts'
import type { FieldValue } from '../event/fields.ts'
import { rubyText } from '../event/ruby-text.ts'
import { textForm } from '../event/text-form.ts'
import { filterPlugin } from '../plugin/filter-plugin.ts'
import { type ConfigValue, option } from '../plugin/options.ts'
import { PluginOptionError } from '../plugin/plugin-context.ts'
import { DissectPattern } from './dissect-pattern.ts'

export const dissect = filterPlugin({
  name: 'dissect',
  touches: 'nothing',
  options: {
    mapping: option.hash({ default: new Map<string, ConfigValue>() }),
    convert_datatype: option.hash({ default: new Map<string, ConfigValue>() }),
    tag_on_failure: option.strings({ default: ['_dissectfailure'] }),
  },
  create({ mapping, convert_datatype: conversions, tag_on_failure: failureTags }, { log }) {
    for (const [field, type] of conversions) {
      if (/^(?:int|float)$/i.test(String(type))) continue
      throw new PluginOptionError(`convert_datatype: ${field} cannot become "${type}"; use "int" or "float"`)
    }
    const patterns = [...mapping].map(([field, text]) => ({ field, pattern: new DissectPattern(String(text)) }))
    return {
      filter(event) {
        let matched = false
        for (const { field, pattern } of patterns) {
          const value = event.get(field)
          if (value === undefined) continue
          // Values that are no text are taken apart in the form in which Ruby prints them.
          const text = typeof value === 'string' ? value : value === null ? '' : rubyText(value)
          const found = text === '' ? undefined : pattern.match(text)
          if (found === undefined) for (const tag of failureTags) event.tag(tag)
          else {
            store(event, pattern, found)
            matched = true
          }
        }
        for (const [field, type] of conversions) convert(event, field, String(type))
        return matched
      },
      failed(event) {
        for (const tag of failureTags) event.tag(tag)
      },
    }
  },
})

function store(event: Event, pattern: DissectPattern, found: readonly string[]): void {
  const values = new Map<string, string>()
  const skipped = new Map<string, string>()
  pattern.fields.forEach((field, i) => {
    if (field.skip) skipped.set(field.name, found[i]!)
    else if (!field.append && !field.indirect) values.set(field.name, found[i]!)
  })
  for (const i of pattern.appended) {
    const { name, before } = pattern.fields[i]!
    const known = values.get(name) ?? textOf(event.get(name))
    values.set(name, known === undefined ? found[i]! : known + (before === '' ? ' ' : before) + found[i]!)
  }
  for (const [name, text] of values) event.set(name, text)
  pattern.fields.forEach((field, i) => {
    if (!field.indirect) return
    const known = skipped.get(field.name) ?? values.get(field.name) ?? textOf(event.get(field.name))
    if (known !== undefined && known !== '') event.set(known, found[i]!)
  })
}

function textOf(value: FieldValue | undefined): string | undefined {
  return value === undefined || value === null ? undefined : textForm(value)
}

/** Plain decimal numbers of any length. */
const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/

function convert(event: Event, field: string, type: string): void {
  const text = textOf(event.get(field))
  const wanted = type.toLowerCase()
  if (text === undefined) event.tag(`_dataconversionnullvalue_${field}_${type}`)
  else if (!DECIMAL.test(text)) event.tag(`_dataconversionuncoercible_${field}_${type}`)
  else event.set(field, wanted === 'float' ? floatOf(Number(text)) : wholeOf(text))
}

function wholeOf(text: string): FieldValue {
  const value = Math.trunc(Number(text))
  if (Number.isSafeInteger(value)) return value + 0
  return /^[+-]?\d+$/.test(text) ? BigInt(text.replace('+', '')) : BigInt(value)
}
