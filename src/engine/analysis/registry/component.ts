/**
 * The three kinds of components of an analyzer. Each is a plain function of a whole text.
 *
 * A component that can also work on UTF-8 bytes declares `inBytes`; a chain of only such components is indexed without
 * creating strings (`index-analyzers/`).
 */
import type { FilteredText } from '../char-filters/filtered-text.ts'
import type { TokenStream } from '../token.ts'

export type CharFilter = (text: FilteredText) => FilteredText

export type Tokenizer = ((text: string) => TokenStream) & { readonly inBytes?: ByteTokenizer }

/** May modify and return the stream it receives. */
export type TokenFilter = ((stream: TokenStream) => TokenStream) & {
  readonly inBytes?: ByteFilter
  /** The filter as a function of one term, if possible: returns the new term, or undefined to drop it. */
  readonly onTerm?: (term: string) => string | undefined
  /** Whether queries take tokens at one position for alternatives, whatever they span: paths through shingles would be too many. */
  readonly disablesGraph?: boolean
  /** Additional token attributes that `_analyze` shows from this filter on. */
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
