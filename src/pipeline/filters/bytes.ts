/** `bytes`: `10 MB` becomes a number. */
import { isFields } from '../event/fields.ts'
import { rubyText } from '../event/ruby-text.ts'
import { filterPlugin } from '../plugin/filter-plugin.ts'
import { option } from '../plugin/options.ts'

const POWERS = ['', 'k', 'm', 'g', 't', 'p', 'e']

export const bytes = filterPlugin({
  name: 'bytes',
  options: {
    source: option.field({ default: 'message' } as { default: string }),
    target: option.field(),
    conversion_method: option.words(['binary', 'metric'], { default: 'binary' }),
    decimal_separator: option.string({ default: '.' }),
    tag_on_failure: option.strings({ default: ['_bytesparsefailure'] }),
  },
  create({ source, target, conversion_method: method, decimal_separator: decimal, tag_on_failure: failureTags }) {
    return {
      filter(event) {
        const value = event.get(source)
        const isScalar = value !== undefined && value !== null && !Array.isArray(value) && !isFields(value)
        const size = isScalar ? sizeOf(rubyText(value), method, decimal) : undefined
        if (size === undefined) {
          for (const tag of failureTags) event.tag(tag)
          return false
        }
        event.set(target ?? source, size)
        return true
      },
    }
  },
})

function sizeOf(text: string, method: 'binary' | 'metric', decimal: string): number | undefined {
  const normal = text.trim().replaceAll(decimal, '.').toLowerCase()
  const match = /^(\d+(?:\.\d+)?)\s*([kmgtpe]?)(i?)b?(?:ytes?)?$/.exec(normal)
  if (match === null) return undefined
  const base = match[3] === 'i' || method === 'binary' ? 1024 : 1000
  return Math.trunc(Number(match[1]) * base ** POWERS.indexOf(match[2]!))
}
