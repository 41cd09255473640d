/** The number of background documents that have each term. */
import { hasBit, previousSetBit, setBit, wordsFor } from '../../../base/bit-set.ts'
import { BoolQuery } from '../../query/compound/bool.ts'
import { MatchAllQuery } from '../../query/term-level/match-all.ts'
import type { Query, SearchExecutionContext } from '../../scoring/query.ts'
import { bitsToDocs, releaseScratch, takeScratch, WINDOW_SIZE, windowBase } from '../../scoring/window.ts'
import { planPart } from '../../search/plan-query.ts'
import { maskDocuments } from '../../search/walk/mask-documents.ts'
import type { NestedDocs, SegmentView, TermsReader } from '../../segment/segment-reader-api.ts'
import type { AggregationContext } from '../aggregation-context.ts'
import type { TermsAggregator } from '../terms/terms-aggregator.ts'
import type { TermKey } from '../terms/terms-result.ts'

export interface BackgroundCounts {
  /** Number of background documents. */
  readonly size: number
  of(key: TermKey): number
}

/** The background that the search may see: the documents that match the filters of the aliases in the request. */
export function withinFilters({ filters }: AggregationContext, background: Query | undefined): Query | undefined {
  if (filters.length === 0) return background
  return new BoolQuery({ filter: background === undefined ? filters : [background, ...filters] })
}

/** Counted by the terms aggregation itself, over other documents. */
export function countBackground(
  shard: SearchExecutionContext,
  query: Query | undefined,
  terms: TermsAggregator,
): BackgroundCounts {
  const buckets = new Int32Array(WINDOW_SIZE)
  for (const view of shard.view.segments) {
    const collector = terms.segment(view)
    eachWindow(shard, query, view, (docs, count) => collector?.collect(docs, buckets, count))
    collector?.end?.()
  }
  const counts = new Map<TermKey | string, number>()
  for (const { key, docCount } of terms.result(0).buckets) counts.set(nameOf(key), docCount)
  return { size: backgroundSize(shard, query), of: (key) => counts.get(nameOf(key)) ?? 0 }
}

/** Counted from the postings of the field. */
export function indexBackground(
  shard: SearchExecutionContext,
  field: string,
  query: Query | undefined,
): BackgroundCounts {
  const { segments } = shard.view
  const size = backgroundSize(shard, query)
  if (countsDeleted(shard, query)) {
    const of = (term: TermKey) =>
      segments.reduce((sum, { reader }) => sum + docFreq(reader.terms(field), term as Uint8Array), 0)
    return { size, of }
  }
  const parts = segments.map((view) => {
    const chosen = new Uint32Array(wordsFor(view.reader.docCount))
    eachWindow(shard, query, view, (docs, count) => {
      for (let i = 0; i < count; i++) setBit(chosen, docs[i]!)
    })
    return { terms: view.reader.terms(field), chosen }
  })
  const of = (term: TermKey) =>
    parts.reduce((sum, { terms, chosen }) => sum + countAmong(terms, term as Uint8Array, chosen), 0)
  return { size, of }
}

/**
 * Deleted documents count if the background is all documents, as in Elasticsearch, unless the mapping has nested
 * objects.
 */
function countsDeleted({ mapping }: SearchExecutionContext, query: Query | undefined): boolean {
  return query === undefined && mapping.nestedPaths.length === 0
}

/** The number of root documents in the background. Nested objects are not counted, even where the terms are in nested fields. */
function backgroundSize(shard: SearchExecutionContext, query: Query | undefined): number {
  const { segments, liveRoots } = shard.view
  if (countsDeleted(shard, query)) return segments.reduce((sum, { reader }) => sum + reader.docCount, 0)
  if (query === undefined) return liveRoots
  return segments.reduce((sum, view) => sum + eachWindow(shard, query, view, () => {}), 0)
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

/**
 * Calls back with the live documents of a segment whose terms are counted, window by window: those that match, or below
 * `nested` their objects. Returns how many documents there are; objects do not count if there is a query.
 */
function eachWindow(
  shard: SearchExecutionContext,
  query: Query | undefined,
  view: SegmentView,
  visit: (docs: Int32Array, count: number) => void,
): number {
  const scorer = planPart(shard, query ?? new MatchAllQuery(), false).scorer(view)
  if (scorer === undefined) return 0
  const { docCount, nested } = view.reader
  const scope = shard.nestedScope
  const objects = scope === undefined || nested === undefined ? 0 : nested.paths.indexOf(scope) + 1
  const below = query !== undefined && objects > 0 ? new ObjectsOf(view, objects, visit) : undefined
  const level = query === undefined ? objects : 0
  const window = takeScratch()
  let size = 0
  for (let doc = scorer.next(0); doc < docCount; ) {
    const base = windowBase(doc)
    const limit = Math.min(base + WINDOW_SIZE, docCount)
    window.bits.fill(0)
    scorer.match(base, limit, window.bits)
    if (level === 0) maskDocuments(window.bits, view, base)
    let count = bitsToDocs(window.bits, base, window.docs)
    if (level > 0) count = keepLevel(window.docs, count, view, level)
    size += count
    if (below !== undefined) below.add(window.docs, count)
    else if (count > 0) visit(window.docs, count)
    doc = limit < docCount ? scorer.next(limit) : docCount
  }
  releaseScratch(window)
  return size
}

/** The objects of a level inside whole documents, in blocks. */
class ObjectsOf {
  readonly #nested: NestedDocs
  readonly #level: number
  readonly #visit: (docs: Int32Array, count: number) => void
  readonly #found = new Int32Array(WINDOW_SIZE)

  constructor({ reader }: SegmentView, level: number, visit: (docs: Int32Array, count: number) => void) {
    this.#nested = reader.nested!
    this.#level = level
    this.#visit = visit
  }

  add(roots: Int32Array, count: number): void {
    let found = 0
    for (let i = 0; i < count; i++) {
      const root = roots[i]!
      for (let doc = previousSetBit(this.#nested.roots, root) + 1; doc < root; doc++) {
        if (this.#nested.pathOf[doc] !== this.#level) continue
        this.#found[found++] = doc
        if (found < WINDOW_SIZE) continue
        this.#visit(this.#found, found)
        found = 0
      }
    }
    if (found > 0) this.#visit(this.#found, found)
  }
}

function keepLevel(docs: Int32Array, count: number, { live, reader }: SegmentView, level: number): number {
  let kept = 0
  for (let i = 0; i < count; i++) {
    const doc = docs[i]!
    if (reader.nested!.pathOf[doc] === level && (live === undefined || hasBit(live, doc))) docs[kept++] = doc
  }
  return kept
}

const nameOf = (key: TermKey) => (key instanceof Uint8Array ? Buffer.from(key).toString('latin1') : key)
