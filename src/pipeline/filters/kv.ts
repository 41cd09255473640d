/** `kv`: stores `key=value` pairs as fields. */

import { unlessTooLong } from '../../text/regex/bounded-search.ts'
import { RubyRegexp } from '../../text/regex/ruby-regexp.ts'
import { stepBudget } from '../../text/regex/stepwise.ts'
import { runEachWithin } from '../../text/regex/time-guard.ts'
import type { Event } from '../event/event.ts'
import { Fields, type FieldValue, sameValue, toFieldValue } from '../event/fields.ts'
import { capitalized } from '../event/ruby-text.ts'
import { textForm } from '../event/text-form.ts'
import { type FilterContext, filterPlugin } from '../plugin/filter-plugin.ts'
import { type ConfigValue, type OptionValues, option } from '../plugin/options.ts'
import { PluginOptionError } from '../plugin/plugin-context.ts'

const TRANSFORMS = ['lowercase', 'uppercase', 'capitalize'] as const
const notEmpty = (text: string) => (text === '' ? 'a text that is not empty' : undefined)

const OPTIONS = {
  source: option.field({ default: 'message' } as { default: string }),
  target: option.field(),
  prefix: option.string({ default: '' }),
  field_split: option.string({ default: ' ' }),
  value_split: option.string({ default: '=', check: notEmpty }),
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

/**
 * Time limits for extracting pairs, per batch and per event. A text with many backslashes can take forever, and
 * everything else waits meanwhile, so an event does not get the full time of a longer `timeout_millis`.
 */
const TOGETHER_MS = 200
const ALONE_MS_MAX = 500

type KvOptions = OptionValues<typeof OPTIONS>

export const kv = filterPlugin({
  name: 'kv',
  touches: 'nothing',
  options: OPTIONS,
  create(options, context) {
    const parser = new PairParser(options)
    /** Pairs extracted in advance; undefined for an event whose text takes too long. */
    const early = new Map<Event, Fields | undefined>()
    const { timeout_millis: timeoutMs } = options
    const aloneMs = timeoutMs > 0 ? Math.min(timeoutMs, ALONE_MS_MAX) : ALONE_MS_MAX
    return {
      prepare(events) {
        const find = (event: Event) =>
          void early.set(
            event,
            unlessTooLong(() => pairsOf(event, options, parser)),
          )
        // What JavaScript's engine does not finish is searched stepwise.
        for (const event of runEachWithin(events, find, { togetherMs: TOGETHER_MS, aloneMs })) {
          early.set(
            event,
            unlessTooLong(() => parser.stepwise(() => pairsOf(event, options, parser))),
          )
        }
      },
      filter(event) {
        const pairs = early.has(event) ? early.get(event) : unlessTooLong(() => pairsOf(event, options, parser))
        early.delete(event)
        if (pairs === undefined) {
          context.log.warn(`Timeout executing kv against field '${options.source}'`, { id: context.id })
          event.tag(options.tag_on_timeout)
          return false
        }
        return store(event, pairs, options, context)
      },
      failed(event) {
        for (const tag of options.tag_on_failure) event.tag(tag)
      },
    }
  },
})

function pairsOf(event: Event, options: KvOptions, parser: PairParser): Fields {
  const value = event.get(options.source)
  const pairs = new Fields()
  if (typeof value === 'string') parser.parse(value, event, pairs)
  else if (Array.isArray(value)) {
    for (const item of value) if (typeof item === 'string') parser.parse(item, event, pairs)
  }
  return pairs
}

function store(event: Event, pairs: Fields, options: KvOptions, { log }: FilterContext): boolean {
  const value = event.get(options.source)
  if (value !== undefined && value !== null && typeof value !== 'string' && !Array.isArray(value)) {
    log.warn('kv filter has no support for this type of data', { value: textForm(value) })
  }
  for (const [key, fallback] of options.default_keys) {
    if (pairs[key] === undefined) pairs[key] = toFieldValue(fallback)
  }
  const names = Object.keys(pairs)
  if (names.length === 0) return false
  if (options.target !== undefined) event.set(options.target, pairs)
  else for (const name of names) event.set(name, pairs[name]!)
  return true
}

class PairParser {
  readonly #options: KvOptions
  readonly #pair: RubyRegexp
  readonly #change: { key: (text: string) => string; value: (text: string) => string }

  constructor(options: KvOptions) {
    this.#options = options
    this.#pair = pairExpression(options)
    this.#change = {
      key: changeOf(options.trim_key, options.remove_char_key, options.transform_key),
      value: changeOf(options.trim_value, options.remove_char_value, options.transform_value),
    }
  }

  stepwise<T>(search: () => T): T {
    return this.#pair.stepwise(stepBudget(), search)
  }

  parse(text: string, event: Event, pairs: Fields): void {
    const { include_keys: wanted, exclude_keys: unwanted, prefix, allow_empty_values: allowEmpty } = this.#options
    for (const groups of this.#pair.scan(text)) {
      const raw = groups.find((group, i) => i > 0 && group !== undefined) ?? ''
      if (raw === '' && !allowEmpty) continue
      const key = this.#change.key(groups[0]!)
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

/**
 * Group 1 is the key; the following groups are the forms of a value. As in Logstash, the options are inserted into the
 * expression verbatim, so that `field_split => "a-c"` is a range. A value ends at the end of a field or line.
 */
function pairExpression(options: KvOptions): RubyRegexp {
  const fieldEnd = options.field_split_pattern ?? `[${options.field_split}]`
  const splitter = options.value_split_pattern ?? `[${options.value_split}]`
  const valueStart = options.whitespace === 'lenient' ? ` *(?:${splitter}) *` : `(?:${splitter})`
  const byPattern = options.field_split_pattern !== undefined || options.value_split_pattern !== undefined
  const key = byPattern
    ? untilPattern(`${valueStart}|${fieldEnd}`)
    : untilOneOf(options.value_split + options.field_split)
  const values = [quotedValue('"', '"'), quotedValue("'", "'")]
  if (options.include_brackets) {
    values.push(quotedValue('\\(', '\\)'), quotedValue('\\[', '\\]'), quotedValue('<', '>'))
  }
  values.push(options.field_split_pattern === undefined ? untilOneOf(options.field_split) : untilPattern(fieldEnd))
  return regexpOf(`${key}${valueStart}(?:${values.join('|')})?(?:${fieldEnd}|$)`)
}

function quotedValue(open: string, close: string): string {
  return `${open}${untilOneOf(close)}?${close}`
}

/** A backslash escapes the next character, whatever it is. */
function untilOneOf(characters: string): string {
  return `((?:\\\\.|[^${characters}])+)`
}

/** A pattern may itself start with a backslash, so it is tried before a backslash escapes the next character. */
function untilPattern(pattern: string): string {
  return `((?:(?!${pattern})(?:\\\\.|.))+)`
}

function regexpOf(source: string): RubyRegexp {
  try {
    return new RubyRegexp(source)
  } catch (error) {
    throw new PluginOptionError((error as Error).message)
  }
}

function changeOf(trim: string | undefined, remove: string | undefined, transform: string | undefined) {
  const ends = trim === undefined ? undefined : regexpOf(`^[${trim}]+|[${trim}]+$`)
  const inside = remove === undefined ? undefined : regexpOf(`[${remove}]`)
  return (text: string): string => {
    let changed = ends === undefined ? text : ends.replaceAll(text, '')
    if (inside !== undefined) changed = inside.replaceAll(changed, '')
    if (transform === 'lowercase') return changed.toLowerCase()
    if (transform === 'uppercase') return changed.toUpperCase()
    return transform === 'capitalize' ? capitalized(changed) : changed
  }
}
