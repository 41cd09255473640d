/**
 * `knn`: the documents nearest to a vector, scored by their similarity. As a clause it finds the nearest of each shard. As a
 * section of a search it finds the nearest of all shards: the search collects them first and `choose`s the best.
 */
import { illegalArgument } from '../../../base/api-error.ts'
import { notSupportedYet } from '../../../base/errors/search-errors.ts'
import type { FieldType } from '../../mapping/field-type.ts'
import { storageName } from '../../mapping/storage-name.ts'
import { explained, notMatched } from '../../scoring/explanation.ts'
import { matchNothing, type Query, type SearchExecutionContext, type Weight } from '../../scoring/query.ts'
import { DocListScorer } from '../../scoring/scorers/doc-list-scorer.ts'
import type { SegmentView } from '../../segment/segment-reader-api.ts'
import { scoreOfSimilarity } from '../../vectors/compare-vectors.ts'
import { queryVector } from '../../vectors/read-vector.ts'
import { checkVector } from '../../vectors/vector-space.ts'
import type { ClauseOptions } from '../clause.ts'
import { BoolQuery } from '../compound/bool.ts'
import { QueryNode } from '../query-node.ts'
import { type NearestDocuments, NO_DOCUMENTS, nearestDocuments } from './nearest-documents.ts'

const PAGE_SIZE = 10

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

export class KnnQuery extends QueryNode {
  override readonly kind = 'knn'
  readonly request: KnnRequest
  /** The neighbours on each shard, if they were chosen among those of all shards. */
  #chosen: ReadonlyMap<string, NearestDocuments> | undefined

  constructor(request: KnnRequest, options: ClauseOptions) {
    super(options)
    this.request = request
  }

  children(): readonly Query[] {
    return this.request.filters
  }

  choose(byShard: ReadonlyMap<string, NearestDocuments>): void {
    this.#chosen = byShard
  }

  /** The nearest documents of a shard, at most `most`. Throws if the field has no such vectors. */
  nearest(context: SearchExecutionContext, most: number): NearestDocuments {
    return this.#search(context, most)?.() ?? NO_DOCUMENTS
  }

  protected override bind(context: SearchExecutionContext, _scoring: boolean, boost: number): Weight {
    const { k, candidates } = this.request
    const most = k ?? Math.min(context.pageSize ?? PAGE_SIZE, candidates ?? Number.POSITIVE_INFINITY)
    if (most < 1) throw illegalArgument(`k must be at least 1, got: ${most}`)
    const chosen = this.#chosen?.get(shardKey(context))
    const search = this.#chosen === undefined ? this.#search(context, most) : () => chosen ?? NO_DOCUMENTS
    if (search === undefined) return matchNothing('')
    let found: NearestDocuments | undefined
    const documents = () => (found ??= search())
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

  /** A function that searches the shard; undefined if no document of it can have a vector. */
  #search(context: SearchExecutionContext, most: number): (() => NearestDocuments) | undefined {
    const { vector, similarity, filters } = this.request
    const field = context.mapping.field(this.request.field)
    if (field === undefined) return undefined
    checkSearched(field, context)
    const { space } = field
    const all = [...filters, ...(context.aliasFilters ?? [])]
    const filter = all.length === 0 ? undefined : new BoolQuery({ filter: all }).plan(context, false, 1)
    if (space === undefined) return undefined
    const query = queryVector(space, vector)
    checkVector(space, query)
    const scoreMin = similarity === undefined ? Number.NEGATIVE_INFINITY : scoreOfSimilarity(space, similarity)
    return () =>
      nearestDocuments(context, {
        field: storageName(field),
        space,
        query,
        most,
        scoreMin: Math.fround(scoreMin),
        filter,
      })
  }
}

/** Names the shard of a search among those of other indices. */
export function shardKey({ index, shard }: SearchExecutionContext): string {
  return `${index.uuid}/${shard}`
}

function checkSearched(field: FieldType, context: SearchExecutionContext): void {
  if (field.traits.family !== 'vector')
    throw illegalArgument('[knn] queries are only supported on [dense_vector] fields')
  if (!field.indexed) {
    throw illegalArgument(`to perform knn search on field [${field.name}], its mapping must have [index] set to [true]`)
  }
  if (field.nestedPath !== undefined || context.nestedScope !== undefined)
    throw notSupportedYet('knn in nested objects')
}

function scorerOf({ docs, scores }: NearestDocuments, { docBase, reader }: SegmentView, boost: number) {
  const limit = docBase + reader.docCount
  const own = Array.from(docs.keys()).filter((at) => docs[at]! >= docBase && docs[at]! < limit)
  if (own.length === 0) return undefined
  own.sort((a, b) => docs[a]! - docs[b]!)
  return new DocListScorer(
    Int32Array.from(own, (at) => docs[at]! - docBase),
    Float32Array.from(own, (at) => scores[at]! * boost),
    true,
  )
}
