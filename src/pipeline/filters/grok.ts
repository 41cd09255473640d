/** `grok`: extracts fields from text with patterns. */

import { stockPatterns } from '../../text/grok/stock-patterns.ts'
import { unlessTooLong } from '../../text/regex/bounded-search.ts'
import { SlowMatcher } from '../../text/regex/slow-matcher.ts'
import { runEachWithin } from '../../text/regex/time-guard.ts'
import type { Event } from '../event/event.ts'
import { fieldReference } from '../event/field-reference.ts'
import type { FieldValue } from '../event/fields.ts'
import { rubyText } from '../event/ruby-text.ts'
import { convertCapture, GrokPattern } from '../grok/grok-pattern.ts'
import { readPatternFolders } from '../grok/pattern-files.ts'
import { type Filter, filterPlugin } from '../plugin/filter-plugin.ts'
import { type ConfigValue, option } from '../plugin/options.ts'
import { type PluginContext, PluginOptionError } from '../plugin/plugin-context.ts'

const OPTIONS = {
  match: option.hash({ default: new Map<string, ConfigValue>() }),
  pattern: option.deprecated(option.strings(), 'Use `match` with the field `message` instead.'),
  pattern_definitions: option.hash({ default: new Map<string, ConfigValue>() }),
  patterns_dir: option.touching('files', option.strings({ default: [] })),
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
  touches: 'nothing',
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
    const match = new Map(options.match)
    // The obsolete option `pattern` applies to the message.
    if (options.pattern !== undefined) match.set('message', [...listOf(match.get('message')), ...options.pattern])
    const fields = [...match].map(([field, patterns]) => ({
      reference: fieldReference(field),
      name: field,
      patterns: listOf(patterns).map(compile),
    }))
    return new GrokFilter(fields, options, context)
  },
})

function listOf(value: ConfigValue | undefined): ConfigValue[] {
  return value === undefined ? [] : Array.isArray(value) ? value : [value]
}

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
  readonly timeout_scope: string
}

/** The captured texts of an expression, and the indexes of its groups in `match`. */
interface Captures {
  readonly match: readonly (string | undefined)[]
  readonly groupNumbers: readonly number[]
}

/** A match computed in advance for a batch. */
interface EarlyMatch {
  readonly pattern: GrokPattern
  readonly text: string
  readonly captures: Captures | null
}

/** The position of the filter within an event. */
interface Progress {
  field: number
  item: number
  pattern: number
  hasMatched: boolean
  hasFieldMatched: boolean
}

/**
 * Most lines are shorter. A pattern that may be slow on lines of this length is matched in advance for whole batches.
 */
const LINE_CHARACTERS = 250

/** The time that JavaScript's engine has for a batch, and for an event. Longer matches are made stepwise. */
const TIMES = { togetherMs: 200, aloneMs: 100 }

/** Maximum characters of a value in a warning. */
const SHOWN_CHARACTERS_MAX = 255

class GrokFilter implements Filter {
  readonly #fields: readonly MatchField[]
  readonly #settings: GrokSettings
  readonly #context: PluginContext
  readonly #overwrite: ReadonlySet<string>
  /** By its own limits a pattern takes `timeout_millis`, or all of them together with the scope `event`. */
  readonly longestWaitMs: number
  readonly prepare?: (events: readonly Event[]) => void
  /** Matches computed in advance; undefined for an event that is too slow for JavaScript's engine. */
  readonly #early = new Map<Event, readonly EarlyMatch[] | undefined>()
  #slowMatcher: SlowMatcher | undefined
  readonly counters = { matches: 0, failures: 0, timeouts: 0 }

  constructor(fields: readonly MatchField[], settings: GrokSettings, context: PluginContext) {
    this.#fields = fields
    this.#settings = settings
    this.#context = context
    this.#overwrite = new Set(settings.overwrite)
    const patterns =
      settings.timeout_scope === 'event' ? 1 : fields.reduce((sum, field) => sum + field.patterns.length, 0)
    this.longestWaitMs = settings.timeout_millis * patterns
    const tame = fields.every(({ patterns }) => patterns.every((pattern) => pattern.surelyFastLength > LINE_CHARACTERS))
    // Starting the watchdog costs as much as several matches. One per batch is enough, and safe patterns need none for
    // most lines.
    if (!tame) this.prepare = (events) => this.#matchAhead(events)
  }

  filter(event: Event): boolean | Promise<boolean> {
    const progress: Progress = { field: 0, item: 0, pattern: 0, hasMatched: false, hasFieldMatched: false }
    const early = this.#early.get(event)
    const isSlow = early === undefined && this.#early.has(event)
    this.#early.delete(event)
    return this.#matchHere(event, progress, early, isSlow)
      ? this.#finish(event, progress)
      : this.#finishElsewhere(event, progress)
  }

  /** A capture that cannot be stored counts as no match. */
  failed(event: Event): void {
    for (const tag of this.#settings.tag_on_failure) event.tag(tag)
  }

  async close(): Promise<void> {
    await this.#slowMatcher?.close()
  }

  #finish(event: Event, { hasMatched }: Progress): boolean {
    if (hasMatched) this.counters.matches++
    else {
      this.counters.failures++
      this.failed(event)
    }
    return hasMatched
  }

  /** Returns false if a match takes too long; `progress` records which one. */
  #matchHere(event: Event, progress: Progress, early: readonly EarlyMatch[] | undefined, isSlow: boolean): boolean {
    const { break_on_match: breaks } = this.#settings
    let nextEarly = 0
    for (; progress.field < this.#fields.length; progress.field++) {
      const { reference, patterns } = this.#fields[progress.field]!
      const value = event.get(reference)
      const count = Array.isArray(value) ? value.length : 1
      progress.hasFieldMatched = false
      for (progress.item = 0; progress.item < count; progress.item++) {
        const text = textOf(Array.isArray(value) ? value[progress.item] : value)
        for (progress.pattern = 0; progress.pattern < patterns.length; progress.pattern++) {
          const pattern = patterns[progress.pattern]!
          const known = early?.[nextEarly]
          let captures: Captures | null | undefined
          if (known !== undefined && known.pattern === pattern && known.text === text) {
            captures = known.captures
            nextEarly++
          } else captures = this.#matchNow(pattern, text, isSlow)
          if (captures === undefined) return false
          if (captures === null) continue
          this.#store(pattern, captures, event)
          progress.hasFieldMatched = true
          if (breaks) break
        }
      }
      if (!progress.hasFieldMatched) continue
      progress.hasMatched = true
      if (breaks) break
    }
    return true
  }

  /** Undefined if the match takes too long. */
  #matchNow(pattern: GrokPattern, text: string, isSlow: boolean): Captures | null | undefined {
    const match = pattern.execWithin(text, isSlow)
    return match === undefined || match === null ? match : { match, groupNumbers: pattern.lastGroupNumbers }
  }

  /** Matches the events as they are now. Values that a first match stores for a second one are matched later. */
  #matchAhead(events: readonly Event[]): void {
    const match = (event: Event) =>
      void this.#early.set(
        event,
        unlessTooLong(() => this.#earlyMatches(event)),
      )
    for (const event of runEachWithin(events, match, TIMES)) this.#early.set(event, undefined)
  }

  #earlyMatches(event: Event): EarlyMatch[] {
    const { break_on_match: breaks } = this.#settings
    const made: EarlyMatch[] = []
    for (const { reference, patterns } of this.#fields) {
      const value = event.get(reference)
      let hasMatched = false
      for (const item of Array.isArray(value) ? value : [value]) {
        const text = textOf(item)
        for (const pattern of patterns) {
          const match = pattern.exec(text)
          const captures = match === null ? null : { match, groupNumbers: pattern.lastGroupNumbers }
          made.push({ pattern, text, captures })
          if (match === null) continue
          hasMatched = true
          if (breaks) break
        }
      }
      if (hasMatched && breaks) break
    }
    return made
  }

  /** Continues in a worker thread with the match that took too long and all following ones. */
  async #finishElsewhere(event: Event, progress: Progress): Promise<boolean> {
    const { break_on_match: breaks, timeout_millis: timeoutMs, timeout_scope: scope } = this.#settings
    this.#slowMatcher ??= new SlowMatcher()
    let leftMs = timeoutMs
    for (let isFirst = true; progress.field < this.#fields.length; progress.field++, isFirst = false) {
      const field = this.#fields[progress.field]!
      const value = event.get(field.reference)
      const items = Array.isArray(value) ? [...value] : [value]
      if (!isFirst) progress.hasFieldMatched = false
      for (let i = isFirst ? progress.item : 0; i < items.length; i++) {
        const text = textOf(items[i])
        for (let p = isFirst && i === progress.item ? progress.pattern : 0; p < field.patterns.length; p++) {
          const pattern = field.patterns[p]!
          const startMs = performance.now()
          const job = { source: pattern.expression, text }
          const answer = await this.#slowMatcher.match(job, timeoutMs > 0 ? leftMs : undefined)
          if (answer === 'timeout') return this.#timedOut(event, pattern, field.name, text)
          if (scope === 'event') leftMs = Math.max(1, leftMs - (performance.now() - startMs))
          if (answer.groups === null) continue
          this.#store(pattern, { match: answer.groups, groupNumbers: answer.groups.map((_, at) => at) }, event)
          progress.hasFieldMatched = true
          if (breaks) break
        }
      }
      if (!progress.hasFieldMatched) continue
      progress.hasMatched = true
      if (breaks) break
    }
    return this.#finish(event, progress)
  }

  #timedOut(event: Event, pattern: GrokPattern, field: string, text: string): boolean {
    this.counters.timeouts++
    event.tag(this.#settings.tag_on_timeout)
    const shown = text.slice(0, SHOWN_CHARACTERS_MAX)
    this.#context.log.warn(`Timeout executing grok '${pattern.source}' against field '${field}' with value '${shown}'!`)
    return false
  }

  #store(pattern: GrokPattern, { match, groupNumbers }: Captures, event: Event): void {
    const { slots } = pattern
    const { fields } = event
    for (let i = 0; i < slots.length; i++) {
      const slot = slots[i]!
      const text = match[groupNumbers[slot.group]!]
      if ((text === undefined || text === '') && !this.#settings.keep_empty_captures) continue
      const value = text === undefined ? null : slot.type === undefined ? text : convertCapture(text, slot.type)
      // Most captures are new top-level fields, which are set without resolving a reference.
      if (slot.plainName !== undefined && fields[slot.plainName] === undefined) {
        fields[slot.plainName] = value
        continue
      }
      // An invalid reference such as `%{WORD:[a]]}` fails the match and not the configuration.
      if (slot.reference === undefined) throw new Error(`Invalid FieldReference: \`${slot.field}\``)
      const old = event.get(slot.reference)
      if (old === undefined || old === null || this.#overwrite.has(slot.field)) event.set(slot.reference, value)
      else if (Array.isArray(old)) old.push(value)
      else if (typeof old === 'string') event.set(slot.reference, [old, value])
    }
  }
}

function textOf(value: FieldValue | undefined): string {
  return typeof value === 'string' ? value : rubyText(value ?? null)
}
