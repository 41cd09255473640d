/**
 * The documents that a compound retriever has ranked, with their scores. Beside them the queries of its children match what
 * they match, without a score, for totals, aggregations, highlights and names.
 */
import { formatFloat } from '../../../base/json/json-writer.ts'
import { type Explanation, notMatched } from '../../scoring/explanation.ts'
import type { Query, SearchExecutionContext, Weight } from '../../scoring/query.ts'
import { DocListScorer } from '../../scoring/scorers/doc-list-scorer.ts'
import type { SegmentView } from '../../segment/segment-reader-api.ts'
import { newOptions } from '../clause.ts'
import { BoolQuery } from '../compound/bool.ts'
import { planBoolean } from '../compound/boolean-plan.ts'
import { QueryNode } from '../query-node.ts'
import { shardKey } from '../vectors/knn-section.ts'

/** A document of a search over several shards, known by its number. */
export interface RankDoc {
  /** `shardKey` of its shard. */
  readonly shard: string
  /** The number of the shard in the search: of equal scores the first shard comes first. */
  readonly position: number
  /** The number of the document in the shard. */
  readonly doc: number
  readonly score: number
  readonly rank: number
  /** The explanation of the score, from those of the children's queries and their names. */
  explain(sources: readonly Explanation[], names: readonly (string | undefined)[]): Explanation
}

/** The least score of a ranked document: with 0 it would count as a document that was not ranked. */
export const LEAST_SCORE = 2 ** -149

export class RankDocsQuery extends QueryNode {
  override readonly kind = 'rank_docs_query'
  readonly docs: readonly RankDoc[]
  /** The queries of the children; none if only the ranked documents matter. */
  readonly sources: readonly Query[]
  /** Whether the other documents of the sources do not match. */
  readonly onlyRanked: boolean

  constructor(docs: readonly RankDoc[], sources: readonly Query[], onlyRanked: boolean, name: string | undefined) {
    super({ ...newOptions(), name })
    this.docs = docs
    this.sources = sources
    this.onlyRanked = onlyRanked
  }

  children(): readonly Query[] {
    return this.sources
  }

  /** Boosts do not act on ranked documents. */
  protected override bind(context: SearchExecutionContext, scoring: boolean, _boost: number): Weight {
    const key = shardKey(context)
    const own = this.docs.filter(({ shard }) => shard === key).sort((a, b) => a.doc - b.doc)
    const names = this.sources.map(({ name }) => name)
    const sources = this.sources.map((source) => source.plan(context, scoring, 1))
    const top = new RankedDocuments(own, sources, names)
    if (sources.length === 0) return top
    const tail = new BoolQuery({ should: this.sources }).plan(context, false, 1)
    const clauses = this.onlyRanked ? { must: [top], should: [] } : { must: [], should: [top] }
    const planned = planBoolean({ ...clauses, filter: [tail], mustNot: [] }, undefined, scoring)
    return {
      scorer: (segment) => planned.scorer(segment),
      words: (visitor) => {
        for (const source of sources) source.words?.(visitor)
      },
      explain: (segment, doc) => top.explain(segment, doc),
      text: () => `RankDocsQuery{rank_docs:${textOf(own)}}`,
      luceneName: 'RankDocsQuery',
      parts: [top, tail],
    }
  }
}

class RankedDocuments implements Weight {
  readonly luceneName = 'TopQuery'
  readonly #docs: readonly RankDoc[]
  readonly #sources: readonly Weight[]
  readonly #names: readonly (string | undefined)[]

  /** `docs` are those of one shard, in ascending order. */
  constructor(docs: readonly RankDoc[], sources: readonly Weight[], names: readonly (string | undefined)[]) {
    this.#docs = docs
    this.#sources = sources
    this.#names = names
  }

  scorer({ docBase, reader }: SegmentView) {
    const limit = docBase + reader.docCount
    const own = this.#docs.filter(({ doc }) => doc >= docBase && doc < limit)
    if (own.length === 0) return undefined
    const docs = Int32Array.from(own, ({ doc }) => doc - docBase)
    const scores = Float32Array.from(own, ({ score }) => Math.max(score, LEAST_SCORE))
    return new DocListScorer(docs, scores, true)
  }

  explain(segment: SegmentView, doc: number): Explanation {
    const found = this.#docs.find((one) => one.doc === segment.docBase + doc)
    if (found === undefined) return notMatched(`doc not found in top ${this.#docs.length} rank docs`)
    return found.explain(
      this.#sources.map((source) => source.explain(segment, doc)),
      this.#names,
    )
  }

  text(): string {
    return `TopQuery{rank_docs:${textOf(this.#docs)}}`
  }
}

function textOf(docs: readonly RankDoc[]): string {
  const texts = docs.map(
    ({ rank, doc, position, score }) =>
      `RankDoc{_rank=${rank}, _doc=${doc}, _shard=${position}, _score=${formatFloat(score)}}`,
  )
  return `[${texts.join(', ')}]`
}
