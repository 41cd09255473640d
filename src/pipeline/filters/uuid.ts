/** `uuid`: adds a random id to every event. */
import { randomUUID } from 'node:crypto'
import { filterPlugin } from '../plugin/filter-plugin.ts'
import { option } from '../plugin/options.ts'

export const uuid = filterPlugin({
  name: 'uuid',
  touches: 'nothing',
  options: { target: option.field({ required: true }), overwrite: option.boolean({ default: false }) },
  create({ target, overwrite }) {
    return {
      filter(event) {
        if (overwrite || !event.has(target)) event.set(target, randomUUID())
        return true
      },
    }
  },
})
