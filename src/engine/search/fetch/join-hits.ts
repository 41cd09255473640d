/** Inner hits of `has_child` and `has_parent`: the documents on the other side of the relation from a hit. */
import { BoolQuery } from '../../query/compound/bool.ts'
import { HasChildQuery } from '../../query/joining/has-child.ts'
import type { HasParentQuery } from '../../query/joining/has-parent.ts'
import { joinField, ofKinds } from '../../query/joining/join-field.ts'
import { eachMatch } from '../../query/joining/joined-documents.ts'
import { TermQuery } from '../../query/term-level/term.ts'
import type { InnerHitsRequest } from '../../request/inner-hits.ts'
import type { Query, SearchExecutionContext, Weight } from '../../scoring/query.ts'
import type { SegmentView } from '../../segment/segment-reader-api.ts'
import { bindSort } from '../../sort/bind-sort.ts'
import { compareSortValues, type SortKey, type SortValue } from '../../sort/sort-key.ts'
import { matchesDocument } from '../matches-document.ts'
import { planQuery } from '../plan-query.ts'
import type { InnerHit, InnerHits } from './fetched-hit.ts'
import type { FetcherFactory, ObjectFetcher } from './inner-hits.ts'
import { queriesWithName } from './matched-queries.ts'

export type JoinQuery = HasChildQuery | HasParentQuery

interface RankedDocument {
  readonly segment: SegmentView
  readonly doc: number
  readonly score: number
  readonly sort: readonly SortValue[]
}

/** The only side of the relation whose documents have inner hits. */
interface HitKind {
  readonly field: string
  readonly kind: string
}

/** The first term of the document. */
function textOf(segment: SegmentView, field: string, doc: number): string | undefined {
  const terms = segment.reader.sortedSetDocValues(field)
  return terms?.has(doc) ? Buffer.from(terms.term(terms.ordinalAt(terms.start(doc)))).toString() : undefined
}

export class JoinHits {
  readonly #context: SearchExecutionContext
  readonly #name: string
  readonly #request: InnerHitsRequest
  readonly #idField: string
  readonly #only: HitKind | undefined
  readonly #inner: (id: string) => Query
  readonly #keys: readonly SortKey[]
  readonly #fetcher: ObjectFetcher
  readonly #named: readonly { readonly name: string; readonly query: Weight }[]

  /** Undefined where the relation is not mapped: the query has found nothing then. */
  static of(
    context: SearchExecutionContext,
    query: JoinQuery,
    name: string,
    request: InnerHitsRequest,
    fetcherOf: FetcherFactory,
  ): JoinHits | undefined {
    const field = joinField(context.mapping)
    const parent = query instanceof HasChildQuery ? field?.parentOf(query.child) : query.parent
    if (field === undefined || parent === undefined || !field.isParent(parent)) return undefined
    const kind = query instanceof HasChildQuery ? query.child : query.parent
    const idField = field.idField(parent)
    const inner = (id: string) =>
      ofKinds(field, [kind], new BoolQuery({ must: [query.query], filter: [new TermQuery(idField, id)] }))
    // Siblings have the id of the parent, too, but they have no children of its relation.
    const only = query instanceof HasChildQuery ? { field: field.name, kind: parent } : undefined
    return new JoinHits(context, query.query, { name, request, idField, inner, only }, fetcherOf)
  }

  private constructor(
    context: SearchExecutionContext,
    query: Query,
    parts: {
      name: string
      request: InnerHitsRequest
      idField: string
      inner: (id: string) => Query
      only: HitKind | undefined
    },
    fetcherOf: FetcherFactory,
  ) {
    this.#context = context
    this.#name = parts.name
    this.#request = parts.request
    this.#idField = parts.idField
    this.#only = parts.only
    this.#inner = parts.inner
    this.#keys = parts.request.sort === undefined ? [] : bindSort(context, parts.request.sort, 0)
    this.#fetcher = fetcherOf(context, { ...parts.request, query })
    this.#named = queriesWithName([query]).map((one) => ({ name: one.name!, query: planQuery(context, one, false, 1) }))
  }

  of(segment: SegmentView, doc: number): InnerHits {
    const { from, size, trackScores } = this.#request
    const sorted = this.#keys.length > 0
    const scored = size > 0 && (!sorted || trackScores || this.#keys.some((key) => key.needsScores))
    const isOnOtherSide = this.#only === undefined || textOf(segment, this.#only.field, doc) === this.#only.kind
    const id = isOnOtherSide ? textOf(segment, this.#idField, doc) : undefined
    const query = id === undefined ? undefined : planQuery(this.#context, this.#inner(id), scored, 1)
    const ranked = query === undefined ? [] : this.#rank(query, scored)
    return {
      name: this.#name,
      total: ranked.length,
      maxScore: scored && (!sorted || trackScores) ? Math.max(...ranked.map(({ score }) => score)) : Number.NaN,
      hits: ranked.slice(from, from + size).map((found) => this.#hit(found, sorted, query!)),
    }
  }

  #rank(query: Weight, scored: boolean): RankedDocument[] {
    const ranked: RankedDocument[] = []
    for (const segment of this.#context.view.segments) {
      const sources = this.#keys.map((key) => key.segment(segment))
      eachMatch(query, segment, scored, (doc, score) => {
        ranked.push({ segment, doc, score, sort: sources.map((source) => source.value(doc, score)) })
      })
    }
    const byKeys = (a: RankedDocument, b: RankedDocument) => compareSortValues(this.#keys, a.sort, b.sort)
    return ranked.sort(this.#keys.length > 0 ? byKeys : (a, b) => b.score - a.score)
  }

  #hit({ segment, doc, score, sort }: RankedDocument, sorted: boolean, query: Weight): InnerHit {
    return {
      fetched: this.#fetcher.fetch(segment, doc),
      explanation: this.#request.explain ? query.explain(segment, doc) : undefined,
      score: sorted ? Number.NaN : score,
      sort: sorted ? this.#keys.map((key, i) => key.format(sort[i]!)) : undefined,
      matchedQueries: this.#named
        .filter(({ query: named }) => matchesDocument(named, segment, doc))
        .map(({ name }) => name),
    }
  }
}
