/** `kv`: `key=value` pairs become fields. */
import type { Event } from '../event/event.ts'
import { Fields, type FieldValue, sameValue, toFieldValue } from '../event/fields.ts'
import { type FilterContext, filterPlugin } from '../plugin/filter-plugin.ts'
import { type ConfigValue, type OptionValues, option } from '../plugin/options.ts'
import { PluginOptionError } from '../plugin/plugin-context.ts'
import { RubyRegexp } from '../regex/ruby-regexp.ts'

const TRANSFORMS = ['lowercase', 'uppercase', 'capitalize'] as const
const notEmpty = (text: string) => (text === '' ? 'a pattern that is not empty' : undefined)

const OPTIONS = {
  source: option.field({ default: 'message' } as { default: string }),
  target: option.field(),
  prefix: option.string({ default: '' }),
  field_split: option.string({ default: ' ' }),
  value_split: option.string({ default: '=' }),
  field_split_pattern: option.string({ check: notEmpty }),
  value_split_pattern: option.string({ check: notEmpty }),
  include_keys: option.strings({ default: [] }),
  exclude_keys: option.strings({ default: [] }),
  default_keys: option.hash({ default: new Map<string, ConfigValue>() }),
  trim_key: option.string(),
  trim_value: option.string(),
  remove_char_key: option.string(),
  remove_char_value: option.string(),
  transform_key: option.words(TRANSFORMS),
  transform_value: option.words(TRANSFORMS),
  allow_duplicate_values: option.boolean({ default: true }),
  allow_empty_values: option.boolean({ default: false }),
  include_brackets: option.boolean({ default: true }),
  recursive: option.boolean({ default: false }),
  whitespace: option.words(['lenient', 'strict'], { default: 'lenient' }),
  timeout_millis: option.number({ default: 30_000 }),
  tag_on_timeout: option.string({ default: '_kv_filter_timeout' }),
  tag_on_failure: option.strings({ default: ['_kv_filter_error'] }),
} as const

type KvOptions = OptionValues<typeof OPTIONS>

export const kv = filterPlugin({
  name: 'kv',
  options: OPTIONS,
  create(options, context) {
    const parser = new PairParser(options)
    return {
      ...(options.timeout_millis > 0 ? { timeoutMs: options.timeout_millis } : {}),
      timedOut(event) {
        event.tag(options.tag_on_timeout)
      },
      filter: (event) => filterEvent(event, options, parser, context),
    }
  },
})

function filterEvent(event: Event, options: KvOptions, parser: PairParser, { log }: FilterContext): boolean {
  const value = event.get(options.source)
  const pairs = new Fields()
  if (typeof value === 'string') parser.parse(value, event, pairs)
  else if (Array.isArray(value)) {
    for (const item of value) if (typeof item === 'string') parser.parse(item, event, pairs)
  } else if (value !== undefined && value !== null) {
    log.warn('kv filter has no support for this type of data', { value: String(value) })
  }
  for (const [key, fallback] of options.default_keys) {
    if (pairs[key] === undefined) pairs[key] = toFieldValue(fallback)
  }
  const names = Object.keys(pairs)
  if (names.length === 0) return false
  try {
    if (options.target !== undefined) event.set(options.target, pairs)
    else for (const name of names) event.set(name, pairs[name]!)
    return true
  } catch (error) {
    for (const tag of options.tag_on_failure) event.tag(tag)
    log.warn('Exception while parsing KV', { exception: (error as Error).message })
    return false
  }
}

class PairParser {
  readonly #options: KvOptions
  readonly #pair: RegExp
  readonly #change: { key: (text: string) => string; value: (text: string) => string }

  constructor(options: KvOptions) {
    this.#options = options
    this.#pair = pairExpression(options)
    this.#change = {
      key: changeOf(options.trim_key, options.remove_char_key, options.transform_key),
      value: changeOf(options.trim_value, options.remove_char_value, options.transform_value),
    }
  }

  parse(text: string, event: Event, pairs: Fields): void {
    const { include_keys: wanted, exclude_keys: unwanted, prefix, allow_empty_values: allowEmpty } = this.#options
    for (const match of text.matchAll(this.#pair)) {
      const raw = match.slice(2).find((group) => group !== undefined) ?? ''
      if (raw === '' && !allowEmpty) continue
      const key = this.#change.key(match[1]!)
      if (wanted.length > 0 && !wanted.some((name) => event.expand(name) === key)) continue
      if (unwanted.some((name) => event.expand(name) === key)) continue
      const name = event.expand(prefix) + key
      if (name !== '') this.#add(pairs, name, this.#valueOf(this.#change.value(raw), event))
    }
  }

  #valueOf(text: string, event: Event): FieldValue {
    if (!this.#options.recursive) return text
    const inner = new Fields()
    this.parse(text, event, inner)
    return Object.keys(inner).length === 0 ? text : inner
  }

  #add(pairs: Fields, name: string, value: FieldValue): void {
    const known = pairs[name]
    if (known === undefined) pairs[name] = value
    else if (Array.isArray(known)) {
      if (this.#options.allow_duplicate_values || !known.some((item) => sameValue(item, value))) known.push(value)
    } else if (this.#options.allow_duplicate_values || !sameValue(known, value)) pairs[name] = [known, value]
  }
}

/** Characters of an option as the inside of a class; backslashes and classes the user wrote stay what they are. */
function inClass(characters: string): string {
  return characters.replace(/\\(.)|[[\]^-]/gs, (whole, escaped: string | undefined) =>
    escaped === undefined ? `\\${whole}` : whole,
  )
}

/** Group 1 is the key, the groups after it the forms of a value. */
function pairExpression(options: KvOptions): RegExp {
  const fieldEnd = splitOf(options.field_split_pattern, options.field_split)
  const valueStart = splitOf(options.value_split_pattern, options.value_split)
  const some = options.allow_empty_values ? '*' : '+'
  const values = [quotedValue('"', some), quotedValue("'", some)]
  if (options.include_brackets) {
    values.push(`\\(([^)]${some})\\)`, `\\[([^\\]]${some})\\]`, `<([^>]${some})>`)
  }
  const bounded = values.map((value) => `${value}(?=${fieldEnd}|$)`)
  bounded.push(`((?:(?!${fieldEnd})[^\\\\]|\\\\.)${some})`)
  const key = `((?:(?!${fieldEnd}|${valueStart})[^\\\\]|\\\\.)+)`
  const blanks = options.whitespace === 'lenient' ? ' *' : ''
  return new RegExp(`${key}${blanks}(?:${valueStart})${blanks}(?:${bounded.join('|')})`, 'gs')
}

function splitOf(pattern: string | undefined, characters: string): string {
  if (pattern === undefined) return `[${inClass(characters)}]`
  try {
    return `(?:${new RubyRegexp(pattern).asciiSource})`
  } catch (error) {
    throw new PluginOptionError((error as Error).message)
  }
}

function quotedValue(quote: string, some: string): string {
  return `${quote}((?:[^${quote}\\\\]|\\\\.)${some})${quote}`
}

function changeOf(trim: string | undefined, remove: string | undefined, transform: string | undefined) {
  const ends = trim === undefined ? undefined : new RegExp(`^[${inClass(trim)}]+|[${inClass(trim)}]+$`, 'g')
  const inside = remove === undefined ? undefined : new RegExp(`[${inClass(remove)}]`, 'g')
  return (text: string): string => {
    let changed = ends === undefined ? text : text.replace(ends, '')
    if (inside !== undefined) changed = changed.replace(inside, '')
    if (transform === 'lowercase') return changed.toLowerCase()
    if (transform === 'uppercase') return changed.toUpperCase()
    return transform === 'capitalize' ? changed.slice(0, 1).toUpperCase() + changed.slice(1).toLowerCase() : changed
  }
}
