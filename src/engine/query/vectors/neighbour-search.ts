/** What a `knn` clause or section asks for, and how a shard answers it. */
import { illegalArgument } from '../../../base/api-error.ts'
import type { FieldType } from '../../mapping/field-type.ts'
import { storageName } from '../../mapping/storage-name.ts'
import { explained, notMatched } from '../../scoring/explanation.ts'
import type { Query, SearchExecutionContext, Weight } from '../../scoring/query.ts'
import { DocListScorer } from '../../scoring/scorers/doc-list-scorer.ts'
import type { SegmentView } from '../../segment/segment-reader-api.ts'
import { scoreOfSimilarity } from '../../vectors/compare-vectors.ts'
import { queryVector } from '../../vectors/read-vector.ts'
import { checkVector, type Vector, type VectorSpace } from '../../vectors/vector-space.ts'
import { BoolQuery } from '../compound/bool.ts'
import type { NearestDocuments } from './best-documents.ts'
import { nearestDocuments } from './nearest-documents.ts'

export interface KnnRequest {
  readonly field: string
  /** Bytes if the request had hexadecimal digits. */
  readonly vector: readonly number[] | Int8Array
  readonly k: number | undefined
  /** `num_candidates`, if it is given. */
  readonly candidates: number | undefined
  /** `similarity`: the least similarity of a neighbour. */
  readonly similarity: number | undefined
  readonly filters: readonly Query[]
}

/** A vector that fits the field, and the least score of its neighbours. */
export interface Asked {
  readonly space: VectorSpace
  readonly query: Vector
  readonly scoreMin: number
}

/** The searched field; undefined if it is not mapped. Throws if it is none of vectors. */
export function searchedField(context: SearchExecutionContext, name: string): FieldType | undefined {
  const field = context.mapping.field(name)
  if (field === undefined) return undefined
  if (field.traits.family !== 'vector') {
    throw illegalArgument('[knn] queries are only supported on [dense_vector] fields')
  }
  if (!field.indexed) {
    throw illegalArgument(`to perform knn search on field [${name}], its mapping must have [index] set to [true]`)
  }
  return field
}

/** Undefined if no document has a vector. */
export function askedOf(field: FieldType, { vector, similarity }: KnnRequest): Asked | undefined {
  const { space } = field
  if (space === undefined) return undefined
  const query = queryVector(space, vector)
  checkVector(space, query)
  const scoreMin = similarity === undefined ? Number.NEGATIVE_INFINITY : scoreOfSimilarity(space, similarity)
  return { space, query, scoreMin: Math.fround(scoreMin) }
}

/**
 * A function that searches the shard for at most `most` documents, or for nested objects of as many documents or objects around
 * them; undefined if no document can have a vector.
 */
export function neighbourSearch(
  request: KnnRequest,
  context: SearchExecutionContext,
  most: number,
): (() => NearestDocuments) | undefined {
  const field = searchedField(context, request.field)
  if (field === undefined) return undefined
  // Filters are about the documents, or the objects, around the objects with vectors.
  const scope = context.nestedScope === undefined ? undefined : context.nestedParent
  const around = { ...context, nestedScope: scope, nestedParent: undefined, listsObjects: false }
  const root = { ...around, nestedScope: undefined }
  const planAll = (queries: readonly Query[], inside: SearchExecutionContext) =>
    queries.length === 0 ? undefined : new BoolQuery({ filter: [...queries] }).plan(inside, false, 1)
  const aliases = context.aliasFilters ?? []
  const isNested = field.nestedPath !== undefined && scope !== undefined
  const filter = planAll(isNested ? request.filters : [...request.filters, ...aliases], around)
  const rootFilter = isNested ? planAll(aliases, root) : undefined
  const asked = askedOf(field, request)
  if (asked === undefined) return undefined
  const objects = field.nestedPath === undefined ? undefined : { path: field.nestedPath, scope, rootFilter }
  return () => nearestDocuments(context, { ...asked, field: storageName(field), most, filter, objects })
}

/** A query that matches the documents found. */
export function foundWeight(documents: () => NearestDocuments, boost: number): Weight {
  return {
    luceneName: 'DocAndScoreQuery',
    looksAhead: true,
    text: () => `DocAndScoreQuery[${documents().docs.length}]`,
    scorer: (segment) => scorerOf(documents(), segment, boost),
    explain(segment, doc) {
      const { docs, scores } = documents()
      const at = docs.indexOf(segment.docBase + doc)
      if (at < 0) return notMatched('not in top k documents')
      return explained(Math.fround(scores[at]! * boost), 'within top k documents')
    },
  }
}

function scorerOf({ docs, scores }: NearestDocuments, { docBase, reader }: SegmentView, boost: number) {
  const limit = docBase + reader.docCount
  const own = Array.from(docs.keys()).filter((at) => docs[at]! >= docBase && docs[at]! < limit)
  if (own.length === 0) return undefined
  own.sort((a, b) => docs[a]! - docs[b]!)
  return new DocListScorer(
    Int32Array.from(own, (at) => docs[at]! - docBase),
    Float32Array.from(own, (at) => scores[at]! * boost),
    reader.nested === undefined,
  )
}
