/** `anonymize`: replaces the values of fields by their hashes, or addresses by their networks. */
import { isIPv4 } from 'node:net'
import type { FieldValue } from '../event/fields.ts'
import { filterPlugin } from '../plugin/filter-plugin.ts'
import { option } from '../plugin/options.ts'
import { hashOf } from './fingerprint.ts'

const ALGORITHMS = ['SHA1', 'SHA256', 'SHA384', 'SHA512', 'MD5', 'MURMUR3', 'IPV4_NETWORK'] as const
/** Where no network can be told, the address is taken away: it must not stay as it is. */
const FAILED = '_anonymizefailure'

export const anonymize = filterPlugin({
  name: 'anonymize',
  touches: 'nothing',
  options: {
    fields: option.strings({ required: true }),
    key: option.string({ required: true }),
    algorithm: option.words(ALGORITHMS, { default: 'SHA1' }),
  },
  create({ fields, key, algorithm }) {
    const hash = hashOf(algorithm, key, false)
    const isKnown = (value: FieldValue) => algorithm !== 'IPV4_NETWORK' || isIPv4(String(value))
    return {
      filter(event) {
        let isComplete = true
        const replaced = (value: FieldValue): FieldValue => {
          if (isKnown(value)) return hash(value)
          isComplete = false
          return null
        }
        for (const field of fields) {
          const value = event.get(field)
          if (value === undefined) continue
          event.set(field, Array.isArray(value) ? value.map(replaced) : replaced(value))
        }
        if (!isComplete) event.tag(FAILED)
        return isComplete
      },
    }
  },
})
