/** Queries on `_routing`, which documents store separately and Lucene has as a term. */

import { constantTexts, type SearchExecutionContext, type Weight } from '../../scoring/query.ts'
import { documentsThat, eachDocument } from '../../scoring/scorers/document-scan.ts'
import type { SegmentReader, SegmentView } from '../../segment/segment-reader-api.ts'
import { countedTerm } from './counted-term.ts'

export function routingTerm(
  context: SearchExecutionContext,
  routing: string,
  options: { readonly scoring: boolean; readonly boost: number },
): Weight {
  let docFreq = 0
  let docCount = 0
  for (const { reader } of options.scoring ? context.counted : []) {
    eachDocument(reader, (doc) => {
      const own = reader.routing(doc)
      if (own !== undefined) docCount++
      if (own === routing) docFreq++
    })
  }
  const counts = { docFreq, docCount, sumDocFreq: docCount }
  const find = ({ reader }: SegmentView, score: number) =>
    documentsThat(reader, (doc) => reader.routing(doc) === routing, score)
  return countedTerm(context, '_routing', counts, options, () => `_routing:${routing}`, find)
}

/** Documents whose routing passes a test. */
export function routingQuery(accepts: (routing: string) => boolean, score: number, text: () => string): Weight {
  const holds = (reader: SegmentReader, doc: number) => {
    const routing = reader.routing(doc)
    return routing !== undefined && accepts(routing)
  }
  return {
    scorer: ({ reader }) => documentsThat(reader, (doc) => holds(reader, doc), score),
    ...constantTexts(score, text),
  }
}

export interface RoutingBounds {
  readonly lower: unknown
  readonly lowerInclusive: boolean
  readonly upper: unknown
  readonly upperInclusive: boolean
}

export function routingRange({ lower, lowerInclusive, upper, upperInclusive }: RoutingBounds, score: number): Weight {
  const bytes = (value: unknown) => (value === undefined ? undefined : Buffer.from(String(value)))
  const [low, high] = [bytes(lower), bytes(upper)]
  const accepts = (routing: string) => {
    const own = Buffer.from(routing)
    const above = low === undefined ? 1 : Buffer.compare(own, low)
    const below = high === undefined ? -1 : Buffer.compare(own, high)
    return (above > 0 || (above === 0 && lowerInclusive)) && (below < 0 || (below === 0 && upperInclusive))
  }
  const open = lower === undefined || lowerInclusive ? '[' : '{'
  const close = upper === undefined || upperInclusive ? ']' : '}'
  return routingQuery(accepts, score, () => `_routing:${open}${lower ?? '*'} TO ${upper ?? '*'}${close}`)
}
