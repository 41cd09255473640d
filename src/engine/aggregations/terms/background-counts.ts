/** How many documents of a background have each term: counted by the terms aggregation itself, over other documents. */
import type { Query, ShardQueryContext } from '../../query/query.ts'
import { bitsToDocs, releaseScratch, takeScratch, WINDOW_SIZE, windowBase } from '../../query/window.ts'
import { maskDocuments } from '../../search/mask-documents.ts'
import { planQuery } from '../../search/plan-query.ts'
import type { TermsAggregator } from './terms-aggregator.ts'
import type { TermKey } from './terms-result.ts'

export interface BackgroundCounts {
  /** Documents of the background. */
  readonly size: number
  of(key: TermKey): number
}

export function countBackground(shard: ShardQueryContext, query: Query, terms: TermsAggregator): BackgroundCounts {
  const plan = planQuery(shard, query, false, 1)
  const docs = new Int32Array(WINDOW_SIZE)
  const buckets = new Int32Array(WINDOW_SIZE)
  let size = 0
  for (const view of shard.view.segments) {
    const matcher = plan.matcher(view)
    if (matcher === undefined) continue
    const collector = terms.segment(view)
    const { docCount } = view.reader
    const window = takeScratch()
    for (let doc = matcher.next(0); doc < docCount; ) {
      const base = windowBase(doc)
      const limit = Math.min(base + WINDOW_SIZE, docCount)
      window.bits.fill(0)
      matcher.match(base, limit, window.bits)
      maskDocuments(window.bits, view, base)
      const count = bitsToDocs(window.bits, base, docs)
      size += count
      if (count > 0) collector?.collect(docs, buckets, count)
      doc = limit < docCount ? matcher.next(limit) : docCount
    }
    releaseScratch(window)
    collector?.end?.()
  }
  const counts = new Map<TermKey | string, number>()
  for (const { key, docCount } of terms.result(0).buckets) counts.set(nameOf(key), docCount)
  return { size, of: (key) => counts.get(nameOf(key)) ?? 0 }
}

const nameOf = (key: TermKey) => (key instanceof Uint8Array ? Buffer.from(key).toString('latin1') : key)
