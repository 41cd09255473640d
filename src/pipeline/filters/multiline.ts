/** `multiline`: joins events whose messages belong together. The codec of the same name joins lines before they become events and is preferred. */
import { expandPattern } from '../../text/grok/expand.ts'
import { stockPatterns } from '../../text/grok/stock-patterns.ts'
import { SlowRegexpError, WatchedRegexp } from '../../text/regex/watched-regexp.ts'
import type { Event } from '../event/event.ts'
import { type FieldValue, sameValue } from '../event/fields.ts'
import { readPatternFolders } from '../grok/pattern-files.ts'
import { filterPlugin } from '../plugin/filter-plugin.ts'
import { option } from '../plugin/options.ts'
import { PluginOptionError } from '../plugin/plugin-context.ts'

const TAG = 'multiline'

/** The pending lines of one stream. */
interface Pending {
  readonly event: Event
  readonly lines: string[]
  readonly sinceMs: number
}

export const multiline = filterPlugin({
  name: 'multiline',
  touches: 'nothing',
  options: {
    pattern: option.string({ required: true }),
    what: option.words(['previous', 'next'], { required: true }),
    negate: option.boolean({ default: false }),
    source: option.field({ default: 'message' }),
    allow_duplicates: option.boolean({ default: true }),
    stream_identity: option.string({ default: '%{host}.%{path}.%{type}' }),
    patterns_dir: option.touching('files', option.strings({ default: [] })),
    max_age: option.number({ default: 5 }),
    periodic_flush: option.boolean({ default: true }),
    enable_flush: option.ignored('Events that wait are always flushed, after max_age and at the end.'),
  },
  create(options, { ecs, log, clock, workers }) {
    const { source, what } = options
    const regexp = compile()
    const pending = new Map<string, Pending>()
    if (workers > 1)
      log.warn('The multiline filter needs events in the order they came in: run with -w 1, or use the multiline codec')

    function compile(): WatchedRegexp {
      const stock = stockPatterns(ecs)
      const own = readPatternFolders(options.patterns_dir, '*')
      try {
        const { source: expanded } = expandPattern(options.pattern, (name) => own.get(name) ?? stock(name), true)
        return new WatchedRegexp(expanded, { dotAll: true })
      } catch (error) {
        throw new PluginOptionError((error as Error).message)
      }
    }

    const lineOf = (event: Event): string => {
      const value = event.get(source)
      return typeof value === 'string' ? value : String((Array.isArray(value) ? value[0] : value) ?? '')
    }

    const belongs = (line: string): boolean => {
      try {
        return regexp.test(line) !== options.negate
      } catch (error) {
        if (!(error instanceof SlowRegexpError)) throw error
        log.warn(error.message)
        return options.negate
      }
    }

    const begin = (key: string, event: Event): void => {
      pending.set(key, { event, lines: [lineOf(event)], sinceMs: clock.nowMs() })
    }

    /** Appends an event to the pending one: messages are joined with line breaks, and differing values of other fields are collected in arrays. */
    const join = ({ event, lines }: Pending, other: Event): void => {
      const line = lineOf(other)
      if (options.allow_duplicates || !lines.includes(line)) lines.push(line)
      for (const name in other.fields) {
        const value = other.fields[name]
        if (value === undefined || name === '@timestamp' || name === '@version' || name === source) continue
        event.fields[name] = united(event.fields[name], value)
      }
    }

    const finished = ({ event, lines }: Pending): Event => {
      event.uncancel()
      event.set(source, lines.join('\n'))
      return event
    }

    return {
      remembers: true,
      flushesByItself: true,
      filter(event, more) {
        const key = event.expand(options.stream_identity)
        const isPart = belongs(lineOf(event))
        const waiting = pending.get(key)
        if (isPart) {
          event.tag(TAG)
          if (waiting === undefined) begin(key, event.clone())
          else join(waiting, event)
          event.cancel()
          return false
        }
        if (what === 'previous') {
          begin(key, event.clone())
          if (waiting !== undefined) more.push(finished(waiting))
          event.cancel()
          return false
        }
        if (waiting === undefined) return false
        join(waiting, event)
        pending.delete(key)
        more.push(finished(waiting))
        event.cancel()
        return false
      },
      flush(more, isFinal) {
        const nowMs = clock.nowMs()
        for (const [key, waiting] of pending) {
          if (!isFinal && nowMs - waiting.sinceMs < options.max_age * 1000) continue
          pending.delete(key)
          more.push(finished(waiting))
        }
      },
    }
  },
})

function united(old: FieldValue | undefined, value: FieldValue): FieldValue {
  if (old === undefined || old === null) return value
  const list = Array.isArray(old) ? [...old] : [old]
  for (const item of Array.isArray(value) ? value : [value])
    if (!list.some((one) => sameValue(one, item))) list.push(item)
  return list.length === 1 && !Array.isArray(old) && !Array.isArray(value) ? list[0]! : list
}
