/** Makes one token of all distinct terms in sorted order: equal for texts that differ only in order and repetition. */
import { illegalArgument } from '../../../base/api-error.ts'
import type { TokenFilter } from '../registry/component.ts'
import type { ComponentSettings } from '../registry/component-settings.ts'
import { newToken, type TokenStream } from '../token.ts'

export function fingerprintFilter(settings: ComponentSettings): TokenFilter {
  const separator = settings.string('separator') ?? ' '
  if (separator.length !== 1) {
    throw illegalArgument(`Setting [separator] must be a single, non-null character. [${separator}] was provided.`)
  }
  const maxSize = settings.integer('max_output_size', 255)
  return (stream): TokenStream => {
    const terms = [...new Set(stream.tokens.map((token) => token.term))].sort()
    const joined = terms.join(separator)
    const tokens =
      terms.length === 0 || joined.length > maxSize ? [] : [newToken(joined, 0, stream.endOffset, 'fingerprint')]
    return { tokens, trailingIncrement: 0, endOffset: stream.endOffset }
  }
}
