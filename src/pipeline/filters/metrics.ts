/** `metrics`: counts events and measures durations, and periodically emits the results as events. */

import { floatOf, leadingNumber } from '../event/convert.ts'
import { Event } from '../event/event.ts'
import { Fields, type FieldValue } from '../event/fields.ts'
import { Timestamp } from '../event/timestamp.ts'
import { filterPlugin } from '../plugin/filter-plugin.ts'
import { type ConfigValue, option } from '../plugin/options.ts'
import { PluginOptionError } from '../plugin/plugin-context.ts'

/** Rates are decaying averages, updated at this interval. */
const TICK_SECONDS = 5
/** Durations sampled for percentiles. Later ones replace random entries. */
const SAMPLE_MAX = 1028

export const metrics = filterPlugin({
  name: 'metrics',
  touches: 'nothing',
  options: {
    meter: option.strings({ default: [] }),
    timer: option.hash({ default: new Map<string, ConfigValue>() }),
    flush_interval: option.number({ default: 5 }),
    clear_interval: option.number({ default: -1 }),
    ignore_older_than: option.number({ default: 0 }),
    rates: option.array({ default: [1, 5, 15] }),
    percentiles: option.array({ default: [1, 5, 10, 90, 95, 99, 100] }),
  },
  create(options, context) {
    const { clock } = context
    const rates = options.rates.map(Number)
    if (rates.some((rate) => ![1, 5, 15].includes(rate))) {
      throw new PluginOptionError(
        `Invalid rates configuration. possible rates are 1, 5, 15. Rates: [${rates.join(', ')}].`,
      )
    }
    const percentiles = options.percentiles.map(Number)
    const meters = new Map<string, Meter>()
    const timers = new Map<string, Timer>()
    let flushedMs = clock.nowMs()
    let clearedMs = clock.nowMs()
    const meterOf = (name: string) => kept(meters, name, () => new Meter(rates, clock.nowMs()))
    const timerOf = (name: string) => kept(timers, name, () => new Timer(rates, clock.nowMs()))
    return {
      remembers: true,
      flushesByItself: true,
      filter(event) {
        const nowMs = clock.nowMs()
        const ageMs = nowMs - (event.timestamp?.ms ?? nowMs)
        // Common options such as add_tag apply to the emitted metrics events, not to the counted events.
        if (options.ignore_older_than > 0 && ageMs > options.ignore_older_than * 1000) return false
        for (const name of options.meter) meterOf(event.expand(name)).mark()
        for (const [name, value] of options.timer) {
          timerOf(event.expand(name)).add(leadingNumber(event.expand(String(value))))
        }
        return false
      },
      flush(more) {
        const nowMs = clock.nowMs()
        if (nowMs - flushedMs < options.flush_interval * 1000 || (meters.size === 0 && timers.size === 0)) return
        flushedMs = nowMs
        const event = Event.ofMessage(context.hostName, new Timestamp(nowMs))
        for (const [name, meter] of meters) event.set(`[${name}]`, meter.report(nowMs))
        for (const [name, timer] of timers) event.set(`[${name}]`, timer.reportAll(nowMs, percentiles))
        context.succeed(event)
        more.push(event)
        if (options.clear_interval > 0 && nowMs - clearedMs >= options.clear_interval * 1000) {
          meters.clear()
          timers.clear()
          clearedMs = nowMs
        }
      },
    }
  },
})

function kept<T>(all: Map<string, T>, name: string, make: () => T): T {
  let one = all.get(name)
  if (one === undefined) {
    one = make()
    all.set(name, one)
  }
  return one
}

/** A counter with its rate per second, averaged over the last minutes. */
class Meter {
  readonly #minutes: readonly number[]
  readonly #rates: (number | undefined)[]
  #count = 0
  #uncounted = 0
  #tickedMs: number

  constructor(minutes: readonly number[], nowMs: number) {
    this.#minutes = minutes
    this.#rates = minutes.map(() => undefined)
    this.#tickedMs = nowMs
  }

  mark(): void {
    this.#count++
    this.#uncounted++
  }

  report(nowMs: number): Fields {
    this.#tick(nowMs)
    const fields = new Fields()
    fields['count'] = this.#count
    this.#minutes.forEach((minutes, i) => {
      fields[`rate_${minutes}m`] = floatOf(this.#rates[i] ?? 0) as FieldValue
    })
    return fields
  }

  #tick(nowMs: number): void {
    while (nowMs - this.#tickedMs >= TICK_SECONDS * 1000) {
      this.#tickedMs += TICK_SECONDS * 1000
      const current = this.#uncounted / TICK_SECONDS
      this.#uncounted = 0
      this.#minutes.forEach((minutes, i) => {
        const weight = 1 - Math.exp(-TICK_SECONDS / 60 / minutes)
        const before = this.#rates[i]
        this.#rates[i] = before === undefined ? current : before + weight * (current - before)
      })
    }
  }
}

/** A meter that also records the distribution of the values. */
class Timer {
  readonly #meter: Meter
  readonly #sample: number[] = []
  #count = 0
  #min = Number.POSITIVE_INFINITY
  #max = Number.NEGATIVE_INFINITY
  #mean = 0
  #squares = 0

  constructor(minutes: readonly number[], nowMs: number) {
    this.#meter = new Meter(minutes, nowMs)
  }

  add(value: number): void {
    this.#meter.mark()
    this.#count++
    this.#min = Math.min(this.#min, value)
    this.#max = Math.max(this.#max, value)
    const delta = value - this.#mean
    this.#mean += delta / this.#count
    this.#squares += delta * (value - this.#mean)
    if (this.#sample.length < SAMPLE_MAX) this.#sample.push(value)
    else {
      const at = Math.floor(Math.random() * this.#count)
      if (at < SAMPLE_MAX) this.#sample[at] = value
    }
  }

  reportAll(nowMs: number, percentiles: readonly number[]): Fields {
    const fields = this.#meter.report(nowMs)
    fields['min'] = floatOf(this.#min)
    fields['max'] = floatOf(this.#max)
    // Logstash takes the root twice.
    fields['stddev'] = floatOf(this.#count < 2 ? 0 : (this.#squares / (this.#count - 1)) ** 0.25)
    fields['mean'] = floatOf(this.#mean)
    const sorted = [...this.#sample].sort((a, b) => a - b)
    for (const percent of percentiles) fields[`p${percent}`] = floatOf(valueAt(sorted, percent / 100))
    return fields
  }
}

/** Interpolates between two adjacent values. */
function valueAt(sorted: readonly number[], share: number): number {
  const place = share * (sorted.length + 1)
  if (place < 1) return sorted[0]!
  if (place >= sorted.length) return sorted[sorted.length - 1]!
  const below = sorted[Math.floor(place) - 1]!
  return below + (place - Math.floor(place)) * (sorted[Math.floor(place)]! - below)
}
