/** `sleep`: delays events, to slow a pipeline down. */
import { setTimeout as sleepFor } from 'node:timers/promises'
import { filterPlugin } from '../plugin/filter-plugin.ts'
import { option } from '../plugin/options.ts'

export const sleep = filterPlugin({
  name: 'sleep',
  touches: 'nothing',
  options: {
    time: option.string(),
    every: option.string({ default: '1' }),
    replay: option.boolean({ default: false }),
  },
  create({ time, every, replay }) {
    let count = 0
    let lastMs: number | undefined
    return {
      remembers: true,
      async filter(event) {
        if (replay) {
          // Replays the intervals between event timestamps, `time` times as fast.
          const nowMs = event.timestamp?.ms
          const beforeMs = lastMs
          lastMs = nowMs
          const factor = time === undefined ? 1 : Number(event.expand(time))
          if (nowMs !== undefined && beforeMs !== undefined && nowMs > beforeMs) {
            await sleepFor((nowMs - beforeMs) / (factor > 0 ? factor : 1))
          }
          return true
        }
        const interval = Number(event.expand(every)) || 1
        if (++count % interval === 0) await sleepFor((Number(event.expand(time ?? '0')) || 0) * 1000)
        return true
      },
    }
  },
})
