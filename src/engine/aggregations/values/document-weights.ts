/**
 * Documents that represent several (`_doc_count`, for pre-aggregated data): bucket counts add their weight, metrics do
 * not.
 *
 * Hardly any index has them. Collectors therefore count every document as one, and if a segment has such documents, an
 * additional child adds the difference.
 */
import { DOC_COUNT_FIELD } from '../../document/field-schema.ts'
import type { NumericDocValues, SegmentView } from '../../segment/segment-reader-api.ts'
import type { SegmentCollector } from '../aggregation.ts'
import { allOf } from '../aggregation-tree.ts'
import type { BucketInts } from '../state/bucket-arrays.ts'

/** The children of a collector with many buckets, plus the corrector of `counts` if documents have weights. */
export function weighed(
  view: SegmentView,
  counts: BucketInts,
  children: SegmentCollector | undefined,
): SegmentCollector | undefined {
  const weights = documentWeights(view)
  if (weights === undefined) return children
  const corrector: SegmentCollector = {
    collect(docs, buckets, count) {
      for (let i = 0; i < count; i++) {
        const more = weights.of(docs[i]!) - 1
        if (more !== 0) counts.add(buckets[i]!, more)
      }
    },
  }
  return children === undefined ? corrector : allOf([corrector, children])
}

export interface DocumentWeights {
  of(doc: number): number
}

/** Undefined if every document of a segment has weight one. */
export function documentWeights({ reader }: SegmentView): DocumentWeights | undefined {
  const docValues = reader.numericDocValues(DOC_COUNT_FIELD)
  return docValues === undefined ? undefined : new DocValuesWeights(docValues)
}

/** The total weight of `docs[from, to)`. */
export function weightOf(weights: DocumentWeights, docs: Int32Array, from: number, to: number): number {
  let sum = 0
  for (let i = from; i < to; i++) sum += weights.of(docs[i]!)
  return sum
}

class DocValuesWeights implements DocumentWeights {
  readonly #docValues: NumericDocValues

  constructor(docValues: NumericDocValues) {
    this.#docValues = docValues
  }

  of(doc: number): number {
    return this.#docValues.has(doc) ? this.#docValues.valueAt(this.#docValues.start(doc)) : 1
  }
}
