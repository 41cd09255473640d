/**
 * The documents of a shard whose vectors are most similar to the vector of a query. Every candidate is compared, so the result is
 * exact whatever the filter leaves.
 */
import { hasBit } from '../../../base/bit-set.ts'
import type { SearchExecutionContext, Weight } from '../../scoring/query.ts'
import { WINDOW_SIZE } from '../../scoring/window.ts'
import type { SegmentView } from '../../segment/segment-reader-api.ts'
import { StoredVectors } from '../../vectors/stored-vectors.ts'
import type { Vector, VectorSpace } from '../../vectors/vector-space.ts'
import { eachMatch } from '../joining/joined-documents.ts'
import { BestDocuments, type NearestDocuments } from './best-documents.ts'
import { BestObjects, eachObject, type NestedVectors } from './nested-neighbours.ts'
import { VectorBlock } from './vector-block.ts'

export interface Neighbourhood {
  /** The name of the doc values. */
  readonly field: string
  readonly space: VectorSpace
  readonly query: Vector
  /** The number of documents to find. */
  readonly most: number
  readonly scoreMin: number
  /** Only these documents are compared, or the objects inside them; undefined for all. */
  readonly filter: Weight | undefined
  /** Of vectors in nested objects. */
  readonly objects: NestedVectors | undefined
}

export function nearestDocuments(context: SearchExecutionContext, wanted: Neighbourhood): NearestDocuments {
  const best = new BestDocuments(wanted.most, wanted.scoreMin)
  for (const segment of context.view.segments) {
    const values = segment.reader.binaryDocValues(wanted.field)
    if (values === undefined) continue
    const stored = new StoredVectors(wanted.space, values)
    const { filter, objects } = wanted
    const ofParents = objects && new BestObjects(segment, objects, best)
    const block = new VectorBlock(stored, wanted.query, (doc, score) => {
      if (ofParents === undefined) best.add(segment.docBase + doc, score)
      else ofParents.add(doc, score)
    })
    const take = (doc: number) => block.add(doc)
    const isWhole =
      objects === undefined
        ? eachDocument(segment, filter, take, context)
        : eachObject(segment, filter, objects, take, context)
    block.finish()
    ofParents?.finish()
    if (!isWhole) break
  }
  return best.sorted()
}

/** Calls back with the live root documents. Returns false if the search is out of time. */
function eachDocument(
  segment: SegmentView,
  filter: Weight | undefined,
  take: (doc: number) => void,
  { guard }: SearchExecutionContext,
): boolean {
  if (filter !== undefined) {
    eachMatch(filter, segment, false, take)
    return true
  }
  const { live, reader } = segment
  const { docCount, nested } = reader
  for (let base = 0; base < docCount; base += WINDOW_SIZE) {
    const limit = Math.min(base + WINDOW_SIZE, docCount)
    for (let doc = base; doc < limit; doc++) {
      const isSeen = (live === undefined || hasBit(live, doc)) && (nested === undefined || hasBit(nested.roots, doc))
      if (isSeen) take(doc)
    }
    if (guard?.isOver(1) === true) return false
  }
  return true
}
