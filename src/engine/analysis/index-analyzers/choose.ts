/** Chooses the fastest implementation of a chain for indexing. */
import type { IndexAnalyzer, PortableAnalyzer } from '../../document/field-schema.ts'
import type { CharFilter, TokenFilter, Tokenizer } from '../registry/component.ts'
import { termFunctionOf } from '../term-function.ts'
import type { TokenStream } from '../token.ts'
import { ByteSet } from './byte-set.ts'
import { CachedTermsAnalyzer } from './cached-terms.ts'
import { CharacterBytesAnalyzer } from './character-bytes.ts'
import { StandardBytesAnalyzer } from './standard-bytes.ts'
import { StringIndexAnalyzer } from './string-analyzer.ts'
import { WholeBytesAnalyzer } from './whole-bytes.ts'

export interface Chain {
  readonly charFilters: readonly CharFilter[]
  readonly tokenizer: Tokenizer
  readonly filters: readonly TokenFilter[]
  /** The component names of a custom analyzer. Built-in analyzers do not show their components. */
  readonly names?: ChainNames | undefined
}

export interface ChainNames {
  readonly charFilters: readonly string[]
  readonly tokenizer: string
  readonly filters: readonly string[]
}

export function chooseIndexAnalyzer(chain: Chain, stream: (text: string) => TokenStream): IndexAnalyzer {
  return onBytes(chain) ?? new StringIndexAnalyzer(stream)
}

function onBytes(chain: Chain): IndexAnalyzer | undefined {
  const form = chain.tokenizer.inBytes
  if (form === undefined || chain.charFilters.length > 0) return undefined
  if (form.kind === 'whole') return filteredTerms(new WholeBytesAnalyzer(), chain.filters)

  let rest = chain.filters.map((filter) => filter.inBytes)
  let lower = form.kind === 'characters' && form.lower
  if (rest[0]?.kind === 'lowercase') {
    lower = true
    rest = rest.slice(1)
  }
  let stopWords: Iterable<string> | undefined
  if (rest[0]?.kind === 'stop') {
    stopWords = rest[0].words
    rest = rest.slice(1)
  }
  const tokenizer =
    form.kind === 'standard'
      ? new StandardBytesAnalyzer({ maxTokenLength: form.maxTokenLength, lower, stopWords })
      : new CharacterBytesAnalyzer({ ...form, lower, stopWords: stopWords && new ByteSet(stopWords) })
  return filteredTerms(tokenizer, chain.filters.slice(chain.filters.length - rest.length))
}

/** Recreates an analyzer that another thread described. */
export function reviveAnalyzer(portable: PortableAnalyzer): IndexAnalyzer {
  return new StandardBytesAnalyzer(portable)
}

function filteredTerms(tokenizer: IndexAnalyzer, filters: readonly TokenFilter[]): IndexAnalyzer | undefined {
  if (filters.length === 0) return tokenizer
  const onTerm = termFunctionOf(filters)
  return onTerm === undefined ? undefined : new CachedTermsAnalyzer(tokenizer, onTerm)
}
