/** `bucket_sort`: sorts the buckets of its parent and keeps a part of them. */
import { illegalArgument } from '../../../base/api-error.ts'
import { END_OBJECT, START_ARRAY, START_OBJECT, STRING } from '../../../base/json/json-reader.ts'
import { ACCEPTS_NUMBER, ACCEPTS_STRING, type RequestReader } from '../../request/request-reader.ts'
import type { Aggregation, Bucket } from '../aggregation.ts'
import type { PipelineKind } from '../aggregation-kind.ts'
import type { AggregationTree } from '../aggregation-tree.ts'
import { compareTerms } from '../values/global-ordinals.ts'
import { type BucketPath, bucketValue, type GapPolicy, parseBucketPath, startsKnown } from './bucket-path.ts'
import type { PipelineAggregation } from './pipeline.ts'
import { readPolicy, unexpected } from './pipeline-grammar.ts'

interface SortRule {
  readonly path: BucketPath
  readonly descending: boolean
}

interface Options {
  sorts: SortRule[]
  from: number
  size: number | undefined
  policy: GapPolicy
}

class BucketSort implements PipelineAggregation<never> {
  readonly kind = 'bucket_sort'
  readonly name: string
  readonly meta: PipelineAggregation['meta']
  readonly #options: Options

  constructor(name: string, meta: PipelineAggregation['meta'], options: Options) {
    this.name = name
    this.meta = meta
    this.#options = options
  }

  get paths(): readonly BucketPath[] {
    return this.#options.sorts.map(({ path }) => path)
  }

  problem(parent: Aggregation | undefined, siblings: AggregationTree): string | string[] | undefined {
    const { sorts, from, size } = this.#options
    for (const { path } of sorts) {
      if (!startsKnown(path, siblings)) return `No aggregation found for path [${path.text}]`
    }
    const problems: string[] = []
    if (parent === undefined) {
      problems.push(`bucket_sort aggregation [${this.name}] must be declared inside of another aggregation`)
    }
    if (sorts.length === 0 && size === undefined && from === 0) {
      problems.push(
        `[${this.name}] is configured to perform nothing. Please set either of [sort, size, from] to use bucket_sort`,
      )
    }
    return problems
  }

  within(tree: AggregationTree, buckets: readonly Bucket[]): readonly Bucket[] {
    const { sorts, from, size = buckets.length } = this.#options
    if (sorts.length === 0) return buckets.slice(from, from + size)
    const rows = buckets.map((bucket) => ({ bucket, values: sorts.map((sort) => this.#value(tree, bucket, sort)) }))
    const valued = rows.filter(({ values }) => values.some((value) => value !== undefined))
    valued.sort((a, b) => {
      for (const [i, sort] of sorts.entries()) {
        const order = compare(a.values[i], b.values[i], sort.descending)
        if (order !== 0) return order
      }
      return 0
    })
    return valued.slice(from, from + size).map(({ bucket }) => bucket)
  }

  /** Undefined if a bucket has no sort value. */
  #value(tree: AggregationTree, bucket: Bucket, { path }: SortRule): unknown {
    if (path.text === '_key') return (bucket as { key?: unknown }).key
    const value = bucketValue(tree, bucket, path, this.#options.policy)
    return value === undefined || Number.isNaN(value) ? undefined : value
  }

  print(): Record<string, unknown> {
    return {}
  }

  typedName(): string {
    return this.kind
  }

  value(): undefined {
    return undefined
  }
}

/** Buckets without a value come last in either direction. */
function compare(a: unknown, b: unknown, descending: boolean): number {
  if (a === undefined || b === undefined) return a === b ? 0 : a === undefined ? 1 : -1
  const order =
    a instanceof Uint8Array && b instanceof Uint8Array
      ? compareTerms(a, b)
      : (a as number) < (b as number)
        ? -1
        : (a as number) > (b as number)
          ? 1
          : 0
  return descending ? -order : order
}

export const bucketSortKind: PipelineKind = {
  name: 'bucket_sort',
  parse(reader, name) {
    const options: Options = { sorts: [], from: 0, size: undefined, policy: 'skip' }
    reader.parseObject('bucket_sort', {
      sort: {
        accepts: [START_ARRAY, START_OBJECT, STRING],
        parse: () => reader.each(() => options.sorts.push(...readSort(reader))),
      },
      from: { accepts: ACCEPTS_NUMBER, parse: () => void (options.from = checkFrom(reader.integer())) },
      size: { accepts: ACCEPTS_NUMBER, parse: () => void (options.size = checkSize(reader.integer())) },
      gap_policy: { accepts: ACCEPTS_STRING, parse: () => void (options.policy = readPolicy(reader)) },
    })
    return (meta) => new BucketSort(name, meta, options)
  },
}

function checkFrom(from: number): number {
  if (from < 0) throw illegalArgument(`[from] must be a non-negative integer: [${from}]`)
  return from
}

function checkSize(size: number): number {
  if (size <= 0) throw illegalArgument(`[size] must be a positive integer: [${size}]`)
  return size
}

/** `"path"`, `{"path": "desc"}` or `{"path": {"order": "desc"}}`. */
function readSort(reader: RequestReader): SortRule[] {
  if (reader.token === STRING) return [{ path: parseBucketPath(reader.text()), descending: false }]
  if (reader.token !== START_OBJECT)
    throw unexpected(reader, 'sort', reader.token === START_ARRAY ? 'sort' : reader.name)
  const rules: SortRule[] = []
  while (reader.next() !== END_OBJECT) {
    const path = parseBucketPath(reader.name)
    reader.next()
    rules.push({ path, descending: readDirection(reader) === 'desc' })
  }
  return rules
}

function readDirection(reader: RequestReader): string {
  let direction = 'asc'
  if (reader.token === STRING) direction = reader.text().toLowerCase()
  else
    while (reader.next() !== END_OBJECT) {
      const member = reader.name
      reader.next()
      if (member === 'order') direction = reader.text().toLowerCase()
    }
  if (direction === 'asc' || direction === 'desc') return direction
  throw illegalArgument(`Unknown SortOrder [${direction}]`)
}
