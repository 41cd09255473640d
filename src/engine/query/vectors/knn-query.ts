/** `knn` as a clause: the documents of each shard that are nearest to a vector, scored by their similarity. */
import { illegalArgument } from '../../../base/api-error.ts'
import { storageName } from '../../mapping/storage-name.ts'
import { matchNothing, type Query, type SearchExecutionContext, type Weight } from '../../scoring/query.ts'
import type { ClauseOptions } from '../clause.ts'
import { QueryNode } from '../query-node.ts'
import type { NearestDocuments } from './best-documents.ts'
import { comparedWeight } from './compared-objects.ts'
import { askedOf, foundWeight, type KnnRequest, neighbourSearch, searchedField } from './neighbour-search.ts'

const PAGE_SIZE = 10

export class KnnQuery extends QueryNode {
  override readonly kind = 'knn'
  readonly request: KnnRequest

  constructor(request: KnnRequest, options?: ClauseOptions) {
    super(options)
    this.request = request
  }

  children(): readonly Query[] {
    return this.request.filters
  }

  protected override bind(context: SearchExecutionContext, _scoring: boolean, boost: number): Weight {
    const { k, candidates } = this.request
    const most = k ?? Math.min(context.pageSize ?? PAGE_SIZE, candidates ?? Number.POSITIVE_INFINITY)
    if (most < 1) throw illegalArgument(`k must be at least 1, got: ${most}`)
    if (context.listsObjects === true) return this.#compared(context, boost)
    const search = neighbourSearch(this.request, context, most)
    if (search === undefined) return matchNothing('')
    let found: NearestDocuments | undefined
    return foundWeight(() => (found ??= search()), boost)
  }

  /** Inner hits list all objects with a vector, not only the nearest of a document. */
  #compared(context: SearchExecutionContext, boost: number): Weight {
    const field = searchedField(context, this.request.field)
    const asked = field && askedOf(field, this.request)
    return field === undefined || asked === undefined
      ? matchNothing('')
      : comparedWeight(storageName(field), asked, boost)
  }
}
