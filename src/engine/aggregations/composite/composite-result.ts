/** What shards found for a composite, merged in the order of the keys and cut to the page. */
import type { Bucket } from '../aggregation.ts'
import { type AggregationTree, reduceResults } from '../aggregation-tree.ts'
import type { Printer } from '../printer.ts'
import type { Reduction } from '../reduction.ts'
import { compareValues, type KeyPrinter, type KeyValue } from './key-value.ts'
import type { CompositeSource } from './source-settings.ts'

export interface CompositeBucket extends Bucket {
  readonly values: readonly KeyValue[]
}

export interface CompositeResult {
  readonly printers: readonly KeyPrinter[]
  buckets: readonly CompositeBucket[]
  /** The last key of the page, also when a pipeline leaves its bucket out. */
  readonly afterKey: readonly KeyValue[] | undefined
  /** Of all pages, where it was asked for. */
  readonly total: TotalBuckets | undefined
}

export interface TotalBuckets {
  readonly count: number
  /** The keys as text: several shards may have the same ones. */
  keys(): Iterable<string>
}

/** Order of two values of a source, null where the source puts it. */
function compareParts(source: CompositeSource, a: KeyValue, b: KeyValue): number {
  if (a === null || b === null) {
    if (a === b) return 0
    const first = source.missingOrder === 'default' ? !source.descending : source.missingOrder === 'first'
    return (a === null) === first ? -1 : 1
  }
  return source.descending ? compareValues(b, a) : compareValues(a, b)
}

export function compareComposite(
  sources: readonly CompositeSource[],
  a: readonly KeyValue[],
  b: readonly KeyValue[],
): number {
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
  tree: AggregationTree,
  reduction: Reduction,
): CompositeResult {
  const found = results.filter(({ buckets }) => buckets.length > 0)
  const groups = found.length === 1 ? found[0]!.buckets.map((bucket) => [bucket]) : mergeKeys(found, sources)
  const page = groups.slice(0, size)
  reduction.addBuckets(page.length)
  const buckets = page.map((parts) => ({
    values: parts[0]!.values,
    docCount: parts.reduce((sum, { docCount }) => sum + docCount, 0),
    results: reduceResults(
      tree,
      parts.map((part) => part.results),
      reduction,
    ),
  }))
  const { printers } = found[0] ?? results[0]!
  const afterKey = buckets.at(-1)?.values
  afterKey?.forEach((value, i) => {
    printers[i]!.check?.(value)
  })
  return {
    printers,
    buckets,
    afterKey,
    total: reduceTotals(results),
  }
}

function mergeKeys(results: readonly CompositeResult[], sources: readonly CompositeSource[]): CompositeBucket[][] {
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
  { printers, buckets, afterKey, total }: CompositeResult,
  sources: readonly CompositeSource[],
  tree: AggregationTree,
  printer: Printer,
): Record<string, unknown> {
  const key = (values: readonly KeyValue[]) => {
    const members: Record<string, unknown> = {}
    for (let i = 0; i < sources.length; i++) members[sources[i]!.name] = printers[i]!.print(values[i]!)
    return members
  }
  return {
    total_buckets: total?.count,
    after_key: afterKey === undefined ? undefined : key(afterKey),
    buckets: buckets.map(({ values, docCount, results }) => ({
      key: key(values),
      doc_count: docCount,
      ...printer.results(tree, results),
    })),
  }
}
