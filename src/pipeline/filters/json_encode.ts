/** `json_encode`: encodes a field as JSON text. */
import { jsonText } from '../event/json-text.ts'
import { filterPlugin } from '../plugin/filter-plugin.ts'
import { option } from '../plugin/options.ts'

export const jsonEncode = filterPlugin({
  name: 'json_encode',
  touches: 'nothing',
  options: { source: option.field({ required: true }), target: option.field() },
  create({ source, target }) {
    return {
      filter(event) {
        const value = event.get(source)
        if (value === undefined) return false
        event.set(target ?? source, jsonText(value))
        return true
      },
      failed: (event) => event.tag('_jsonencodefailure'),
    }
  },
})
