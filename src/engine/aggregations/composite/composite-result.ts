/** Merges the composite results of shards in key order and cuts them to the page. */
import { typesDiffer } from '../../../base/errors/aggregation-errors.ts'
import type { Aggregation, Bucket } from '../aggregation.ts'
import { type AggregationTree, reduceResults } from '../aggregation-tree.ts'
import type { Printer } from '../results/printer.ts'
import type { Reduction } from '../results/reduction.ts'
import { type BucketLook, WrittenBuckets } from '../results/written-buckets.ts'
import { RowsResult } from './composite-rows.ts'
import { compareValues, type KeyPrinter, type KeyValue, KeyWriter } from './key-value.ts'
import { type CompositeSource, isMissingFirst } from './source-settings.ts'

export interface CompositeBucket extends Bucket {
  readonly values: readonly KeyValue[]
}

export interface CompositeResult {
  readonly printers: readonly KeyPrinter[]
  buckets: readonly CompositeBucket[]
  /** The last key of the page, even if a pipeline removes its bucket. */
  readonly afterKey: readonly KeyValue[] | undefined
  /** The number of buckets on all pages, if requested. */
  readonly total: TotalBuckets | undefined
}

export interface TotalBuckets {
  readonly count: number
  /** The keys as text, because several shards may have the same ones. */
  keys(): Iterable<string>
}

/** Compares two values of a source, with null where the source places it. */
function compareParts(source: CompositeSource, a: KeyValue, b: KeyValue): number {
  if (a === null || b === null) {
    if (a === b) return 0
    return (a === null) === isMissingFirst(source) ? -1 : 1
  }
  return source.descending ? compareValues(b, a) : compareValues(a, b)
}

function compareComposite(sources: readonly CompositeSource[], a: readonly KeyValue[], b: readonly KeyValue[]): number {
  for (let i = 0; i < sources.length; i++) {
    const order = compareParts(sources[i]!, a[i]!, b[i]!)
    if (order !== 0) return order
  }
  return 0
}

export function reduceComposite(
  results: readonly CompositeResult[],
  sources: readonly CompositeSource[],
  size: number,
  { name, children: tree }: Aggregation,
  reduction: Reduction,
): CompositeResult {
  const [only] = results
  if (only instanceof RowsResult && results.length === 1) {
    reduction.addBuckets(only.rows.length)
    checkAfter(only)
    return only
  }
  const found = results.filter(({ buckets }) => buckets.length > 0)
  for (let i = 0; i < sources.length; i++) if (isMixed(found, i)) throw typesDiffer(name)
  const buckets = mergeKeys(found, sources)
    .slice(0, size)
    .map((parts) => reduceBucket(parts, tree, reduction))
  reduction.addBuckets(buckets.length)
  const printers = results[0]!.printers.map((printer, i) => printerOf(found, i) ?? printer)
  const merged = { printers, buckets, afterKey: buckets.at(-1)?.values, total: reduceTotals(results) }
  checkAfter(merged)
  return merged
}

function checkAfter({ printers, afterKey }: CompositeResult): void {
  afterKey?.forEach((value, i) => {
    printers[i]!.check?.(value)
  })
}

/** The printer of a shard that has a value of the source: an index without the field takes it for a keyword. */
function printerOf(results: readonly CompositeResult[], source: number): KeyPrinter | undefined {
  return results.find(({ buckets }) => buckets.some(({ values }) => values[source] !== null))?.printers[source]
}

/** Whether a source has terms on some shards and numbers on others. */
function isMixed(results: readonly CompositeResult[], source: number): boolean {
  const kinds = results.map(({ buckets }) => {
    const value = buckets.find(({ values }) => values[source] !== null)?.values[source]
    return value === undefined ? undefined : value instanceof Uint8Array
  })
  return kinds.includes(true) && kinds.includes(false)
}

function reduceBucket(parts: readonly CompositeBucket[], tree: AggregationTree, reduction: Reduction): CompositeBucket {
  return {
    values: parts[0]!.values,
    docCount: parts.reduce((sum, { docCount }) => sum + docCount, 0),
    results: reduceResults(tree, parts, reduction),
  }
}

function mergeKeys(results: readonly CompositeResult[], sources: readonly CompositeSource[]): CompositeBucket[][] {
  if (results.length === 1) return results[0]!.buckets.map((bucket) => [bucket])
  const all = results.flatMap(({ buckets }) => buckets)
  all.sort((a, b) => compareComposite(sources, a.values, b.values))
  const groups: CompositeBucket[][] = []
  for (const bucket of all) {
    const last = groups.at(-1)
    if (last !== undefined && compareComposite(sources, last[0]!.values, bucket.values) === 0) last.push(bucket)
    else groups.push([bucket])
  }
  return groups
}

function reduceTotals(results: readonly CompositeResult[]): TotalBuckets | undefined {
  const totals = results.flatMap(({ total }) => (total === undefined || total.count === 0 ? [] : [total]))
  if (results[0]!.total === undefined) return undefined
  if (totals.length <= 1) return totals[0] ?? results[0]!.total
  const keys = new Set<string>()
  for (const total of totals) for (const key of total.keys()) keys.add(key)
  return { count: keys.size, keys: () => keys }
}

export function printComposite(
  result: CompositeResult,
  sources: readonly CompositeSource[],
  tree: AggregationTree,
  printer: Printer,
): Record<string, unknown> {
  const { printers, afterKey, total } = result
  const names = sources.map(({ name }) => name)
  const buckets =
    result instanceof RowsResult && result.isUntouched
      ? result.rows.written(names, printers)
      : new WrittenBuckets(result.buckets, keyLook(names, printers), tree, printer)
  const lastKey = afterKey?.map((value, i): [string, unknown] => [names[i]!, printers[i]!.print(value)])
  return { total_buckets: total?.count, after_key: lastKey && Object.fromEntries(lastKey), buckets }
}

function keyLook(names: readonly string[], printers: readonly KeyPrinter[]): BucketLook<CompositeBucket> {
  const keys = new KeyWriter(names, printers)
  return {
    head: ({ values, docCount }, out) => {
      for (let i = 0; i < names.length; i++) keys.write(i, values[i]!, out)
      keys.end(docCount, out)
    },
  }
}
