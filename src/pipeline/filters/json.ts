/** `json`: parses the JSON in a field and stores its members as fields. */
import { fieldReference } from '../event/field-reference.ts'
import { type FieldValue, isFields } from '../event/fields.ts'
import { parseJson } from '../event/json-text.ts'
import { textForm } from '../event/text-form.ts'
import { Timestamp } from '../event/timestamp.ts'
import { filterPlugin } from '../plugin/filter-plugin.ts'
import { option } from '../plugin/options.ts'

export const json = filterPlugin({
  name: 'json',
  touches: 'nothing',
  options: {
    source: option.field({ required: true }),
    target: option.string(),
    skip_on_invalid_json: option.boolean({ default: false }),
    tag_on_failure: option.strings({ default: ['_jsonparsefailure'] }),
  },
  create(options, { clock, log }) {
    const source = fieldReference(options.source)
    // An empty target is the event itself.
    const target = options.target === undefined || options.target === '' ? undefined : fieldReference(options.target)
    return {
      filter(event) {
        const value = event.get(source)
        if (value === undefined || value === null) return false
        const fail = (reason: string): boolean => {
          for (const tag of options.tag_on_failure) event.tag(tag)
          log.warn('Error parsing json', { source: options.source, exception: reason })
          return false
        }
        let parsed: FieldValue
        try {
          const text = typeof value === 'string' ? value : textForm(value)
          parsed = text.trim() === '' ? null : parseJson(text)
        } catch (error) {
          return options.skip_on_invalid_json ? false : fail((error as Error).message)
        }
        if (target !== undefined) event.set(target, parsed)
        else if (isFields(parsed)) event.merge(parsed, new Timestamp(clock.nowMs()))
        else return fail('only an object can be merged into the event')
        return true
      },
      failed(event) {
        for (const tag of options.tag_on_failure) event.tag(tag)
      },
    }
  },
})
