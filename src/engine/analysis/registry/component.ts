/**
 * The three kinds of parts an analyzer is made of. Each is a plain function over a whole text.
 *
 * A part that can also work straight on UTF-8 bytes says so in `inBytes`; a chain of only such parts is indexed without
 * making strings (`index-analyzers/`).
 */
import type { FilteredText } from '../char-filters/filtered-text.ts'
import type { TokenStream } from '../token.ts'

export type CharFilter = (text: FilteredText) => FilteredText

export type Tokenizer = ((text: string) => TokenStream) & { readonly inBytes?: ByteTokenizer }

/** May change and return the stream it was given. */
export type TokenFilter = ((stream: TokenStream) => TokenStream) & {
  readonly inBytes?: ByteFilter
  /** The filter as a function of one term, where it is one: the new term, or undefined to drop it. */
  readonly onTerm?: (term: string) => string | undefined
  /** What `_analyze` shows of tokens from this filter on, besides what every token has. */
  readonly attributes?: readonly TokenAttribute[]
}

export type TokenAttribute = 'keyword' | 'payload'

export type ByteTokenizer =
  | { readonly kind: 'standard'; readonly maxTokenLength: number }
  | {
      readonly kind: 'characters'
      readonly maxTokenLength: number
      readonly isTokenChar: (codePoint: number) => boolean
      readonly lower: boolean
    }
  | { readonly kind: 'whole' }

export type ByteFilter = { readonly kind: 'lowercase' } | { readonly kind: 'stop'; readonly words: ReadonlySet<string> }
