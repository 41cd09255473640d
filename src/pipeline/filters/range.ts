/** `range`: acts on events whose numbers, or string lengths, are in a range. */
import { Double } from '../../base/json/json-writer.ts'
import { filterPlugin } from '../plugin/filter-plugin.ts'
import { type ConfigValue, option } from '../plugin/options.ts'
import { PluginOptionError } from '../plugin/plugin-context.ts'

interface Range {
  readonly field: string
  readonly min: number
  readonly max: number
  readonly action: string
}

export const range = filterPlugin({
  name: 'range',
  touches: 'nothing',
  options: { ranges: option.array({ default: [] }), negate: option.boolean({ default: false }) },
  create({ ranges: given, negate }) {
    const ranges = rangesOf(given)
    return {
      filter(event) {
        let hasActed = false
        for (const { field, min, max, action } of ranges) {
          const value = event.get(field)
          const size =
            typeof value === 'string'
              ? value.length
              : value instanceof Double
                ? value.value
                : Number(value ?? Number.NaN)
          if (Number.isNaN(size)) continue
          if ((size >= min && size <= max) === negate) continue
          hasActed = true
          if (action === 'drop') {
            event.cancel()
            return true
          }
          if (action.startsWith('tag:')) event.tag(event.expand(action.slice('tag:'.length)))
          else if (action.startsWith('field:')) {
            const [, name, text] = /^field:([^:]+):(.*)$/s.exec(action)!
            const expanded = event.expand(text!)
            event.set(event.expand(name!), /^-?\d+$/.test(expanded) ? Number(expanded) : expanded)
          }
        }
        return hasActed
      },
    }
  },
})

function rangesOf(given: readonly ConfigValue[]): Range[] {
  if (given.length % 4 !== 0) throw new PluginOptionError('range: each range needs a field, two numbers and an action')
  const ranges: Range[] = []
  for (let i = 0; i < given.length; i += 4) {
    const [field, min, max, action] = [
      String(given[i]),
      Number(given[i + 1]),
      Number(given[i + 2]),
      String(given[i + 3]),
    ]
    if (Number.isNaN(min) || Number.isNaN(max))
      throw new PluginOptionError(`range: the limits of ${field} are no numbers`)
    if (!/^(?:drop$|tag:.|field:[^:]+:)/.test(action)) {
      throw new PluginOptionError(`range: "${action}" is no action; use drop, tag:NAME or field:NAME:VALUE`)
    }
    ranges.push({ field, min, max, action })
  }
  return ranges
}
