/** A tree of retrievers: leaves are searches, and compound retrievers rank what their children find. */

import type { PinnedDocument } from '../../../engine/query/compound/pinned.ts'
import type { KnnSection } from '../../../engine/query/vectors/knn-section.ts'
import type { Rescore } from '../../../engine/request/rescore.ts'
import type { AfterValue } from '../../../engine/request/search-after.ts'
import type { SortSpec } from '../../../engine/request/sort/sort-spec.ts'
import type { Query } from '../../../engine/scoring/query.ts'
import type { Collapse } from '../request/search-body.ts'

/** The members that all retrievers have. */
export interface RetrieverOptions {
  name: string | undefined
  minScore: number | undefined
  filters: Query[]
}

export interface StandardRetriever {
  readonly kind: 'standard'
  readonly options: RetrieverOptions
  query: Query | undefined
  searchAfter: AfterValue[] | undefined
  terminateAfter: number
  sort: SortSpec[] | undefined
  collapse: Collapse | undefined
}

export interface KnnRetriever {
  readonly kind: 'knn'
  readonly options: RetrieverOptions
  /** The query with these filters. Throws if the numbers of the request contradict each other. */
  readonly queryOf: (filters: readonly Query[], name: string | undefined) => KnnSection
}

export type LeafRetriever = StandardRetriever | KnnRetriever

interface Compound {
  readonly options: RetrieverOptions
  readonly children: readonly Retriever[]
  /** The number of documents that are ranked. */
  readonly window: number
}

/** One text searched in fields, in place of children. */
interface TextForm {
  readonly fields: readonly string[] | undefined
  readonly query: string | undefined
}

export interface RrfRetriever extends Compound, TextForm {
  readonly kind: 'rrf'
  readonly rankConstant: number
}

export type Normalizer = 'none' | 'minmax' | 'l2_norm'

export interface LinearRetriever extends Compound, TextForm {
  readonly kind: 'linear'
  /** By child. */
  readonly weights: readonly number[]
  readonly normalizers: readonly Normalizer[]
  /** That of the text form, and of children without one of their own. */
  readonly normalizer: Normalizer | undefined
}

export interface RescorerRetriever extends Compound {
  readonly kind: 'rescorer'
  readonly rescores: readonly Rescore[]
}

export interface PinnedRetriever extends Compound {
  readonly kind: 'pinned'
  readonly documents: readonly PinnedDocument[]
}

export type CompoundRetriever = RrfRetriever | LinearRetriever | RescorerRetriever | PinnedRetriever
export type Retriever = LeafRetriever | CompoundRetriever

export function isCompound(retriever: Retriever): retriever is CompoundRetriever {
  return retriever.kind !== 'standard' && retriever.kind !== 'knn'
}

/** All queries of a tree, for the documents they look up. */
export function queriesOfRetriever(retriever: Retriever): (Query | undefined)[] {
  const { filters } = retriever.options
  switch (retriever.kind) {
    case 'standard':
      return [retriever.query, ...filters]
    case 'knn':
      return filters
    case 'rescorer':
      return [
        ...filters,
        ...retriever.rescores.map(({ query }) => query),
        ...retriever.children.flatMap(queriesOfRetriever),
      ]
    default:
      return [...filters, ...retriever.children.flatMap(queriesOfRetriever)]
  }
}
