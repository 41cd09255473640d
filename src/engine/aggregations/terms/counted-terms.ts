/**
 * Terms without counting: if every document of a segment matches, document frequencies are in the segment's term
 * dictionary, and the documents of a chosen term are in its postings.
 */
import { derivedDocValues } from '../../document/derived-doc-values.ts'
import { WINDOW_SIZE } from '../../scoring/window.ts'
import type { CountedTerms, SegmentReader, SegmentView, SortedSetDocValues } from '../../segment/segment-reader-api.ts'
import type { SegmentCollector } from '../aggregation.ts'
import type { AggregationContext } from '../aggregation-context.ts'
import type { DeferredChildren } from '../state/deferred-children.ts'
import { documentWeights } from '../values/document-weights.ts'

/** Counting this many terms costs as much as reading a window of documents. */
const TERMS_PER_STEP = 4096

/** The document frequencies of a field's terms; undefined if documents must be collected one by one. */
export function countedTerms(context: AggregationContext, view: SegmentView, field: string): CountedTerms | undefined {
  const { reader, live } = view
  if (!context.seesAll || live !== undefined || context.profiler !== undefined) return undefined
  const derived = derivedDocValues(field)
  if (derived !== undefined && derived.kind !== 'runtime') return undefined
  const docValues = reader.sortedSetDocValues(field)
  const terms = derived === undefined ? reader.terms(field) : docValues?.counted?.()
  if (terms === undefined || docValues === undefined || terms.docCount !== docValues.docsWithValue) return undefined
  if (documentWeights(view) !== undefined) return undefined
  if (!isOfLevel(reader, field, docValues, context.shard.nestedScope)) return undefined
  context.shard.guard?.isOver(terms.termCount / TERMS_PER_STEP)
  return terms
}

const knownLevels = new WeakMap<SegmentReader, Map<string, boolean>>()

/** Whether only documents of the nested level have the field: objects can copy values to their parents. */
function isOfLevel(
  reader: SegmentReader,
  field: string,
  docValues: SortedSetDocValues,
  scope: string | undefined,
): boolean {
  if (reader.nested === undefined) return scope === undefined
  let known = knownLevels.get(reader)
  if (known === undefined) knownLevels.set(reader, (known = new Map()))
  const key = JSON.stringify([field, scope])
  let result = known.get(key)
  if (result === undefined) known.set(key, (result = lookAtLevels(reader, docValues, scope)))
  return result
}

function lookAtLevels(
  { nested, docCount }: SegmentReader,
  docValues: SortedSetDocValues,
  scope: string | undefined,
): boolean {
  const { pathOf, paths } = nested!
  const level = scope === undefined ? 0 : paths.indexOf(scope) + 1
  for (let doc = 0; doc < docCount; doc++) if (pathOf[doc] !== level && docValues.has(doc)) return false
  return scope === undefined || level > 0
}

/** Adds the documents of every accepted term to its count. */
export function addCounts(
  counts: Int32Array,
  terms: CountedTerms,
  toGlobal: Int32Array | undefined,
  accepted: Uint8Array | undefined,
): void {
  for (let own = 0; own < terms.termCount; own++) {
    const ordinal = toGlobal === undefined ? own : toGlobal[own]!
    if (accepted === undefined || accepted[ordinal] === 1) counts[ordinal] = counts[ordinal]! + terms.docFreq(own)
  }
}

/** By document of a segment, to bring documents of several terms into one order: the term's index + 1, or 0. */
let placeByDoc = new Uint16Array(0)
const PLACES_MAX = 0xffff
/** If fewer than one document in this many is chosen, sorting the chosen ones is cheaper than scanning for them. */
const SCATTERED_MIN = 64

/** Replays the documents of the chosen terms for the children, in document order if a document has only one term. */
export function deferDocuments(
  view: SegmentView,
  terms: CountedTerms,
  docValues: SortedSetDocValues,
  toGlobal: Int32Array | undefined,
  chosen: Int32Array,
  deferred: DeferredChildren,
): void {
  const own = chosen.map((ordinal) => (toGlobal === undefined ? ordinal : placeOf(toGlobal, ordinal)))
  const found = own.reduce((sum, ordinal) => sum + (ordinal < 0 ? 0 : terms.docFreq(ordinal)), 0)
  const { docCount } = view.reader
  if (!docValues.multiValued && own.length < PLACES_MAX && found * SCATTERED_MIN > docCount) {
    deferred.showLater(view, (collector, childBucket) => {
      const buckets = chosen.map((ordinal) => childBucket[ordinal]!)
      showInOrder(terms, own, buckets, docCount, collector)
    })
    return
  }
  const into = deferred.segment(view)
  into.reserve(found)
  for (let place = 0; place < own.length; place++) {
    if (own[place]! < 0) continue
    const postings = terms.postings(own[place]!, false)
    while (postings.nextBlock()) into.add(postings.docs, 0, postings.count, chosen[place]!)
  }
}

/**
 * Passes on the documents of all terms in one order: each is marked with the index of its term, then the marks are
 * scanned.
 */
function showInOrder(
  terms: CountedTerms,
  own: Int32Array,
  buckets: Int32Array,
  docCount: number,
  collector: SegmentCollector,
): void {
  if (placeByDoc.length < docCount) placeByDoc = new Uint16Array(docCount)
  try {
    for (let place = 0; place < own.length; place++) {
      if (own[place]! < 0) continue
      const postings = terms.postings(own[place]!, false)
      while (postings.nextBlock()) scatter(postings.docs, postings.count, place + 1)
    }
    const bucketByPlace = Int32Array.of(NO_TERM, ...buckets)
    for (let base = 0; base < docCount; base += WINDOW_SIZE) {
      const count = gatherWindow(base, Math.min(base + WINDOW_SIZE, docCount), bucketByPlace)
      if (count > 0) collector.collect(scratch.docs, scratch.buckets, count)
    }
  } finally {
    placeByDoc.fill(0, 0, docCount)
  }
}

function scatter(docs: Int32Array, count: number, value: number): void {
  const places = placeByDoc
  for (let i = 0; i < count; i++) places[docs[i]!] = value
}

const NO_TERM = -1
const scratch = { docs: new Int32Array(WINDOW_SIZE), buckets: new Int32Array(WINDOW_SIZE) }

/**
 * Branch-free: an entry is always written, and either kept or overwritten. Whether a document has a chosen term is
 * unpredictable.
 */
function gatherWindow(from: number, to: number, bucketByPlace: Int32Array): number {
  const { docs, buckets } = scratch
  const places = placeByDoc
  let count = 0
  for (let doc = from; doc < to; doc++) {
    const place = places[doc]!
    docs[count] = doc
    buckets[count] = bucketByPlace[place]!
    count += -place >>> 31
  }
  return count
}

/** The index of a number in an ascending list, or -1. */
function placeOf(ascending: Int32Array, wanted: number): number {
  let low = 0
  let high = ascending.length - 1
  while (low <= high) {
    const middle = (low + high) >>> 1
    if (ascending[middle] === wanted) return middle
    if (ascending[middle]! < wanted) low = middle + 1
    else high = middle - 1
  }
  return -1
}
