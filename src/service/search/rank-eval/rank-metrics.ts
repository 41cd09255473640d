/** The metrics of `_rank_eval`: how well the hits of a search agree with ratings given by people. */
import { illegalArgument } from '../../../base/api-error.ts'
import type { RequestReader } from '../../../engine/request/request-reader.ts'
import { ACCEPTS_BOOLEAN, ACCEPTS_NUMBER, type MemberParser } from '../../../engine/request/request-reader.ts'
import type { JsonObject } from '../../metadata/metadata.ts'

export interface MetricScore {
  readonly score: number
  /** The member `metric_details`. */
  readonly details: JsonObject
}

export interface RankMetric {
  readonly name: string
  /** The number of hits that the metric examines. */
  readonly size: number
  /**
   * `ratings` has the rating of each hit in order, undefined for an unrated hit; `all` has the ratings of all rated
   * documents.
   */
  evaluate(ratings: readonly (number | undefined)[], all: readonly number[]): MetricScore
}

const DEFAULT_SIZE = 10

/** The members that metrics have, with their defaults. */
interface MetricOptions {
  k: number
  relevant_rating_threshold: number
  ignore_unlabeled: boolean
  normalize: boolean
  unknown_doc_rating: number | undefined
  maximum_relevance: number | undefined
}

interface MetricKind {
  readonly members: readonly (keyof MetricOptions)[]
  /** The word for the metric in the error about a negative threshold. */
  readonly thresholdOf?: string
  make(options: MetricOptions): Pick<RankMetric, 'evaluate'>
}

const KINDS: Readonly<Record<string, MetricKind>> = {
  precision: {
    members: ['relevant_rating_threshold', 'ignore_unlabeled', 'k'],
    thresholdOf: 'precision',
    make: (options) => ({
      evaluate: (ratings) => {
        const relevant = countRelevant(ratings, options)
        const retrieved = options.ignore_unlabeled ? ratings.filter(isRated).length : ratings.length
        const details = { relevant_docs_retrieved: relevant, docs_retrieved: retrieved }
        return { score: retrieved === 0 ? 0 : relevant / retrieved, details }
      },
    }),
  },
  recall: {
    members: ['relevant_rating_threshold', 'k'],
    thresholdOf: 'recall',
    make: (options) => ({
      evaluate: (ratings, all) => {
        const retrieved = countRelevant(ratings, options)
        const relevant = countRelevant(all, options)
        const details = { relevant_docs_retrieved: retrieved, relevant_docs: relevant }
        return { score: relevant === 0 ? 0 : retrieved / relevant, details }
      },
    }),
  },
  mean_reciprocal_rank: {
    members: ['relevant_rating_threshold', 'k'],
    thresholdOf: 'precision',
    make: (options) => ({
      evaluate: (ratings) => {
        const at = ratings.findIndex((rating) => isRelevant(rating, options))
        return { score: at < 0 ? 0 : 1 / (at + 1), details: { first_relevant: at < 0 ? -1 : at + 1 } }
      },
    }),
  },
  dcg: {
    members: ['normalize', 'unknown_doc_rating', 'k'],
    make: ({ normalize, unknown_doc_rating: unknown }) => ({
      evaluate: (ratings, all) => {
        const dcg = discountedGain(ratings.map((rating) => rating ?? unknown))
        const best = [...all].sort((a, b) => b - a).slice(0, ratings.length)
        const ideal = normalize ? discountedGain(best) : 0
        const score = normalize ? (ideal === 0 ? 0 : dcg / ideal) : dcg
        const normalized = ideal === 0 ? {} : { ideal_dcg: ideal, normalized_dcg: dcg / ideal }
        return { score, details: { dcg, ...normalized, unrated_docs: countUnrated(ratings) } }
      },
    }),
  },
  expected_reciprocal_rank: {
    members: ['maximum_relevance', 'unknown_doc_rating', 'k'],
    make: ({ maximum_relevance: maximum, unknown_doc_rating: unknown }) => ({
      evaluate: (ratings) => {
        let notYet = 1
        let score = 0
        for (const [i, given] of ratings.entries()) {
          const rating = given ?? unknown
          if (rating === undefined) continue
          const satisfied = (2 ** rating - 1) / 2 ** maximum!
          score += (notYet * satisfied) / (i + 1)
          notYet *= 1 - satisfied
        }
        return { score, details: { unrated_docs: countUnrated(ratings) } }
      },
    }),
  },
}

export const isMetricName = (name: string): boolean => Object.hasOwn(KINDS, name)

/** Reads the options of a metric; the reader is at the start of their object. */
export function readMetric(reader: RequestReader, name: string): RankMetric {
  const kind = KINDS[name]!
  const options: MetricOptions = {
    k: DEFAULT_SIZE,
    relevant_rating_threshold: 1,
    ignore_unlabeled: false,
    normalize: false,
    unknown_doc_rating: undefined,
    maximum_relevance: undefined,
  }
  const parsers: Record<string, MemberParser> = {}
  for (const member of kind.members) {
    const isFlag = member === 'ignore_unlabeled' || member === 'normalize'
    parsers[member] = {
      accepts: isFlag ? ACCEPTS_BOOLEAN : ACCEPTS_NUMBER,
      parse: () => {
        if (isFlag) options[member] = reader.boolean()
        else (options as unknown as Record<string, number>)[member] = reader.integer()
      },
    }
  }
  // Elasticsearch names the parser of the expected reciprocal rank after another metric.
  reader.parseObject(name === 'expected_reciprocal_rank' ? 'dcg' : name, parsers)
  if (kind.thresholdOf !== undefined && options.relevant_rating_threshold < 0) {
    throw illegalArgument(`Relevant rating threshold for ${kind.thresholdOf} must be positive integer.`)
  }
  if (options.k <= 0) throw illegalArgument('Window size k must be positive.')
  if (name === 'expected_reciprocal_rank' && options.maximum_relevance === undefined) {
    throw illegalArgument('Required [maximum_relevance]')
  }
  return { name, size: options.k, ...kind.make(options) }
}

const isRated = (rating: number | undefined): rating is number => rating !== undefined

const isRelevant = (rating: number | undefined, { relevant_rating_threshold: least }: MetricOptions) =>
  rating !== undefined && rating >= least

const countRelevant = (ratings: readonly (number | undefined)[], options: MetricOptions) =>
  ratings.filter((rating) => isRelevant(rating, options)).length

const countUnrated = (ratings: readonly (number | undefined)[]) => ratings.filter((rating) => !isRated(rating)).length

function discountedGain(ratings: readonly (number | undefined)[]): number {
  let gain = 0
  for (const [i, rating] of ratings.entries()) {
    if (rating !== undefined) gain += (2 ** rating - 1) / (Math.log(i + 2) / Math.LN2)
  }
  return gain
}
