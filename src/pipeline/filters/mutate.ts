/** `mutate`: performs many small changes in a fixed order, whatever their order in the configuration. */

import { WatchedRegexp } from '../../text/regex/watched-regexp.ts'
import { CONVERSIONS, type Conversion, ConversionError, convertValue } from '../event/convert.ts'
import { copyValue, type Event } from '../event/event.ts'
import { type FieldValue, isFields } from '../event/fields.ts'
import { capitalized, rubyStrip, rubyText } from '../event/ruby-text.ts'
import { isTemplate } from '../event/template.ts'
import { filterPlugin } from '../plugin/filter-plugin.ts'
import { type ConfigValue, option } from '../plugin/options.ts'
import { PluginOptionError } from '../plugin/plugin-context.ts'

type Step = (event: Event) => void

export const mutate = filterPlugin({
  name: 'mutate',
  touches: 'nothing',
  options: {
    coerce: option.hash(),
    rename: option.hash(),
    update: option.hash(),
    replace: option.hash(),
    convert: option.hash(),
    gsub: option.array({ default: [] }),
    uppercase: option.strings({ default: [] }),
    capitalize: option.strings({ default: [] }),
    lowercase: option.strings({ default: [] }),
    strip: option.strings({ default: [] }),
    split: option.hash(),
    join: option.hash(),
    merge: option.hash(),
    copy: option.hash(),
    tag_on_failure: option.string({ default: '_mutate_error' }),
    remove: option.obsolete('Please use the remove_field option instead.'),
  },
  create(options, { log }) {
    const warn = (message: string) => log.error(message)
    const steps: Step[] = [
      ...pairs(options.coerce).map(([field, value]) => coerce(field, value)),
      ...pairs(options.rename).map(([from, to]) => rename(from, to)),
      ...pairs(options.update).map(([field, value]) => replace(field, value, true)),
      ...pairs(options.replace).map(([field, value]) => replace(field, value, false)),
      ...pairs(options.convert).map(([field, type]) => convert(field, type)),
      ...gsubs(options.gsub),
      ...options.uppercase.map((field) => mapText(field, (text) => text.toUpperCase())),
      ...options.capitalize.map((field) => mapText(field, capitalized)),
      ...options.lowercase.map((field) => mapText(field, (text) => text.toLowerCase())),
      ...options.strip.map((field) => strip(field)),
      ...pairs(options.split).map(([field, separator]) => split(field, separator)),
      ...pairs(options.join).map(([field, separator]) => join(field, separator)),
      ...merges(options.merge, warn),
      ...pairs(options.copy).map(([from, to]) => copy(from, to)),
    ]
    return {
      filter(event) {
        for (let i = 0; i < steps.length; i++) steps[i]!(event)
        return true
      },
      failed: (event) => event.tag(options.tag_on_failure),
    }
  },
})

function pairs(hash: Map<string, ConfigValue> | undefined): [string, string][] {
  return [...(hash ?? [])].map(([name, value]) => {
    const isHash = typeof value === 'object' && !Array.isArray(value)
    if (isHash) throw new PluginOptionError(`${name} => { … }: a text is expected here, and not a hash`)
    return [name, String(value)]
  })
}

function coerce(field: string, value: string): Step {
  return (event) => {
    if (event.get(field) === null) event.set(field, event.expand(value))
  }
}

function rename(from: string, to: string): Step {
  return (event) => {
    const source = event.expand(from)
    const value = event.get(source)
    if (value === undefined) return
    event.remove(source)
    event.set(event.expand(to), value)
  }
}

function replace(field: string, value: string, onlyExisting: boolean): Step {
  return (event) => {
    if (!onlyExisting || event.has(field)) event.set(field, event.expand(value))
  }
}

function convert(field: string, type: string): Step {
  if (!CONVERSIONS.includes(type as Conversion)) {
    throw new PluginOptionError(`Invalid conversion type '${type}', expected one of '${CONVERSION_WORDS}'`)
  }
  return (event) => {
    const value = event.get(field)
    if (value !== undefined) event.set(field, convertValue(value, type as Conversion))
  }
}

const CONVERSION_WORDS = 'string,integer,float,boolean,integer_eu,float_eu'

function gsubs(items: readonly ConfigValue[]): Step[] {
  if (items.length % 3 !== 0) {
    throw new PluginOptionError(
      'Invalid gsub configuration: each gsub needs three elements: field, pattern, replacement',
    )
  }
  const steps: Step[] = []
  for (let i = 0; i < items.length; i += 3) {
    steps.push(gsub(String(items[i]), String(items[i + 1]), String(items[i + 2])))
  }
  return steps
}

function gsub(field: string, pattern: string, replacement: string): Step {
  const fixed = isTemplate(pattern) ? undefined : new WatchedRegexp(pattern)
  return (event) => {
    const value = event.get(field)
    if (typeof value !== 'string' && !Array.isArray(value)) return
    const regexp = fixed ?? new WatchedRegexp(event.expand(pattern))
    const text = event.expand(replacement)
    event.set(
      field,
      onTexts(value, (item) => regexp.replaceAll(item, text)),
    )
  }
}

function mapText(field: string, change: (text: string) => string): Step {
  return (event) => {
    const value = event.get(field)
    if (typeof value === 'string' || Array.isArray(value)) event.set(field, onTexts(value, change))
  }
}

/** Unlike similar operations, strip fails on an array with an element that is not a string. */
function strip(field: string): Step {
  return (event) => {
    const value = event.get(field)
    if (typeof value === 'string') event.set(field, rubyStrip(value))
    else if (Array.isArray(value)) event.set(field, value.map(strippedItem))
  }
}

function strippedItem(item: FieldValue): string {
  if (typeof item !== 'string') throw new ConversionError('only texts can be stripped')
  return rubyStrip(item)
}

function onTexts(value: string | FieldValue[], change: (text: string) => string): FieldValue {
  if (typeof value === 'string') return change(value)
  return value.map((item) => (typeof item === 'string' ? change(item) : item))
}

function split(field: string, separator: string): Step {
  return (event) => {
    const value = event.get(field)
    if (typeof value !== 'string') return
    const parts = splitText(value, separator)
    while (parts.length > 0 && parts[parts.length - 1] === '') parts.pop()
    event.set(field, parts)
  }
}

/** Ruby's rules: a space matches any run of white space, and an empty separator splits between all characters. */
function splitText(text: string, separator: string): string[] {
  if (separator === '') return [...text]
  if (separator !== ' ') return text.split(separator)
  return text.replace(/^[\0\t-\r ]+/, '').split(/[\0\t-\r ]+/)
}

function join(field: string, separator: string): Step {
  return (event) => {
    const value = event.get(field)
    if (Array.isArray(value)) event.set(field, flatTexts(value).join(separator))
  }
}

function flatTexts(items: readonly FieldValue[]): string[] {
  return items.flatMap((item) => (Array.isArray(item) ? flatTexts(item) : [rubyText(item)]))
}

function merges(hash: Map<string, ConfigValue> | undefined, warn: (message: string) => void): Step[] {
  return [...(hash ?? [])].flatMap(([destination, sources]) =>
    (Array.isArray(sources) ? sources : [sources]).map((source) => merge(destination, String(source), warn)),
  )
}

/** The result of merge is an array, even if the destination was empty. Only two objects merge to an object. */
function merge(destination: string, source: string, warn: (message: string) => void): Step {
  return (event) => {
    const added = event.get(source)
    const old = event.get(destination)
    if (isFields(old) !== isFields(added)) warn(`Not possible to merge an array and a hash: ${destination}, ${source}`)
    else if (isFields(old) && isFields(added)) event.set(destination, Object.assign(old, copyValue(added)))
    else event.set(destination, [...asList(old), ...asList(copyValue(added))])
  }
}

function asList(value: FieldValue | undefined): FieldValue[] {
  if (value === undefined || value === null) return []
  return Array.isArray(value) ? value : [value]
}

function copy(from: string, to: string): Step {
  return (event) => {
    const value = event.get(from)
    if (value !== undefined && value !== null) event.set(to, copyValue(value))
  }
}
