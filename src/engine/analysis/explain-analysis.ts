/** The response of `_analyze` in wire form. */
import type { ApiError } from '../../base/api-error.ts'
import { correctOffsets } from './analyzer.ts'
import { FilteredText } from './char-filters/filtered-text.ts'
import type { Chain, ChainNames } from './index-analyzers/choose.ts'
import type { TokenAttribute } from './registry/component.ts'
import type { StreamToken, TokenStream } from './token.ts'

export type AnalyzeOutput = { tokens: WireToken[] } | { detail: Record<string, unknown> }
export type WireToken = Record<string, unknown>

/** Counts the tokens of all texts of a request together. */
export interface TokenCounter {
  left: number
  maximum?: number
  exceeded: (maximum: number) => ApiError
}

export function plainTokens(chain: Chain, texts: readonly string[], gap: number, counter: TokenCounter): WireToken[] {
  return eachText(texts, gap, counter, (text) => run(chain, text, chain.filters.length), plainToken)
}

export function explainTokens(
  name: string,
  chain: Chain,
  texts: readonly string[],
  gap: number,
  wanted: readonly string[],
  counter: TokenCounter,
): Record<string, unknown> {
  const show = explained(attributesAfter(chain, chain.filters.length), wanted)
  const tokens = eachText(texts, gap, counter, (text) => run(chain, text, chain.filters.length), show)
  return { custom_analyzer: false, analyzer: { name, tokens } }
}

/** One entry per component, each with the tokens after it. */
export function explainChain(
  chain: Chain,
  names: ChainNames,
  texts: readonly string[],
  gap: number,
  wanted: readonly string[],
  counter: TokenCounter,
): Record<string, unknown> {
  const charfilters = names.charFilters.map((name, i) => ({
    name,
    filtered_text: texts.map((text) => filterText(chain, text, i + 1).text),
  }))
  const stage = (count: number) => {
    const fresh = { ...counter }
    const show = explained(attributesAfter(chain, count), wanted)
    return eachText(texts, gap, fresh, (text) => run(chain, text, count), show)
  }
  return {
    custom_analyzer: true,
    charfilters,
    tokenizer: { name: names.tokenizer, tokens: stage(0) },
    tokenfilters: names.filters.map((name, i) => ({ name, tokens: stage(i + 1) })),
  }
}

function filterText(chain: Chain, text: string, count: number): FilteredText {
  let filtered = FilteredText.of(text)
  for (const filter of chain.charFilters.slice(0, count)) filtered = filter(filtered)
  return filtered
}

/** The stream after the tokenizer and `filterCount` filters. */
function run(chain: Chain, text: string, filterCount: number): TokenStream {
  const filtered = filterText(chain, text, chain.charFilters.length)
  let stream = correctOffsets(chain.tokenizer(filtered.text), filtered, text.length)
  for (const filter of chain.filters.slice(0, filterCount)) stream = filter(stream)
  return stream
}

function eachText(
  texts: readonly string[],
  gap: number,
  counter: TokenCounter,
  analyze: (text: string) => TokenStream,
  show: (token: StreamToken, position: number, offset: number) => WireToken,
): WireToken[] {
  const out: WireToken[] = []
  let position = -1
  let offset = 0
  for (const text of texts) {
    const stream = analyze(text)
    counter.left -= stream.tokens.length
    if (counter.left < 0) throw counter.exceeded(counter.maximum ?? 0)
    for (const token of stream.tokens) {
      position += token.positionIncrement
      out.push(show(token, position, offset))
    }
    position += stream.trailingIncrement + gap
    offset += stream.endOffset + 1
  }
  return out
}

function plainToken(token: StreamToken, position: number, offset: number): WireToken {
  return {
    token: token.term,
    start_offset: token.startOffset + offset,
    end_offset: token.endOffset + offset,
    type: token.type,
    position,
    ...(token.positionLength > 1 ? { positionLength: token.positionLength } : {}),
  }
}

function attributesAfter(chain: Chain, filterCount: number): ReadonlySet<TokenAttribute> {
  return new Set(chain.filters.slice(0, filterCount).flatMap((filter) => filter.attributes ?? []))
}

function explained(present: ReadonlySet<TokenAttribute>, wanted: readonly string[]) {
  const names = new Set(wanted.map((name) => name.toLowerCase()))
  const isWanted = (name: string) => names.size === 0 || names.has(name.toLowerCase())
  return (token: StreamToken, position: number, offset: number): WireToken => {
    const attributes: Record<string, unknown> = { bytes: hex(Buffer.from(token.term)) }
    if (present.has('keyword')) attributes['keyword'] = token.keyword
    if (present.has('payload')) attributes['payload'] = token.payload === undefined ? null : hex(token.payload)
    attributes['positionLength'] = token.positionLength
    attributes['termFrequency'] = 1
    const shown = plainToken(token, position, offset)
    for (const [name, value] of Object.entries(attributes)) if (isWanted(name)) shown[name] = value
    return shown
  }
}

function hex(bytes: Uint8Array): string {
  return `[${Array.from(bytes, (byte) => byte.toString(16)).join(' ')}]`
}
