/** `age`: stores the seconds between the event's timestamp and now. */

import { floatOf } from '../event/convert.ts'
import { filterPlugin } from '../plugin/filter-plugin.ts'
import { option } from '../plugin/options.ts'

export const age = filterPlugin({
  name: 'age',
  touches: 'nothing',
  options: { target: option.field({ default: '[@metadata][age]' } as { default: string }) },
  create({ target }, { clock }) {
    return {
      filter(event) {
        const { timestamp } = event
        if (timestamp === undefined) return false
        event.set(target, floatOf((clock.nowMs() - timestamp.ms) / 1000))
        return true
      },
    }
  },
})
