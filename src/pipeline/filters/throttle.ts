/** `throttle`: counts events per key and time slot, and marks those before or after some number. */
import { filterPlugin } from '../plugin/filter-plugin.ts'
import { option } from '../plugin/options.ts'

export const throttle = filterPlugin({
  name: 'throttle',
  options: {
    key: option.string({ required: true }),
    before_count: option.number({ default: -1 }),
    after_count: option.number({ default: -1 }),
    period: option.string({ default: '60' }),
    max_age: option.number({ default: 3600 }),
    max_counters: option.number({ default: 100_000 }),
  },
  create({ key, before_count: before, after_count: after, period, max_age: maxAgeS, max_counters: countersMax }) {
    /** Counts by slot and key; maps keep their order, so the oldest come first. */
    const counters = new Map<string, { count: number; endMs: number }>()
    let newestMs = 0

    const forgetOld = (): void => {
      for (const [name, { endMs }] of counters) {
        if (endMs > newestMs - maxAgeS * 1000 && (countersMax < 0 || counters.size <= countersMax)) return
        counters.delete(name)
      }
    }

    return {
      remembers: true,
      filter(event) {
        const timeMs = event.timestamp?.ms ?? 0
        const periodMs = Math.max(1, Number(event.expand(period)) * 1000 || 60_000)
        newestMs = Math.max(newestMs, timeMs)
        const slot = Math.floor(timeMs / periodMs)
        const name = `${slot}:${event.expand(key)}`
        let counter = counters.get(name)
        if (counter === undefined) {
          counter = { count: 0, endMs: (slot + 1) * periodMs }
          counters.set(name, counter)
          forgetOld()
        }
        counter.count++
        return (before !== -1 && counter.count < before) || (after !== -1 && counter.count > after)
      },
    }
  },
})
