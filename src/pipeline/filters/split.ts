/** `split`: emits an event for every part of a field. */
import { copyValue } from '../event/event.ts'
import { filterPlugin } from '../plugin/filter-plugin.ts'
import { option } from '../plugin/options.ts'

export const split = filterPlugin({
  name: 'split',
  touches: 'nothing',
  options: {
    field: option.field({ default: 'message' } as { default: string }),
    terminator: option.string({ default: '\n' }),
    target: option.string(),
  },
  create({ field, terminator, target }, { succeed, log }) {
    return {
      filter(event, more) {
        const value = event.get(field)
        if (typeof value !== 'string' && !Array.isArray(value)) {
          event.tag('_split_type_failure')
          log.warn('Only String and Array types are splittable', { field })
          return false
        }
        const parts = typeof value === 'string' ? value.split(terminator) : value
        // A text with a single part stays unchanged. An array with one element is replaced by the element.
        if (typeof value === 'string' && parts.length <= 1) return false
        const place = target === undefined ? field : event.expand(target)
        for (const part of parts) {
          if (part === null || part === '') continue
          const copy = event.clone()
          copy.set(place, copyValue(part))
          succeed(copy)
          more.push(copy)
        }
        event.cancel()
        return false
      },
    }
  },
})
