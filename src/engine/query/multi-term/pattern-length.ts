/** `index.max_regex_length` limits regular expressions, and the prefixes of `prefix` queries. */
import { illegalArgument } from '../../../base/api-error.ts'
import type { SearchExecutionContext } from '../../scoring/query.ts'

export const checkRegexLength = (pattern: string, context: SearchExecutionContext): void =>
  checkLength(pattern, context, 'regex', 'Regexp')

export const checkPrefixLength = (prefix: string, context: SearchExecutionContext): void =>
  checkLength(prefix, context, 'prefix', 'Prefix')

function checkLength({ length }: string, { limits }: SearchExecutionContext, what: string, query: string): void {
  const limit = limits.maxRegexLength
  if (length <= limit) return
  throw illegalArgument(
    `The length of ${what} [${length}] used in the ${query} Query request has exceeded the allowed maximum of [${limit}]. ` +
      'This maximum can be set by changing the [index.max_regex_length] index level setting.',
  )
}
