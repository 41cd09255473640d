/**
 * `knn` as a section of a search: the documents of all shards that are nearest to a vector. The search collects them first and
 * `choose`s the best. A document with vectors in nested objects is as near as the nearest of its objects.
 */
import type { Mapping } from '../../mapping/mapping-api.ts'
import type { InnerHitsRequest } from '../../request/inner-hits.ts'
import type { Query, SearchExecutionContext, Weight } from '../../scoring/query.ts'
import type { ClauseOptions } from '../clause.ts'
import { NestedQuery } from '../nested/nested.ts'
import { QueryNode } from '../query-node.ts'
import { type NearestDocuments, NO_DOCUMENTS } from './best-documents.ts'
import { KnnQuery } from './knn-query.ts'
import { foundWeight, type KnnRequest, neighbourSearch } from './neighbour-search.ts'

export class KnnSection extends QueryNode {
  override readonly kind = 'knn'
  readonly request: KnnRequest & { readonly k: number }
  readonly innerHits: InnerHitsRequest | undefined
  /** The neighbours on each shard, once they were chosen among those of all shards. */
  #chosen: ReadonlyMap<string, NearestDocuments> | undefined

  constructor(
    request: KnnRequest & { readonly k: number },
    options: ClauseOptions,
    innerHits: InnerHitsRequest | undefined,
  ) {
    super(options)
    this.request = request
    this.innerHits = innerHits
  }

  children(): readonly Query[] {
    return this.request.filters
  }

  choose(byShard: ReadonlyMap<string, NearestDocuments>): void {
    this.#chosen = byShard
  }

  /** The nearest documents of a shard, or their objects. Throws if the field has no such vectors. */
  nearest(context: SearchExecutionContext): NearestDocuments {
    return neighbourSearch(this.request, context, this.request.k)?.() ?? NO_DOCUMENTS
  }

  /** The query whose inner hits are those of the section; undefined if the vectors are not in nested objects. */
  objects(mapping: Mapping): NestedQuery | undefined {
    const path = mapping.field(this.request.field)?.nestedPath
    if (path === undefined || this.innerHits === undefined) return undefined
    return new NestedQuery(path, new KnnQuery(this.request), { innerHits: this.innerHits })
  }

  protected override bind(context: SearchExecutionContext, scoring: boolean, boost: number): Weight {
    let found: NearestDocuments | undefined
    const documents = () => (found ??= this.#chosen?.get(shardKey(context)) ?? this.nearest(context))
    const path = context.mapping.field(this.request.field)?.nestedPath
    if (path === undefined) return foundWeight(documents, boost)
    return new NestedQuery(path, new FoundObjects(documents), { scoreMode: 'max' }).plan(context, scoring, boost)
  }
}

class FoundObjects extends QueryNode {
  override readonly kind = 'knn'
  readonly #documents: () => NearestDocuments

  constructor(documents: () => NearestDocuments) {
    super()
    this.#documents = documents
  }

  protected override bind(_context: SearchExecutionContext, _scoring: boolean, boost: number): Weight {
    return foundWeight(this.#documents, boost)
  }
}

/** Names the shard of a search among those of other indices. */
export function shardKey({ index, shard }: SearchExecutionContext): string {
  return `${index.uuid}/${shard}`
}
