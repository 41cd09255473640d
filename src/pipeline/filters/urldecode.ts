/** `urldecode`: decodes `%41` to `A`. A plus sign and malformed sequences stay unchanged. */

import { Fields, type FieldValue, isFields, namesOf } from '../event/fields.ts'
import { charsetOf } from '../plugin/charset.ts'
import { filterPlugin } from '../plugin/filter-plugin.ts'
import { option } from '../plugin/options.ts'

export const urldecode = filterPlugin({
  name: 'urldecode',
  touches: 'nothing',
  options: {
    field: option.field({ default: 'message' } as { default: string }),
    all_fields: option.boolean({ default: false }),
    charset: option.string({ default: 'UTF-8' }),
    tag_on_failure: option.strings({ default: ['_urldecodefailure'] }),
  },
  create({ field, all_fields: allFields, charset: name, tag_on_failure: failureTags }) {
    const charset = charsetOf(name)
    const decodeText = (text: string) =>
      text.replace(/(?:%[0-9A-Fa-f]{2})+/g, (run) => charset.decode(Buffer.from(run.replaceAll('%', ''), 'hex')))
    const decode = (value: FieldValue): FieldValue => {
      if (typeof value === 'string') return decodeText(value)
      if (Array.isArray(value)) return value.map(decode)
      if (!isFields(value)) return value
      const decoded = new Fields()
      for (const key of namesOf(value)) decoded[key] = decode(value[key]!)
      return decoded
    }
    return {
      filter(event) {
        if (allFields) {
          for (const key of namesOf(event.fields)) event.fields[key] = decode(event.fields[key]!)
          return true
        }
        const value = event.get(field)
        if (value !== undefined) event.set(field, decode(value))
        return true
      },
      failed(event) {
        for (const tag of failureTags) event.tag(tag)
      },
    }
  },
})
