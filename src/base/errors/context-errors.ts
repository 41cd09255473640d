/** Errors of points in time and scrolls. */
import { ApiError, illegalArgument } from '../api-error.ts'
import { formatDuration } from '../duration.ts'
import { allShardsFailed, type ShardFailure } from './search-errors.ts'
import { badBase64Character, base64TooShort } from './value-errors.ts'

export const contextMissing = (searchId: number) =>
  new ApiError(404, 'search_context_missing_exception', `No search context found for id [${searchId}]`)

/** The index of a shard was deleted, and its files with it. */
export const shardGone = () => withoutReason(503, 'no_shard_available_action_exception')

/** Some of Elasticsearch's errors have a null reason on the wire. */
function withoutReason(status: number, type: string, causedBy?: ApiError): ApiError {
  const error = new ApiError(status, type, '', { causedBy })
  ;(error as { message: unknown }).message = null
  return error
}

export const keepAliveTooLarge = (keepAliveMs: number, limitMs: number) =>
  illegalArgument(
    `Keep alive for request (${formatDuration(keepAliveMs)}) is too large. It must be less than ` +
      `(${formatDuration(limitMs)}). This limit can be set by changing the [search.max_keep_alive] cluster level setting.`,
  )

/** `oldest` describes the scrolls that have been open for the longest time. */
export const tooManyScrolls = (limit: number, oldest: readonly unknown[]) =>
  new ApiError(
    429,
    'too_many_scroll_contexts_exception',
    `Trying to create too many scroll contexts. Must be less than or equal to: [${limit}]. This limit can be set by ` +
      'changing the [search.max_open_scroll_context] setting.',
    {
      help: {
        message:
          'Scrolls stay open until they are cleared or expire. Clear each with DELETE /_search/scroll after its last page, or ' +
          'page with a point in time and search_after. These scrolls have been open for the longest time:',
        oldest_scrolls: oldest,
      },
    },
  )

export const scrollBatchTooLarge = (size: number, limit: number) =>
  illegalArgument(
    `Batch size is too large, size must be less than or equal to: [${limit}] but was [${size}]. Scroll batch sizes ` +
      'cost as much memory as result windows so they are controlled by the [index.max_result_window] index level setting.',
  )

export const tooManySlices = (max: number, limit: number) =>
  illegalArgument(
    `The number of slices [${max}] is too large. It must be less than [${limit}]. This limit can be set by changing ` +
      'the [index.max_slices_per_scroll] index level setting.',
  )

/** A failed scroll. Scrolls identify their shards by number only. */
export function scrollFailure(errors: readonly ApiError[], context?: object): ApiError {
  const failures: ShardFailure[] = errors.map((error) => ({ shard: -1, index: null, node: undefined, error }))
  const error = allShardsFailed(failures)
  return new ApiError(error.status, error.type, error.message, {
    details: { ...error.details, ...(context === undefined ? {} : { context }) },
    causedBy: errors[0],
    rootCauses: errors,
  })
}

/** Elasticsearch's error for an id it cannot decode. It depends on the first byte that does not fit its format. */
export function undecodableId(text: string, kind: 'pit' | 'scroll'): ApiError {
  const problem = readAsForeignId(text, kind)
  if (kind === 'scroll') return illegalArgument('Cannot parse scroll id', problem)
  if (problem.type === 'illegal_argument_exception') return problem
  const reason = problem.message === null ? 'java.io.EOFException' : `java.io.EOFException: ${problem.message}`
  return illegalArgument(reason, problem)
}

function readAsForeignId(text: string, kind: 'pit' | 'scroll'): ApiError {
  const bad = /[^A-Za-z0-9_=-]/.exec(text)
  if (bad !== null) return badBase64Character(bad[0])
  const digits = text.replace(/=+$/, '')
  if (text.length === 1) return base64TooShort()
  if (digits.length % 4 === 1) return illegalArgument('Last unit does not have enough valid bits')
  const bytes = Buffer.from(digits, 'base64url')
  let at = 0
  const readLength = (): number | undefined => {
    let value = 0
    for (let shift = 0; at < bytes.length; shift += 7) {
      const byte = bytes[at++]!
      value += (byte & 0x7f) * 2 ** shift
      if (byte < 0x80 || shift === 28) return value
    }
    return undefined
  }
  // A point-in-time id begins with a version. Both kinds of id then hold the length of the rest.
  if (kind === 'pit' && readLength() === undefined) return endOfFile(null)
  const length = readLength()
  if (length === undefined) return endOfFile(null)
  const left = bytes.length - at
  if (length > left) return endOfFile(`tried to read: ${length} bytes but only ${left} remaining`)
  return left > 2 ? illegalArgument('Not all bytes were read') : endOfFile(null)
}

function endOfFile(reason: string | null): ApiError {
  if (reason !== null) return new ApiError(400, 'e_o_f_exception', reason)
  return withoutReason(400, 'e_o_f_exception', withoutReason(400, 'buffer_underflow_exception'))
}
