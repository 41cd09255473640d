/** `clone`: adds copies of the event, which continue after this filter. */
import { filterPlugin } from '../plugin/filter-plugin.ts'
import { option } from '../plugin/options.ts'

export const clone = filterPlugin({
  name: 'clone',
  touches: 'nothing',
  options: { clones: option.strings({ required: true }) },
  create({ clones }, { ecs, succeed }) {
    return {
      filter(event, more) {
        for (const name of clones) {
          const copy = event.clone()
          if (ecs === 'disabled') copy.set('type', name)
          else copy.appendTag(name)
          succeed(copy)
          more.push(copy)
        }
        return false
      },
    }
  },
})
