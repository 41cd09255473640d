/**
 * A runtime field of one definition: computes its values document by document, keeps them as doc values per segment, and hands
 * out those of single documents without computing the rest.
 */
import { ApiError, illegalArgument } from '../../base/api-error.ts'
import { setBit, wordsFor } from '../../base/bit-set.ts'
import { withShownNames } from '../document/derived-doc-values.ts'
import type { ComputedField } from '../segment/doc-values/computed-field.ts'
import type {
  DocFailures,
  GeoDocValues,
  NumericDocValues,
  SegmentReader,
  SortedSetDocValues,
} from '../segment/segment-reader-api.ts'
import type { GeoPoint } from '../values/geo-point.ts'
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
} from './value-collector.ts'

/** Computes the values of documents of one segment, in ascending order. */
export interface ValueEvaluator {
  /** Adds the document's values. Throws an ApiError where they cannot be computed. */
  evaluate(doc: number): void
  /**
   * Adds the values of `docs[0, count)`, ascending, and gives the number of documents that could be computed: less than `count` where the
   * one after them failed; `failure` then has the error.
   */
  evaluateBlock?(docs: Int32Array, count: number): number
  readonly failure?: unknown
}

export interface RuntimeFieldOptions {
  readonly name: string
  /** `keyword`, `long`, …: decides how values are kept. */
  readonly type: string
  readonly open: (reader: SegmentReader, into: AnyCollector) => ValueEvaluator
  /** `on_script_error: continue`: documents that fail have no value. */
  readonly ignoresErrors: boolean
}

/** A value as doc values hold it. */
export type KeptValue = number | bigint | Uint8Array

/** A point as it is kept, where all other values are single. */
export interface EncodedPoint {
  readonly latitude: number
  readonly longitude: number
  readonly exact: GeoPoint
}

/** Between two looks at the guard. */
const BLOCK_DOCS = 1024
/** Computing the values of a block takes as long as looking at so many windows of documents. */
const STEPS_PER_BLOCK = 8

/** Runtime fields that are being computed, each for the one before. */
const computing: string[] = []
const DEPTH_MAX = 5

export class RuntimeField implements ComputedField {
  readonly name: string
  readonly type: string
  readonly #options: RuntimeFieldOptions

  constructor(options: RuntimeFieldOptions) {
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

  points(reader: SegmentReader): GeoDocValues | undefined {
    return this.type === 'geo_point' ? (this.#docValues(reader) as GeoDocValues) : undefined
  }

  #docValues(reader: SegmentReader): ComputedDocValues {
    this.#checkTurn()
    return keptDocValues(reader, this.name) ?? this.#inTurn(() => this.#compute(reader))
  }

  /** Scripts may read other runtime fields, but not in a circle. */
  #checkTurn(): void {
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
    computing.push(withShownNames(this.name))
    try {
      return compute()
    } finally {
      computing.pop()
    }
  }

  #compute(reader: SegmentReader): ComputedDocValues {
    const { docCount } = reader
    const collector = newCollector(this.type)
    const evaluator = this.#options.open(reader, collector)
    let failed: Uint32Array | undefined
    const docs = new Int32Array(Math.min(BLOCK_DOCS, docCount))
    for (let from = 0; from < docCount; from += BLOCK_DOCS) {
      checkGuard(STEPS_PER_BLOCK)
      const count = Math.min(BLOCK_DOCS, docCount - from)
      for (let i = 0; i < count; i++) docs[i] = from + i
      for (let at = 0; at < count; ) {
        at += this.#evaluateBlock(evaluator, at === 0 ? docs : docs.subarray(at), count - at, collector)
        if (at === count) break
        if (!this.#options.ignoresErrors) {
          failed ??= new Uint32Array(wordsFor(docCount))
          setBit(failed, from + at)
        }
        at++
      }
    }
    const failures = failed && this.#failures(reader, failed)
    const values = computedDocValues(collector, docCount, failures)
    keepDocValues(reader, this.name, values)
    return values
  }

  /** How many documents could be computed before one failed. */
  #evaluateBlock(evaluator: ValueEvaluator, docs: Int32Array, count: number, collector: AnyCollector): number {
    if (evaluator.evaluateBlock === undefined) {
      for (let i = 0; i < count; i++) if (!this.#evaluate(evaluator, docs[i]!, collector, false)) return i
      return count
    }
    const done = evaluator.evaluateBlock(docs, count)
    if (done < count) {
      if (!(evaluator.failure instanceof ApiError)) throw evaluator.failure
      collector.dropDocument()
    }
    return done
  }

  /** False where the document failed, and says so. */
  #evaluate(
    evaluator: ValueEvaluator,
    doc: number,
    collector: AnyCollector,
    ignoresErrors = this.#options.ignoresErrors,
  ): boolean {
    try {
      evaluator.evaluate(doc)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      collector.dropDocument()
      return ignoresErrors
    }
    collector.endDocument()
    return true
  }

  /** The failure of a document is found by computing it once more: keeping one for each would take more than the values. */
  #failures(reader: SegmentReader, docs: Uint32Array): DocFailures {
    const fail = (doc: number): never => {
      this.#inTurn(() => this.#options.open(reader, newCollector(this.type)).evaluate(doc))
      throw new ApiError(500, 'illegal_state_exception', `the script failed for document [${doc}] only once`)
    }
    return { docs, fail }
  }

  /** The values of one document, ascending, texts with duplicates. */
  valuesOf(reader: SegmentReader, doc: number): (KeptValue | EncodedPoint)[] {
    return this.#inTurn(() => this.#valuesOf(reader, doc))
  }

  #valuesOf(reader: SegmentReader, doc: number): (KeptValue | EncodedPoint)[] {
    const collector = newCollector(this.type)
    if ('exact' in collector) collector.exact = []
    const evaluator = this.#options.open(reader, collector)
    if (this.#options.ignoresErrors) {
      if (!this.#evaluate(evaluator, doc, collector)) return []
    } else {
      evaluator.evaluate(doc)
      collector.endDocument()
    }
    return collectedValues(collector)
  }
}

function collectedValues(collector: AnyCollector): (KeptValue | EncodedPoint)[] {
  switch (collector.kind) {
    case 'term': {
      const { terms, numbers, isBinary } = collector as TermCollector
      const found = Array.from(numbers.array.subarray(0, numbers.length), (number) =>
        Buffer.from(terms[number]!, isBinary ? 'latin1' : 'utf8'),
      )
      return found.sort(Buffer.compare)
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
      return (collector as LongCollector).big ?? Array.from(values.array.subarray(0, values.length))
    }
  }
}
