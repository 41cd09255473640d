/** `bytes`: converts sizes such as `10 MB` to numbers. */
import { isFields } from '../event/fields.ts'
import { rubyText } from '../event/ruby-text.ts'
import { filterPlugin } from '../plugin/filter-plugin.ts'
import { option } from '../plugin/options.ts'

const POWERS = ['', 'k', 'm', 'g', 't', 'p', 'e']

export const bytes = filterPlugin({
  name: 'bytes',
  touches: 'nothing',
  options: {
    source: option.field({ default: 'message' } as { default: string }),
    target: option.field(),
    conversion_method: option.words(['binary', 'metric'], { default: 'binary' }),
    decimal_separator: option.words(['.', ','], { default: '.' }),
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

/**
 * Digits may be grouped with spaces, commas, points and underscores. Characters that are not the decimal separator are
 * dropped.
 */
function sizeOf(text: string, method: 'binary' | 'metric', decimal: string): number | undefined {
  const match = /^([0-9 _,.]*)\s*([kmgtpe]?)b?$/i.exec(text.trim())
  if (match === null) return undefined
  const digits = [...match[1]!].filter((char) => (char >= '0' && char <= '9') || char === decimal).join('')
  const number = digits.replaceAll(decimal, '.')
  if (!/^(?:\d+\.?\d*|\.\d+)$/.test(number)) return undefined
  const base = method === 'binary' ? 1024 : 1000
  return Math.round(Number(number) * base ** POWERS.indexOf(match[2]!.toLowerCase()))
}
