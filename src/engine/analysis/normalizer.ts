/** Normalizes a keyword value for indexing and searching: a chain without a tokenizer. */
import { analyzeText } from './analyzer.ts'
import type { Chain } from './index-analyzers/choose.ts'
import { type TermFunction, termFunctionOf } from './term-function.ts'
import { type Token, withPositions } from './token.ts'

export class Normalizer {
  readonly name: string
  /** The chain with the keyword tokenizer, so that `_analyze` can show it like an analyzer. */
  readonly chain: Chain
  readonly #onTerm: TermFunction | undefined

  constructor(name: string, chain: Chain) {
    this.name = name
    this.chain = chain
    this.#onTerm = chain.charFilters.length === 0 ? termFunctionOf(chain.filters) : undefined
  }

  normalize(text: string): string {
    if (this.#onTerm !== undefined) return this.#onTerm(text) ?? ''
    return analyzeText(this.chain, text).tokens[0]?.term ?? ''
  }

  tokens(text: string): Token[] {
    return withPositions(analyzeText(this.chain, text))
  }
}
