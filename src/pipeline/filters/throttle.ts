/** `throttle`: counts events per key and time slot, and acts on those before or after a given count. */
import { filterPlugin } from '../plugin/filter-plugin.ts'
import { option } from '../plugin/options.ts'

export const throttle = filterPlugin({
  name: 'throttle',
  touches: 'nothing',
  options: {
    key: option.string({ required: true }),
    before_count: option.number({ default: -1 }),
    after_count: option.number({ default: -1 }),
    period: option.string({ default: '60' }),
    max_age: option.number({ default: 3600 }),
    max_counters: option.number({ default: 100_000 }),
  },
  create({ key, before_count: before, after_count: after, period, max_age: maxAgeS, max_counters: countersMax }) {
    /** Ordered by last use: the least recently used keys are evicted first. */
    const keys = new Map<string, Slots>()
    let counters = 0
    let newestS = 0

    const forgetOld = (): void => {
      for (const [name, slots] of keys) {
        if (slots.latestS >= newestS - maxAgeS && (countersMax < 0 || counters <= countersMax)) return
        keys.delete(name)
        counters -= slots.counts.size
      }
    }

    return {
      remembers: true,
      filter(event) {
        const timeS = Math.floor((event.timestamp?.ms ?? 0) / 1000)
        const periodS = Math.trunc(Number.parseInt(event.expand(period), 10)) || 60
        newestS = Math.max(newestS, timeS)
        const name = event.expand(key)
        const slots = keys.get(name) ?? { createdS: timeS, latestS: timeS, counts: new Map<number, number>() }
        slots.latestS = Math.max(slots.latestS, timeS)
        keys.delete(name)
        keys.set(name, slots)
        const slot = Math.floor((timeS - slots.createdS) / periodS)
        const count = (slots.counts.get(slot) ?? 0) + 1
        if (count === 1) {
          counters++
          forgetOld()
        }
        slots.counts.set(slot, count)
        return (before !== -1 && count < before) || (after !== -1 && count > after)
      },
    }
  },
})

/** The state of a key. Its first event starts the first time slot. */
interface Slots {
  readonly createdS: number
  latestS: number
  readonly counts: Map<number, number>
}
