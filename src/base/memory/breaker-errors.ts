/** Errors of requests that would exceed a memory limit. */
import { ApiError } from '../api-error.ts'
import { formatByteSize } from '../byte-size.ts'

/** Whether the memory is freed when requests end, or stays in use. */
export type Durability = 'TRANSIENT' | 'PERMANENT'

interface TooLarge {
  readonly breaker: string
  /** The purpose of the memory: `<http_request>`, `<agg>`. */
  readonly label: string
  readonly wanted: number
  readonly limit: number
  readonly durability: Durability
}

export function dataTooLarge({ breaker, label, wanted, limit, durability }: TooLarge, rest = ''): ApiError {
  return new ApiError(
    429,
    'circuit_breaking_exception',
    `[${breaker}] Data too large, data for [${label}] would be [${shown(wanted)}], which is larger than the limit of ` +
      `[${shown(limit)}]${rest}`,
    { details: { bytes_wanted: wanted, bytes_limit: limit, durability } },
  )
}

/** The process as a whole is over its limit, whatever the request needs. */
export function processTooLarge(
  { label, limit, durability }: Omit<TooLarge, 'breaker' | 'wanted'>,
  realBytes: number,
  newBytes: number,
  usages: readonly (readonly [string, number])[],
): ApiError {
  const listed = usages.map(([name, bytes]) => `${name}=${shown(bytes)}`).join(', ')
  return dataTooLarge(
    { breaker: 'parent', label, wanted: realBytes + newBytes, limit, durability },
    `, real usage: [${shown(realBytes)}], new bytes reserved: [${shown(newBytes)}], usages [${listed}]`,
  )
}

const shown = (bytes: number) => `${bytes}/${formatByteSize(bytes)}`
