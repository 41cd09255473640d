/** Sorting and paging of a list of snapshots: `sort`, `order`, `size`, `after`, `offset`, `from_sort_value`. */
import { illegalArgument } from '../../base/api-error.ts'
import { base64TooShort } from '../../base/errors/value-errors.ts'
import type { SnapshotInfo } from './repository/repository-format.ts'

/** A snapshot and the repository it is in. */
export interface ListedSnapshot {
  readonly repository: string
  readonly info: SnapshotInfo
}

export interface PageRequest {
  readonly sort: string
  readonly isDescending: boolean
  /** The maximum number of snapshots; undefined for all. */
  readonly size: number | undefined
  readonly offset: number
  readonly after: string | undefined
  readonly fromSortValue: string | undefined
}

export interface SnapshotPage {
  readonly snapshots: readonly ListedSnapshot[]
  readonly total: number
  readonly remaining: number
  readonly next: string | undefined
}

const KEYS: Readonly<Record<string, (snapshot: ListedSnapshot) => string | number>> = {
  start_time: ({ info }) => info.startMs,
  name: ({ info }) => info.name,
  duration: ({ info }) => info.endMs - info.startMs,
  index_count: ({ info }) => info.indices.length,
  shard_count: ({ info }) => info.totalShards,
  failed_shard_count: ({ info }) => info.failures.length,
  repository: ({ repository }) => repository,
}

export function checkSortKey(sort: string): void {
  if (!Object.hasOwn(KEYS, sort)) throw illegalArgument(`unknown sort key [${sort}]`)
}

export function pageOf(all: readonly ListedSnapshot[], request: PageRequest): SnapshotPage {
  const key = KEYS[request.sort]!
  const sign = request.isDescending ? -1 : 1
  const order = (a: ListedSnapshot, b: ListedSnapshot) =>
    sign * (compare(key(a), key(b)) || compare(a.info.name, b.info.name) || compare(a.repository, b.repository))
  const { fromSortValue } = request
  const isNumeric = all.length > 0 && typeof key(all[0]!) === 'number'
  const wanted = fromSortValue === undefined ? undefined : isNumeric ? Number(fromSortValue) : fromSortValue
  const counted = [...all].filter((one) => wanted === undefined || sign * compare(key(one), wanted) >= 0).sort(order)
  let from = request.offset
  if (request.after !== undefined) {
    const [value, repository, name] = decodeAfter(request.after)
    const last = { value: isNumeric ? Number(value) : value, repository, name }
    from += counted.filter((one) => {
      const byKey =
        sign *
        (compare(key(one), last.value) || compare(one.info.name, last.name) || compare(one.repository, last.repository))
      return byKey <= 0
    }).length
  }
  const end = request.size === undefined ? counted.length : Math.min(counted.length, from + request.size)
  const snapshots = counted.slice(from, end)
  const last = snapshots.at(-1)
  const remaining = Math.max(0, counted.length - end)
  const next =
    remaining === 0 || last === undefined
      ? undefined
      : Buffer.from(`${key(last)},${last.repository},${last.info.name}`).toString('base64')
  return { snapshots, total: counted.length, remaining, next }
}

function decodeAfter(after: string): [string, string, string] {
  if (after.length < 2) throw base64TooShort()
  const parts = Buffer.from(after, 'base64').toString('utf8').split(',')
  if (parts.length !== 3) throw illegalArgument(`invalid ?after parameter [${after}]`)
  return parts as [string, string, string]
}

const compare = (a: string | number, b: string | number): number => (a < b ? -1 : a > b ? 1 : 0)
