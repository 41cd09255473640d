/** `drop`: discards the event. */
import { filterPlugin } from '../plugin/filter-plugin.ts'
import { option } from '../plugin/options.ts'

export const drop = filterPlugin({
  name: 'drop',
  touches: 'nothing',
  options: { percentage: option.number({ default: 100 }) },
  create({ percentage }) {
    return {
      filter(event) {
        if (percentage >= 100 || Math.random() * 100 < percentage) event.cancel()
        return false
      },
    }
  },
})
