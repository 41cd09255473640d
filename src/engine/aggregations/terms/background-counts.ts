/** How many documents of a background have each term. */
import { hasBit, wordsFor } from '../../../base/bit-set.ts'
import { MatchAllQuery } from '../../query/match-all.ts'
import type { Query, ShardQueryContext } from '../../query/query.ts'
import { bitsToDocs, releaseScratch, takeScratch, WINDOW_SIZE, windowBase } from '../../query/window.ts'
import { maskDocuments } from '../../search/mask-documents.ts'
import { planQuery } from '../../search/plan-query.ts'
import type { SegmentView, TermsReader } from '../../segment/segment-reader-api.ts'
import type { TermsAggregator } from './terms-aggregator.ts'
import type { TermKey } from './terms-result.ts'

export interface BackgroundCounts {
  /** Documents of the background. */
  readonly size: number
  of(key: TermKey): number
}

/** Counted by the terms aggregation itself, over other documents. */
export function countBackground(shard: ShardQueryContext, query: Query, terms: TermsAggregator): BackgroundCounts {
  const buckets = new Int32Array(WINDOW_SIZE)
  let size = 0
  for (const view of shard.view.segments) {
    const collector = terms.segment(view)
    size += eachWindow(shard, query, view, (docs, count) => collector?.collect(docs, buckets, count))
    collector?.end?.()
  }
  const counts = new Map<TermKey | string, number>()
  for (const { key, docCount } of terms.result(0).buckets) counts.set(nameOf(key), docCount)
  return { size, of: (key) => counts.get(nameOf(key)) ?? 0 }
}

/**
 * Taken from the lists of documents that a field's index has by term. As in Elasticsearch deleted documents count where all
 * documents are the background.
 */
export function indexBackground(shard: ShardQueryContext, field: string, query: Query | undefined): BackgroundCounts {
  const { segments } = shard.view
  if (query === undefined && shard.mapping.nestedPaths.length === 0) {
    const size = segments.reduce((sum, { reader }) => sum + reader.docCount, 0)
    const of = (term: TermKey) =>
      segments.reduce((sum, { reader }) => sum + docFreq(reader.terms(field), term as Uint8Array), 0)
    return { size, of }
  }
  let size = 0
  const parts = segments.map((view) => {
    const chosen = new Uint32Array(wordsFor(view.reader.docCount))
    size += eachWindow(shard, query ?? new MatchAllQuery(), view, (docs, count) => {
      for (let i = 0; i < count; i++) chosen[docs[i]! >> 5]! |= 1 << (docs[i]! & 31)
    })
    return { terms: view.reader.terms(field), chosen }
  })
  const of = (term: TermKey) =>
    parts.reduce((sum, { terms, chosen }) => sum + countAmong(terms, term as Uint8Array, chosen), 0)
  return { size, of }
}

function docFreq(terms: TermsReader | undefined, term: Uint8Array): number {
  const ordinal = terms?.find(term) ?? -1
  return ordinal < 0 ? 0 : terms!.docFreq(ordinal)
}

function countAmong(terms: TermsReader | undefined, term: Uint8Array, chosen: Uint32Array): number {
  const ordinal = terms?.find(term) ?? -1
  if (ordinal < 0) return 0
  const postings = terms!.postings(ordinal, false)
  let found = 0
  while (postings.nextBlock()) {
    for (let i = 0; i < postings.count; i++) if (hasBit(chosen, postings.docs[i]!)) found++
  }
  return found
}

/** Calls back with the live root documents of a segment that match, window by window; returns how many there are. */
function eachWindow(
  shard: ShardQueryContext,
  query: Query,
  view: SegmentView,
  visit: (docs: Int32Array, count: number) => void,
): number {
  const matcher = planQuery(shard, query, false, 1).matcher(view)
  if (matcher === undefined) return 0
  const { docCount } = view.reader
  const window = takeScratch()
  let size = 0
  for (let doc = matcher.next(0); doc < docCount; ) {
    const base = windowBase(doc)
    const limit = Math.min(base + WINDOW_SIZE, docCount)
    window.bits.fill(0)
    matcher.match(base, limit, window.bits)
    maskDocuments(window.bits, view, base)
    const count = bitsToDocs(window.bits, base, window.docs)
    size += count
    if (count > 0) visit(window.docs, count)
    doc = limit < docCount ? matcher.next(limit) : docCount
  }
  releaseScratch(window)
  return size
}

const nameOf = (key: TermKey) => (key instanceof Uint8Array ? Buffer.from(key).toString('latin1') : key)
