/** `grok`: takes fields out of text with patterns. */
import type { Event } from '../event/event.ts'
import { fieldReference } from '../event/field-reference.ts'
import type { FieldValue } from '../event/fields.ts'
import { rubyText } from '../event/ruby-text.ts'
import { convertCapture, GrokPattern } from '../grok/grok-pattern.ts'
import { readPatternFolders } from '../grok/pattern-files.ts'
import { stockPatterns } from '../grok/stock-patterns.ts'
import { type Filter, filterPlugin } from '../plugin/filter-plugin.ts'
import { type ConfigValue, option } from '../plugin/options.ts'
import { type PluginContext, PluginOptionError } from '../plugin/plugin-context.ts'
import { runWithin } from '../regex/time-guard.ts'

const OPTIONS = {
  match: option.hash({ default: new Map<string, ConfigValue>() }),
  pattern_definitions: option.hash({ default: new Map<string, ConfigValue>() }),
  patterns_dir: option.strings({ default: [] }),
  patterns_files_glob: option.string({ default: '*' }),
  break_on_match: option.boolean({ default: true }),
  named_captures_only: option.boolean({ default: true }),
  keep_empty_captures: option.boolean({ default: false }),
  overwrite: option.strings({ default: [] }),
  target: option.field(),
  tag_on_failure: option.strings({ default: ['_grokparsefailure'] }),
  timeout_millis: option.number({ default: 30_000 }),
  timeout_scope: option.words(['pattern', 'event'], { default: 'pattern' }),
  tag_on_timeout: option.string({ default: '_groktimeout' }),
} as const

export const grok = filterPlugin({
  name: 'grok',
  options: OPTIONS,
  create(options, context) {
    const stock = stockPatterns(context.ecs)
    const own = readPatternFolders(options.patterns_dir, options.patterns_files_glob)
    for (const [name, pattern] of options.pattern_definitions) own.set(name, String(pattern))
    const lookup = (name: string) => own.get(name) ?? stock(name)
    const compile = (pattern: ConfigValue) => {
      try {
        return new GrokPattern(String(pattern), lookup, {
          namedOnly: options.named_captures_only,
          target: options.target,
        })
      } catch (error) {
        throw new PluginOptionError((error as Error).message)
      }
    }
    const fields = [...options.match].map(([field, patterns]) => ({
      reference: fieldReference(field),
      name: field,
      patterns: (Array.isArray(patterns) ? patterns : [patterns]).map(compile),
    }))
    return new GrokFilter(fields, options, context)
  },
})

interface MatchField {
  readonly name: string
  readonly reference: ReturnType<typeof fieldReference>
  readonly patterns: readonly GrokPattern[]
}

interface GrokSettings {
  readonly break_on_match: boolean
  readonly keep_empty_captures: boolean
  readonly overwrite: readonly string[]
  readonly tag_on_failure: readonly string[]
  readonly tag_on_timeout: string
  readonly timeout_millis: number
}

/**
 * Most lines are shorter. A pattern that is not sure of so many characters has the runner's watch over the whole batch
 * instead.
 */
const LINE_CHARACTERS = 250

/** The longest piece of a value that a warning shows. */
const SHOWN_CHARACTERS_MAX = 255

class GrokFilter implements Filter {
  readonly #fields: readonly MatchField[]
  readonly #settings: GrokSettings
  readonly #context: PluginContext
  readonly #overwrite: ReadonlySet<string>
  readonly timeoutMs?: number
  readonly #longTextTimeoutMs: number | undefined
  /** What is being matched, for the message about a match that takes too long. */
  #pattern: GrokPattern | undefined
  #field = ''
  #text = ''
  #isTooSlow = false
  readonly counters = { matches: 0, failures: 0, timeouts: 0 }

  constructor(fields: readonly MatchField[], settings: GrokSettings, context: PluginContext) {
    this.#fields = fields
    this.#settings = settings
    this.#context = context
    this.#overwrite = new Set(settings.overwrite)
    const tame = fields.every(({ patterns }) => patterns.every((pattern) => pattern.surelyFastLength > LINE_CHARACTERS))
    // The runner's watch costs something for every batch; tame patterns do with a watch of their own over long texts.
    if (settings.timeout_millis > 0) {
      if (tame) this.#longTextTimeoutMs = settings.timeout_millis
      else this.timeoutMs = settings.timeout_millis
    }
  }

  filter(event: Event): boolean {
    let matched = false
    this.#isTooSlow = false
    for (let i = 0; i < this.#fields.length && !this.#isTooSlow; i++) {
      const field = this.#fields[i]!
      if (!this.#matchField(field, event)) continue
      matched = true
      if (this.#settings.break_on_match) break
    }
    if (this.#isTooSlow) {
      this.timedOut(event)
      return false
    }
    if (matched) this.counters.matches++
    else this.counters.failures++
    if (!matched) this.failed(event)
    return matched
  }

  /** A capture that cannot be stored is no match. */
  failed(event: Event): void {
    for (const tag of this.#settings.tag_on_failure) event.tag(tag)
  }

  timedOut(event: Event): void {
    this.counters.timeouts++
    event.tag(this.#settings.tag_on_timeout)
    const shown = this.#text.slice(0, SHOWN_CHARACTERS_MAX)
    this.#context.log.warn(
      `Timeout executing grok '${this.#pattern?.source}' against field '${this.#field}' with value '${shown}'!`,
    )
  }

  #matchField(field: MatchField, event: Event): boolean {
    const value = event.get(field.reference)
    this.#field = field.name
    if (!Array.isArray(value)) return this.#matchValue(field, value, event)
    let matched = false
    for (const item of value) if (this.#matchValue(field, item, event)) matched = true
    return matched
  }

  #matchValue(field: MatchField, value: FieldValue | undefined, event: Event): boolean {
    const text = typeof value === 'string' ? value : rubyText(value ?? null)
    let matched = false
    for (let i = 0; i < field.patterns.length; i++) {
      const pattern = field.patterns[i]!
      this.#pattern = pattern
      this.#text = text
      const match = text.length > pattern.surelyFastLength ? this.#matchLong(pattern, text) : pattern.exec(text)
      if (this.#isTooSlow) return false
      if (match === null) continue
      this.#store(pattern, match, event)
      matched = true
      if (this.#settings.break_on_match) break
    }
    return matched
  }

  #matchLong(pattern: GrokPattern, text: string): RegExpExecArray | null {
    if (this.#longTextTimeoutMs === undefined) return pattern.exec(text)
    let match: RegExpExecArray | null = null
    const finished = runWithin(this.#longTextTimeoutMs, () => {
      match = pattern.exec(text)
    })
    if (!finished) this.#isTooSlow = true
    return match
  }

  #store(pattern: GrokPattern, match: RegExpExecArray, event: Event): void {
    const { slots } = pattern
    const { fields } = event
    for (let i = 0; i < slots.length; i++) {
      const slot = slots[i]!
      const text = pattern.textOf(match, slot)
      if ((text === undefined || text === '') && !this.#settings.keep_empty_captures) continue
      const value = text === undefined ? null : slot.type === undefined ? text : convertCapture(text, slot.type)
      // Most captures are new top-level fields: they are set without the way through references.
      if (slot.plainName !== undefined && fields[slot.plainName] === undefined) {
        fields[slot.plainName] = value
        continue
      }
      const old = event.get(slot.reference)
      if (old === undefined || old === null || this.#overwrite.has(slot.field)) event.set(slot.reference, value)
      else if (Array.isArray(old)) old.push(value)
      else if (typeof old === 'string') event.set(slot.reference, [old, value])
    }
  }
}
