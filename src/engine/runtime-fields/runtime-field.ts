/**
 * A runtime field of one definition. It computes values document by document, keeps them as doc values per segment, and
 * returns the values of single documents without computing the rest.
 */
import { ApiError, illegalArgument } from '../../base/api-error.ts'
import { setBit, wordsFor } from '../../base/bit-set.ts'
import { withShownNames } from '../document/derived-doc-values.ts'
import { exceededLimit } from '../painless/index.ts'
import { runningSearch } from '../running/running-search.ts'
import { collectsScriptCosts, timed } from '../scripts/script-cost.ts'
import { noteScriptRun } from '../scripts/script-use.ts'
import type { ListMemory } from '../segment/buffer/list-memory.ts'
import type { ComputedField } from '../segment/doc-values/computed-field.ts'
import type {
  DocFailures,
  GeoDocValues,
  NumericDocValues,
  OrderedIndex,
  SegmentReader,
  SortedSetDocValues,
} from '../segment/segment-reader-api.ts'
import type { GeoPoint } from '../values/geo-point.ts'
import { collectorMemory } from './column-memory.ts'
import { noteKnownColumn } from './column-use.ts'
import { type ComputedDocValues, computedDocValues } from './computed-doc-values.ts'
import { keepDocValues, keptDocValues } from './doc-values-cache.ts'
import { checkGuard } from './evaluation-guard.ts'
import {
  type AnyCollector,
  type LongCollector,
  type NumberCollector,
  newCollector,
  type PointCollector,
  type TermCollector,
  VALUES_MAX,
} from './value-collector.ts'

/** Computes the values of documents of one segment, in ascending order. */
export interface ValueEvaluator {
  /** Adds the document's values. Throws an ApiError if they cannot be computed. */
  evaluate(doc: number): void
  /**
   * Adds the values of `docs[0, count)`, ascending, and returns the number of documents that succeeded. It is less than
   * `count` if the next document failed, and `failure` then has the error.
   */
  evaluateBlock?(docs: Int32Array, count: number): number
  /** Adds the values of `count` documents from `from` on; returns false, and adds none, if only `evaluateBlock` can. */
  evaluateRange?(from: number, count: number): boolean
  readonly failure?: unknown
  /** The doc values of all documents of the segment, if they can be made at once. */
  computeAll?(docCount: number): ComputedDocValues | undefined
}

export interface RuntimeFieldOptions {
  readonly name: string
  /** `keyword`, `long`, …: decides how values are stored. */
  readonly type: string
  readonly open: (reader: SegmentReader, into: AnyCollector) => ValueEvaluator
  /** The name of the field in errors about its values. */
  readonly shownName: string
  /** `on_script_error: continue`: documents that fail have no value. */
  readonly ignoresErrors: boolean
  /** The values belong to one search, because they depend on its query: they are not shared with other searches. */
  readonly ofOneSearch?: boolean
}

/** A value in the representation of doc values. */
export type KeptValue = number | bigint | Uint8Array

/** A point in the representation of doc values, which is a pair. */
export interface EncodedPoint {
  readonly latitude: number
  readonly longitude: number
  readonly exact: GeoPoint
}

/** The number of documents between two checks of the guard, and of those of a fast script. */
const BLOCK_DOCS = 1024
const LARGE_BLOCK_DOCS = 4096
/** A large block follows a block that took less time. */
const FAST_MS = 1
/** How many documents cost a step of the guard. A step is a window of documents. */
const DOCS_PER_STEP = 128

/** How many runtime fields may be computed, each for the script of the one before it. */
const DEPTH_MAX = 5

export class RuntimeField implements ComputedField {
  readonly name: string
  readonly type: string
  readonly #options: RuntimeFieldOptions
  /** The values of fields of one search. */
  readonly #ofSearch: WeakMap<SegmentReader, ComputedDocValues> | undefined

  constructor(options: RuntimeFieldOptions) {
    this.#ofSearch = options.ofOneSearch === true ? new WeakMap() : undefined
    this.name = options.name
    this.type = options.type
    this.#options = options
  }

  numbers(reader: SegmentReader): NumericDocValues | undefined {
    const { type } = this
    if (type === 'keyword' || type === 'ip' || type === 'geo_point') return undefined
    return this.#docValues(reader) as NumericDocValues
  }

  terms(reader: SegmentReader): SortedSetDocValues | undefined {
    if (this.type !== 'keyword' && this.type !== 'ip') return undefined
    return this.#docValues(reader) as SortedSetDocValues
  }

  /** The ordered index of values that were computed earlier. Computes nothing. */
  ordered(reader: SegmentReader): OrderedIndex | undefined {
    const known = this.#ofSearch === undefined ? keptDocValues(reader, this.name) : undefined
    if (known === undefined || !('ordered' in known)) return undefined
    noteKnownColumn(reader, this.name, known)
    return known.ordered()
  }

  points(reader: SegmentReader): GeoDocValues | undefined {
    return this.type === 'geo_point' ? (this.#docValues(reader) as GeoDocValues) : undefined
  }

  #docValues(reader: SegmentReader): ComputedDocValues {
    this.#checkTurn()
    const own = this.#ofSearch
    const known = own === undefined ? keptDocValues(reader, this.name) : own.get(reader)
    if (known !== undefined) {
      if (own === undefined) noteKnownColumn(reader, this.name, known)
      return known
    }
    const values = this.#inTurn(() => this.#compute(reader))
    if (own === undefined) keepDocValues(reader, this.name, values)
    else own.set(reader, values)
    return values
  }

  #newCollector(capacity?: number, memory?: ListMemory): AnyCollector {
    return newCollector(this.type, this.#options.shownName, capacity, memory)
  }

  /** Scripts may read other runtime fields, but not in a cycle. */
  #checkTurn(): void {
    const { computing } = runningSearch().progress
    const shown = withShownNames(this.name)
    if (computing.includes(shown)) {
      const way = [...computing, shown].join(' -> ')
      throw illegalArgument(`Cyclic dependency detected while resolving runtime fields: ${way}`)
    }
    if (computing.length >= DEPTH_MAX) {
      const way = [...computing, shown].join(' -> ')
      throw illegalArgument(`Field requires resolving too many dependent fields: ${way}`)
    }
  }

  #inTurn<T>(compute: () => T): T {
    this.#checkTurn()
    const { computing } = runningSearch().progress
    computing.push(withShownNames(this.name))
    try {
      return collectsScriptCosts() ? timed(`runtime field [${withShownNames(this.name)}]`, compute) : compute()
    } finally {
      computing.pop()
    }
  }

  #compute(reader: SegmentReader): ComputedDocValues {
    noteScriptRun()
    const { docCount } = reader
    // Nearly all scripts emit one value per document. The rest is the room that a block needs behind its last value.
    const collector = this.#newCollector(docCount + VALUES_MAX, collectorMemory)
    const evaluator = this.#options.open(reader, collector)
    const values = evaluator.computeAll?.(docCount) ?? this.#computeBlocks(reader, evaluator, collector)
    // After an error the memory of the collector is left to the garbage collector.
    collector.release()
    return values
  }

  #computeBlocks(reader: SegmentReader, evaluator: ValueEvaluator, collector: AnyCollector): ComputedDocValues {
    const { docCount } = reader
    let failed: Uint32Array | undefined
    const docs = new Int32Array(Math.min(LARGE_BLOCK_DOCS, docCount))
    let startedMs = performance.now()
    for (let from = 0, size = BLOCK_DOCS; from < docCount; from += size) {
      const nowMs = performance.now()
      size = from > 0 && nowMs - startedMs < FAST_MS ? LARGE_BLOCK_DOCS : BLOCK_DOCS
      startedMs = nowMs
      const count = Math.min(size, docCount - from)
      checkGuard(count / DOCS_PER_STEP)
      if (evaluator.evaluateRange?.(from, count) === true) continue
      fillSequence(docs, from, count)
      for (let at = 0; at < count; ) {
        at += this.#evaluateBlock(evaluator, at === 0 ? docs : docs.subarray(at), count - at, collector)
        if (at === count) break
        if (this.#options.ignoresErrors) this.#evaluate(evaluator, from + at, collector)
        else {
          failed ??= new Uint32Array(wordsFor(docCount))
          setBit(failed, from + at)
        }
        at++
      }
    }
    const failures = failed && this.#failures(reader, failed)
    return computedDocValues(collector, docCount, failures)
  }

  /** Returns the number of documents that succeeded before one failed. */
  #evaluateBlock(evaluator: ValueEvaluator, docs: Int32Array, count: number, collector: AnyCollector): number {
    if (evaluator.evaluateBlock === undefined) {
      for (let i = 0; i < count; i++) if (!this.#evaluate(evaluator, docs[i]!, collector, false)) return i
      return count
    }
    const done = evaluator.evaluateBlock(docs, count)
    if (done < count) {
      const { failure } = evaluator
      // Elasticsearch does not ignore errors of this kind either, and each takes seconds.
      if (!(failure instanceof ApiError) || exceededLimit(failure)) throw failure
      collector.dropDocument()
    }
    return done
  }

  /** Computes the values of a document. Returns false if it failed. If errors are ignored, the values before the error count. */
  #evaluate(
    evaluator: ValueEvaluator,
    doc: number,
    collector: AnyCollector,
    ignoresErrors = this.#options.ignoresErrors,
  ): boolean {
    try {
      evaluator.evaluate(doc)
    } catch (error) {
      if (!(error instanceof ApiError) || exceededLimit(error)) throw error
      if (!ignoresErrors) {
        collector.dropDocument()
        return false
      }
    }
    collector.endDocument()
    return true
  }

  /**
   * The failure of a document is found by computing it again, because storing every failure would take more memory than
   * the values.
   */
  #failures(reader: SegmentReader, docs: Uint32Array): DocFailures {
    const fail = (doc: number): never => {
      noteScriptRun()
      this.#inTurn(() => this.#options.open(reader, this.#newCollector()).evaluate(doc))
      throw new ApiError(500, 'illegal_state_exception', `the script failed for document [${doc}] only once`)
    }
    return { docs, roots: reader.nested?.roots, fail }
  }

  /** As `valuesOf`, where a failure is one even if searches ignore it. */
  strictValuesOf(reader: SegmentReader, doc: number): (KeptValue | EncodedPoint)[] {
    return this.#inTurn(() => this.#valuesOf(reader, doc, false))
  }

  /** The values of one document, ascending, texts with duplicates. */
  valuesOf(reader: SegmentReader, doc: number): (KeptValue | EncodedPoint)[] {
    return this.#inTurn(() => this.#valuesOf(reader, doc))
  }

  /** The values of one document as the script emits them. */
  emittedBy(reader: SegmentReader, doc: number): (KeptValue | EncodedPoint)[] {
    return this.#inTurn(() => this.#valuesOf(reader, doc, this.#options.ignoresErrors, true))
  }

  #valuesOf(
    reader: SegmentReader,
    doc: number,
    ignoresErrors = this.#options.ignoresErrors,
    keepsOrder = false,
  ): (KeptValue | EncodedPoint)[] {
    noteScriptRun()
    const collector = this.#newCollector()
    collector.keepsOrder = keepsOrder
    if ('exact' in collector) collector.exact = []
    const evaluator = this.#options.open(reader, collector)
    if (ignoresErrors) {
      if (!this.#evaluate(evaluator, doc, collector)) return []
    } else {
      evaluator.evaluate(doc)
      collector.endDocument()
    }
    return collectedValues(collector)
  }
}

function fillSequence(docs: Int32Array, from: number, count: number): void {
  for (let i = 0; i < count; i++) docs[i] = from + i
}

function collectedValues(collector: AnyCollector): (KeptValue | EncodedPoint)[] {
  switch (collector.kind) {
    case 'term': {
      const { terms, numbers, isBinary } = collector as TermCollector
      const found = Array.from(numbers.array.subarray(0, numbers.length), (number) =>
        Buffer.from(terms[number]!, isBinary ? 'latin1' : 'utf8'),
      )
      return collector.keepsOrder ? found : found.sort(Buffer.compare)
    }
    case 'geo': {
      const { latitudes, longitudes, exact } = collector as PointCollector
      return Array.from({ length: latitudes.length }, (_, i) => ({
        latitude: latitudes.array[i]!,
        longitude: longitudes.array[i]!,
        exact: exact![i]!,
      }))
    }
    default: {
      const { values } = collector as NumberCollector
      const { longs } = collector as LongCollector
      if (longs !== undefined) return Array.from(longs.array.subarray(0, longs.length))
      return Array.from(values.array.subarray(0, values.length))
    }
  }
}
