/**
 * A cache of the documents of repeated filters, per segment.
 *
 * Dashboards restrict every search by the same few ranges, boxes and sets. The matches of such a filter in a segment
 * never change, because segments are immutable and deletes are applied later; so they are computed once for the whole
 * segment and then looked up. The policy follows Lucene: costly filters are cached at their second use among the last
 * 256, combined ones somewhat later, single terms never, and small segments not at all.
 *
 * Every thread has its own cache. The running search names its index, so that each index has its own counts and can
 * disable the cache.
 */
import { createHash } from 'node:crypto'
import { isMainThread } from 'node:worker_threads'
import { ApiError } from '../../base/api-error.ts'
import { countBits } from '../../base/bit-set.ts'
import { plannedMemory } from '../../base/memory/process-memory.ts'
import { type FilterUse, runningSearch } from '../running/running-search.ts'
import type { SegmentReader, SegmentView } from '../segment/segment-reader-api.ts'
import { matchedDocs } from './matched-docs.ts'
import type { Weight } from './query.ts'
import { BitSetScorer } from './scorers/bit-set-scorer.ts'
import { DocListScorer } from './scorers/doc-list-scorer.ts'
import type { Scorer } from './scorers/scorer.ts'

/** The identity of a filter in the cache. */
export interface FilterIdentity {
  /** Filters of one index with the same key match the same documents. */
  key(): string
  /** The recent use at which its documents are cached. */
  readonly keptAtUse: number
  /** Present if its documents are those with a number of the field within bounds. */
  readonly range?: NumberRange
}

/** Numbers of a field as stored; both bounds are included. */
export interface NumberRange {
  readonly field: string
  readonly lower: number | bigint | undefined
  readonly upper: number | bigint | undefined
}

/** For filters that read many values or terms. */
export const KEPT_SOON = 2
/** For combinations of filters, whose parts may already be cached. */
export const KEPT_LATER = 4
/** For filters that are as fast to evaluate as to look up. */
export const NEVER_KEPT = Number.POSITIVE_INFINITY

/** Smaller segments are searched as fast as looked up. */
const LEAST_DOCS = 10_000
const HISTORY = 256
const LONGEST_KEY = 200
/** On the main thread, filters over more documents are not cached: evaluating one would block requests. */
const MOST_DOCS = isMainThread ? 500_000 : Number.POSITIVE_INFINITY
/** The size of an entry besides its documents. */
const ENTRY_BYTES = 200

/** The cache events of one index since the last call. */
export interface FilterCacheCounts {
  hits: number
  misses: number
  /** Entries added. */
  added: number
  /** Entries dropped, for lack of room or with their segment. */
  dropped: number
  /** Entries dropped for lack of room. */
  evicted: number
  /** Change of the cached bytes; negative if more was dropped. */
  bytes: number
}

interface Entry {
  /** Undefined if no document matches. */
  readonly docs: Int32Array | undefined
  readonly bits: Uint32Array | undefined
  readonly count: number
  /** The exact count that the filter itself knew. */
  readonly exactCount: number
  /** Whether the documents are root documents, of which none was omitted. */
  readonly rootsOnly: boolean
  readonly owner: string
  readonly bytes: number
}

/** An entry's position in the order of use; the entry itself is stored with its segment. */
interface Slot {
  readonly entries: WeakRef<Map<string, Kept>>
  readonly key: string
  readonly owner: string
  readonly bytes: number
}

interface Kept {
  readonly entry: Entry
  readonly slot: Slot
}

export class FilterCache {
  readonly #segments = new WeakMap<SegmentReader, Map<string, Kept>>()
  /** Ordered by use, the least recent first. */
  readonly #slots = new Set<Slot>()
  readonly #givenBudget: number | undefined
  readonly #leastDocs: number
  readonly #mostDocs: number
  readonly #counts = new Map<string, FilterCacheCounts>()
  /** Recently used keys in a ring, and the number of occurrences of each. */
  readonly #ring: string[] = []
  #ringAt = 0
  readonly #uses = new Map<string, number>()
  #bytes = 0

  constructor(budgetBytes?: number, leastDocs = LEAST_DOCS, mostDocs = MOST_DOCS) {
    this.#givenBudget = budgetBytes
    this.#leastDocs = leastDocs
    this.#mostDocs = mostDocs
  }

  /** Evaluated on demand: caches are created before the thread knows how much memory there is. */
  get #budgetBytes(): number {
    return this.#givenBudget ?? plannedMemory().filterCacheBytes
  }

  /** Like the query's own scorer, but all documents may have the same score. */
  scorer(query: Weight, segment: SegmentView): Scorer | undefined {
    const { reader } = segment
    const identity = query.asFilter
    const use = runningSearch().filters
    if (identity === undefined || use === undefined || identity.keptAtUse === NEVER_KEPT) return query.scorer(segment)
    if (reader.docCount < this.#leastDocs || reader.docCount > this.#mostDocs) return query.scorer(segment)
    const key = shortened(identity.key())
    const owner = use.index
    const uses = this.#use(use, key)
    const kept = this.#segments.get(reader)?.get(key)
    if (kept !== undefined) {
      this.#countsOf(owner).hits++
      this.#slots.delete(kept.slot)
      this.#slots.add(kept.slot)
      return scorerOf(kept.entry, segment)
    }
    this.#countsOf(owner).misses++
    if (uses < identity.keptAtUse) return query.scorer(segment)
    // Live docs belong to a view, but the entry is for all views.
    const entry = this.#entryOf(query, segment, owner, key)
    if (entry === undefined) return query.scorer(segment)
    this.#keep(reader, key, entry)
    return scorerOf(entry, segment)
  }

  /**
   * Undefined if the filter cannot be evaluated for all documents: a script may fail for some that a search does not
   * visit.
   */
  #entryOf(query: Weight, segment: SegmentView, owner: string, key: string): Entry | undefined {
    const { docCount } = segment.reader
    try {
      return entryOf(query.scorer({ ...segment, live: undefined, liveCount: docCount }), docCount, owner, key)
    } catch (error) {
      if (error instanceof ApiError && error.type === 'script_exception') return undefined
      throw error
    }
  }

  /** Drops the entries of an index, or of all. */
  clear(owner?: string): void {
    for (const slot of this.#slots) if (owner === undefined || slot.owner === owner) this.#drop(slot)
    this.#uses.clear()
    this.#ring.length = 0
    this.#ringAt = 0
  }

  /** Whether anything changed since the last `takeCounts`. */
  get hasCounts(): boolean {
    return this.#counts.size > 0
  }

  /** The changes since the last call, by index. */
  takeCounts(): readonly [owner: string, counts: FilterCacheCounts][] {
    if (this.#counts.size === 0) return []
    const counts = [...this.#counts]
    this.#counts.clear()
    return counts
  }

  get bytes(): number {
    return this.#bytes
  }

  /** Counts a use; returns the number of recent uses. */
  #use(use: FilterUse, key: string): number {
    const name = `${use.index} ${key}`
    const uses = this.#uses.get(name) ?? 0
    use.counted ??= new Set()
    if (use.counted.has(name)) return uses
    use.counted.add(name)
    const oldest = this.#ring[this.#ringAt]
    if (oldest !== undefined) {
      const left = this.#uses.get(oldest)! - 1
      if (left === 0) this.#uses.delete(oldest)
      else this.#uses.set(oldest, left)
    }
    this.#ring[this.#ringAt] = name
    this.#ringAt = (this.#ringAt + 1) % HISTORY
    const now = (this.#uses.get(name) ?? 0) + 1
    this.#uses.set(name, now)
    return now
  }

  #keep(reader: SegmentReader, key: string, entry: Entry): void {
    const { owner, bytes } = entry
    if (bytes > this.#budgetBytes) return
    let entries = this.#segments.get(reader)
    if (entries === undefined) this.#segments.set(reader, (entries = new Map()))
    const slot = { entries: new WeakRef(entries), key, owner, bytes }
    entries.set(key, { entry, slot })
    this.#slots.add(slot)
    this.#bytes += bytes
    const counts = this.#countsOf(owner)
    counts.added++
    counts.bytes += bytes
    this.#sweep()
    for (const oldest of this.#slots) {
      if (this.#bytes <= this.#budgetBytes) return
      this.#drop(oldest)
      this.#countsOf(oldest.owner).evicted++
    }
  }

  /** Removes entries whose segments were garbage collected. */
  #sweep(): void {
    for (const slot of this.#slots) if (slot.entries.deref() === undefined) this.#drop(slot)
  }

  #drop(slot: Slot): void {
    this.#slots.delete(slot)
    slot.entries.deref()?.delete(slot.key)
    this.#bytes -= slot.bytes
    const counts = this.#countsOf(slot.owner)
    counts.dropped++
    counts.bytes -= slot.bytes
  }

  #countsOf(owner: string): FilterCacheCounts {
    let counts = this.#counts.get(owner)
    if (counts === undefined) {
      counts = { hits: 0, misses: 0, added: 0, dropped: 0, evicted: 0, bytes: 0 }
      this.#counts.set(owner, counts)
    }
    return counts
  }
}

/** Shortens the long keys of sets with thousands of values. */
function shortened(key: string): string {
  return key.length <= LONGEST_KEY ? key : createHash('sha256').update(key).digest('base64')
}

/** The use of filters by one search of an index. */
export const filterUse = (index: string): FilterUse => ({ index, counted: undefined })

/** The cache of this thread. */
export const filterCache = new FilterCache()

/** A query's scorer where only the documents count. */
export function filterScorer(query: Weight, segment: SegmentView): Scorer | undefined {
  return filterCache.scorer(query, segment)
}

function scorerOf({ docs, bits, count, exactCount, rootsOnly }: Entry, { live }: SegmentView): Scorer | undefined {
  if (bits !== undefined) return new KeptBitsScorer(bits, count, exactCount)
  return docs === undefined ? undefined : new DocListScorer(docs, 1, rootsOnly && live === undefined)
}

/** Answers like the uncached filter: how a search terminates must not depend on earlier searches. */
class KeptBitsScorer extends BitSetScorer {
  readonly #exactCount: number

  constructor(bits: Uint32Array, count: number, exactCount: number) {
    super(bits, count, 1, true)
    this.#exactCount = exactCount
  }

  override get exactCount(): number {
    return this.#exactCount
  }

  override countExactly(): number {
    return this.cost
  }
}

/** All documents of a filter: as a list if they are few, otherwise as bits. */
function entryOf(scorer: Scorer | undefined, docCount: number, owner: string, key: string): Entry {
  const overhead = ENTRY_BYTES + key.length * 2
  if (scorer === undefined) {
    return { docs: undefined, bits: undefined, count: 0, exactCount: 0, rootsOnly: false, owner, bytes: overhead }
  }
  const { exactCount, isMasked: rootsOnly } = scorer
  const bits = matchedDocs(scorer, docCount)
  const count = countBits(bits)
  if (exactCount >= 0 && count * 32 < docCount) {
    const docs = new Int32Array(count)
    listDocs(bits, docs)
    return { docs, bits: undefined, count, exactCount, rootsOnly, owner, bytes: overhead + docs.byteLength }
  }
  return { docs: undefined, bits, count, exactCount, rootsOnly, owner, bytes: overhead + bits.byteLength }
}

function listDocs(bits: Uint32Array, docs: Int32Array): void {
  let at = 0
  for (let word = 0; word < bits.length; word++) {
    for (let left = bits[word]!; left !== 0; left &= left - 1) docs[at++] = (word << 5) + 31 - Math.clz32(left & -left)
  }
}
