/** `extractnumbers`: stores the numbers in a text in the fields `int1`, `int2`, …, `float1`, `float2`, …. */

import { floatOf } from '../event/convert.ts'
import { filterPlugin } from '../plugin/filter-plugin.ts'
import { option } from '../plugin/options.ts'

export const extractNumbers = filterPlugin({
  name: 'extractnumbers',
  touches: 'nothing',
  options: { source: option.field({ default: 'message' } as { default: string }), target: option.field() },
  create({ source, target }) {
    return {
      filter(event) {
        const value = event.get(source)
        const text =
          typeof value === 'string' ? value : Array.isArray(value) && typeof value[0] === 'string' ? value[0] : ''
        const nameOf = (name: string) => (target === undefined ? name : `[${target.replace(/^\[|\]$/g, '')}][${name}]`)
        let integers = 0
        let floats = 0
        for (const word of text.split(/\s+/)) {
          if (/^[+-]?\d+$/.test(word)) {
            const number = Number(word)
            event.set(nameOf(`int${++integers}`), Number.isSafeInteger(number) ? number : BigInt(word.replace('+', '')))
          } else if (/^[+-]?(?:\d+\.\d+|\d+(?:\.\d+)?[eE][+-]?\d+)$/.test(word)) {
            event.set(nameOf(`float${++floats}`), floatOf(Number(word)))
          }
        }
        return integers + floats > 0
      },
    }
  },
})
