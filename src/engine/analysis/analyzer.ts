/** An analyzer: a named chain of char filters, one tokenizer and token filters. */
import type { IndexAnalyzer } from '../document/field-schema.ts'
import { FilteredText } from './char-filters/filtered-text.ts'
import { type Chain, chooseIndexAnalyzer } from './index-analyzers/choose.ts'
import { type Token, type TokenStream, withPositions } from './token.ts'

/** The position gap between two array values, which keeps phrases from matching across them. */
export const DEFAULT_POSITION_INCREMENT_GAP = 100

export class Analyzer {
  readonly name: string
  readonly chain: Chain
  readonly positionIncrementGap: number
  #index: IndexAnalyzer | undefined

  constructor(name: string, chain: Chain, positionIncrementGap = DEFAULT_POSITION_INCREMENT_GAP) {
    this.name = name
    this.chain = chain
    this.positionIncrementGap = positionIncrementGap
  }

  /** The same analyzer for a field with its own gap. */
  withGap(positionIncrementGap: number): Analyzer {
    return new Analyzer(this.name, this.chain, positionIncrementGap)
  }

  /** The tokens as queries see them. */
  tokens(text: string): Token[] {
    const tokens = withPositions(this.stream(text))
    if (this.chain.filters.some(({ disablesGraph }) => disablesGraph === true))
      for (const token of tokens) token.positionLength = 1
    return tokens
  }

  stream(text: string): TokenStream {
    return analyzeText(this.chain, text)
  }

  /** The form used by the write buffer. It has scratch memory, so it belongs to one thread. */
  get index(): IndexAnalyzer {
    this.#index ??= chooseIndexAnalyzer(this.chain, (text) => this.stream(text))
    return this.#index
  }
}

export function analyzeText({ charFilters, tokenizer, filters }: Chain, text: string): TokenStream {
  let stream: TokenStream
  if (charFilters.length === 0) stream = tokenizer(text)
  else {
    let filtered = FilteredText.of(text)
    for (const filter of charFilters) filtered = filter(filtered)
    stream = correctOffsets(tokenizer(filtered.text), filtered, text.length)
  }
  for (const filter of filters) stream = filter(stream)
  return stream
}

export function correctOffsets(stream: TokenStream, filtered: FilteredText, endOffset: number): TokenStream {
  for (const token of stream.tokens) {
    token.startOffset = filtered.correct(token.startOffset)
    token.endOffset = filtered.correct(token.endOffset)
  }
  return { ...stream, endOffset }
}
