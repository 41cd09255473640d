/** gsub: replaces all matches of a Java regular expression. */
import { ApiError } from '../../../base/api-error.ts'
import { replaceAll, userPattern } from '../regex/java-pattern.ts'
import { textProcessor } from './text-processor.ts'

export const gsub = textProcessor((reader) => {
  const source = reader.string('pattern')
  const replacement = reader.string('replacement')
  const pattern = (() => {
    try {
      return userPattern(source)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      throw reader.error('pattern', `Invalid regex pattern. ${error.message}`)
    }
  })()
  return (text, budget) => replaceAll(pattern, text, replacement, budget)
})
