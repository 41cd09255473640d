/**
 * Ranks hits whose order is that of the documents in their segments: a sort by the index sort, or by its first fields.
 * The first matches of a segment are then its best, and once there are enough of them the rest only has to be counted.
 * A page that continues after a hit starts at the next document.
 */
import type { FieldType } from '../../mapping/field-type.ts'
import type { SortSpec } from '../../request/sort/sort-spec.ts'
import type { SearchExecutionContext } from '../../scoring/query.ts'
import type { IndexSortField } from '../../segment/index-sort.ts'
import { AfterFilter } from '../../sort/search-after.ts'
import { fillKeys, type HitRanking, type RankingOptions, type ShardHit, strideOf } from './hit-ranking.ts'

/** Whether documents are in the order of the sort. */
export function isIndexOrder(
  { mapping }: SearchExecutionContext,
  sort: readonly SortSpec[] | undefined,
  indexSort: readonly IndexSortField[],
): boolean {
  if (sort === undefined || indexSort.length === 0) return false
  // The document order may follow the fields, because it breaks ties anyway.
  const fields = sort.findIndex((spec) => spec.kind !== 'field')
  const count = fields < 0 ? sort.length : fields
  if (count === 0 || count > indexSort.length) return false
  if (!sort.slice(count).every((spec) => (spec.kind === 'doc' || spec.kind === 'shard_doc') && !spec.descending))
    return false
  return sort.slice(0, count).every((spec, i) => isSame(spec, indexSort[i]!, (name) => mapping.field(name)))
}

function isSame(spec: SortSpec, own: IndexSortField, fieldOf: (name: string) => FieldType | undefined): boolean {
  if (spec.kind !== 'field' || spec.nested !== undefined || spec.numericType !== undefined) return false
  const field = fieldOf(spec.field)
  const missing = spec.missing ?? '_last'
  return (
    field !== undefined &&
    field === fieldOf(own.field) &&
    spec.descending === own.descending &&
    (spec.mode ?? (spec.descending ? 'max' : 'min')) === own.mode &&
    missing === (own.missingFirst ? '_first' : '_last')
  )
}

export class IndexOrderRanking implements HitRanking {
  readonly #inner: HitRanking
  readonly #options: RankingOptions
  #firstDoc = 0
  /** Hits of the segment so far; -1 if its documents are not all in order. */
  #found = 0

  constructor(inner: HitRanking, options: RankingOptions) {
    this.#inner = inner
    this.#options = options
  }

  begin(segment: number): void {
    this.#inner.begin(segment)
    const { segments, after } = this.#options
    // Nested objects have none of the values and are stored between the documents that do.
    const isInOrder = segments[segment]!.reader.nested === undefined
    this.#found = isInOrder || after === undefined ? 0 : -1
    this.#firstDoc = isInOrder && after !== undefined ? this.#firstBehind(segment) : 0
  }

  /** The first document after the values with which the previous page ended. */
  #firstBehind(segment: number): number {
    const { segments, sources, after } = this.#options
    const own = sources[segment]!
    const stride = strideOf(own)
    const bound = new AfterFilter(own, after!, stride)
    const doc = new Int32Array(1)
    let low = 0
    let high = segments[segment]!.reader.docCount
    while (low < high) {
      const middle = (low + high) >>> 1
      doc[0] = middle
      if (bound.isBehind(fillKeys(own, stride, doc, 1, middle, NO_SCORES))) high = middle
      else low = middle + 1
    }
    return low
  }

  get firstDoc(): number {
    return this.#firstDoc
  }

  get floor(): number {
    return this.#inner.floor
  }

  get order(): readonly number[] | undefined {
    return this.#inner.order
  }

  collect(docs: Int32Array, count: number, base: number, scores: Float32Array): void {
    let first = 0
    while (first < count && docs[first]! < this.#firstDoc) first++
    const left = this.#found < 0 ? count : Math.min(count - first, this.#options.window - this.#found)
    if (left <= 0) return
    if (first > 0) docs.copyWithin(0, first, first + left)
    if (this.#found >= 0) this.#found += left
    this.#inner.collect(docs, left, base, scores)
  }

  canWin(base: number, limit: number): boolean {
    if (this.#found >= this.#options.window || limit <= this.#firstDoc) return false
    return this.#inner.canWin(base, limit)
  }

  end(): void {
    this.#inner.end()
  }

  hits(skip: number): ShardHit[] {
    return this.#inner.hits(skip)
  }
}

const NO_SCORES = new Float32Array(0)
