/**
 * Errors of aggregations: fields and trees that an aggregation does not support, and the limits that protect the
 * process.
 */
import { ApiError, illegalArgument } from '../api-error.ts'

const BUCKETS_SETTING = 'This limit can be set by changing the [search.max_buckets] cluster level setting.'

/**
 * The reduction produced more buckets than allowed. `asked` is the number of buckets when the request itself names it.
 */
export const tooManyBuckets = (limit: number, asked?: number) =>
  new ApiError(
    400,
    'too_many_buckets_exception',
    `Trying to create too many buckets. Must be less than or equal to: [${limit}] but ` +
      `${asked === undefined ? 'this number of buckets was exceeded' : `was [${asked}]`}. ${BUCKETS_SETTING}`,
    { details: { max_buckets: limit } },
  )

export const fieldNotSupported = (field: string, type: string, kind: string) =>
  illegalArgument(`Field [${field}] of type [${type}] is not supported for aggregation [${kind}]`)

/** A collection would hold more bytes than searches may use. */
export const aggregationTooLarge = (bytes: number, limit: number) =>
  new ApiError(
    429,
    'circuit_breaking_exception',
    `[request] Data too large, data for [<agg>] would be [${bytes}/${megabytes(bytes)}], which is larger than the limit ` +
      `of [${limit}/${megabytes(limit)}]`,
    { details: { bytes_wanted: bytes, bytes_limit: limit, durability: 'TRANSIENT' } },
  )

const megabytes = (bytes: number): string => `${Math.floor((bytes / (1 << 20)) * 10) / 10}mb`

/** The terms of one index cannot be compared with the numbers of another. */
export const typesDiffer = (name: string) =>
  illegalArgument(
    `Merging/Reducing the aggregations failed when computing the aggregation [${name}] because the field you gave in the ` +
      'aggregation query existed as two different types in two different indices',
  )

/** A `top_hits` aggregation requests zero hits. */
export const noHitsToCollect = (isSorted = false) => {
  const collector = isSorted ? 'TotalHitCountCollector' : 'TotalHitCountCollectorManager'
  return illegalArgument(`numHits must be > 0; please use ${collector} if you just need the total hit count`)
}

/** A failure while merging shard results does not belong to any shard. */
export const reductionFailed = (error: ApiError) =>
  new ApiError(error.status, 'search_phase_execution_exception', '', {
    details: { phase: 'fetch', grouped: true, failed_shards: [] },
    causedBy: error,
    rootCauses: [],
  })

export const fieldOrScript = () =>
  illegalArgument('[field] and [script] cannot both be null.  Please specify one or the other.')

export const negativeCompression = (found: unknown) =>
  illegalArgument(`[compression] must be greater than or equal to 0. Found [${found}]`)

export const negativeMember = (member: string, found: unknown, name: string) =>
  illegalArgument(`[${member}] must be greater than or equal to 0. Found [${found}] in [${name}]`)

export const sourceIntervalTooSmall = () => illegalArgument('[interval] must be greater than 0 for [histogram] source')

const NEEDS_A_NUMBER = 'buckets_path must reference either a number value or a single value numeric metric aggregation'

/** A pipeline's path that leads to something without a number. */
export const notANumber = (found: string, name: string) =>
  illegalArgument(`${NEEDS_A_NUMBER}, got: [${found}] at aggregation [${name}]`)

/** A pipeline's path that leads to several numbers and does not say which. */
export const severalNumbers = (name: string) =>
  illegalArgument(`${NEEDS_A_NUMBER}, but [${name}] contains multiple values. Please specify which to use.`)
