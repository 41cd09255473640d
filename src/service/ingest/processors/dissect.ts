/** dissect: splits a text at the delimiters between its parts. */
import { ApiError, illegalArgument } from '../../../base/api-error.ts'
import type { ProcessorFactory } from '../pipeline/processor.ts'
import { DissectPattern } from './dissect-pattern.ts'

export const dissect: ProcessorFactory = (reader) => {
  const field = reader.string('field')
  const pattern = reader.string('pattern')
  const separator = reader.optionalString('append_separator') ?? ''
  const ignoresMissing = reader.boolean('ignore_missing', false)
  const dissector = new DissectPattern(pattern, separator)
  return (document) => {
    const text = document.text(field, ignoresMissing)
    if (text === undefined || (text === null && ignoresMissing)) return
    if (text === null) throw illegalArgument(`field [${field}] is null, cannot process it.`)
    document.budget.text(text.length)
    const values = dissector.match(text)
    if (values === undefined) {
      const reason = `Unable to find match for dissect pattern: ${pattern} against source: ${text}`
      throw new ApiError(400, 'find_match', reason)
    }
    for (const [name, value] of values) document.set(name, value)
  }
}
