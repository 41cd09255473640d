/** Pipeline aggregations, computed from the buckets beside or around them. */
import { isList, isObject, type Json, type JsonObject, listOf, member } from './json.ts'

type Buckets = readonly JsonObject[]

/** What a pipeline adds to the buckets of the aggregation it is in, or which of them it keeps. */
const OF_PARENT: { readonly [kind: string]: (buckets: Buckets, body: JsonObject, name: string) => Buckets } = {
  cumulative_sum: (buckets, body, name) => {
    let total = 0
    return buckets.map((bucket) => {
      total += valueAt(bucket, body.buckets_path)
      return { ...bucket, [name]: { value: total } }
    })
  },
  derivative: (buckets, body, name) => differences(buckets, body, name, 1),
  serial_diff: (buckets, body, name) => differences(buckets, body, name, Number(body.lag ?? 1)),
  bucket_sort: (buckets, body) => {
    const sorted = [...buckets]
    const [first] = listOf(body.sort)
    if (isObject(first)) {
      const [[path, options]] = Object.entries(first) as [[string, Json]]
      const sign = member({ options }, 'options').order === 'desc' ? -1 : 1
      sorted.sort((a, b) => sign * (valueAt(a, path) - valueAt(b, path)))
    }
    const from = Number(body.from ?? 0)
    return sorted.slice(from, body.size === undefined ? undefined : from + Number(body.size))
  },
}

function differences(buckets: Buckets, body: JsonObject, name: string, lag: number): Buckets {
  return buckets.map((bucket, i) => {
    const earlier = buckets[i - lag]
    if (earlier === undefined) return bucket
    return { ...bucket, [name]: { value: valueAt(bucket, body.buckets_path) - valueAt(earlier, body.buckets_path) } }
  })
}

const valueAt = (bucket: JsonObject, path: Json | undefined): number =>
  Number(path === '_count' ? bucket.doc_count : member(bucket, String(path)).value)

/** What a pipeline makes of the buckets of the aggregation beside it. */
const OF_SIBLING: { readonly [kind: string]: (buckets: Buckets, values: readonly number[]) => Json } = {
  max_bucket: (buckets, values) => extreme(buckets, values, Math.max(...values)),
  min_bucket: (buckets, values) => extreme(buckets, values, Math.min(...values)),
  sum_bucket: (_, values) => ({ value: sum(values) }),
  avg_bucket: (_, values) => ({ value: values.length === 0 ? null : sum(values) / values.length }),
  stats_bucket: (_, values) =>
    values.length === 0
      ? { count: 0, min: null, max: null, avg: null, sum: 0 }
      : {
          count: values.length,
          min: Math.min(...values),
          max: Math.max(...values),
          avg: sum(values) / values.length,
          sum: sum(values),
        },
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

function extreme(buckets: Buckets, values: readonly number[], best: number): Json {
  if (values.length === 0) return { value: null, keys: [] }
  const text = ({ key, key_as_string }: JsonObject) => String(key_as_string ?? key)
  return { value: best, keys: buckets.filter((_, i) => values[i] === best).map(text) }
}

export const isPipeline = (kind: string): boolean => kind in OF_PARENT || kind in OF_SIBLING

const kindOf = (definition: Json): [string, Json] =>
  Object.entries(definition as JsonObject).find(([key]) => key !== 'aggs' && key !== 'meta')!

/** The result of an aggregation after the pipelines in it. */
export function withPipelines(result: Json, below: JsonObject): Json {
  if (!isObject(result) || !isList(result.buckets)) return result
  let buckets = result.buckets as Buckets
  for (const [name, definition] of Object.entries(below)) {
    const [kind, body] = kindOf(definition)
    buckets = OF_PARENT[kind]?.(buckets, body as JsonObject, name) ?? buckets
  }
  return { ...result, buckets }
}

/** The results of the pipelines beside the aggregations of `results`. */
export function siblingPipelines(aggs: JsonObject, results: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(aggs).flatMap(([name, definition]) => {
      const [kind, body] = kindOf(definition)
      const compute = OF_SIBLING[kind]
      if (compute === undefined) return []
      const [sibling, path] = String((body as JsonObject).buckets_path).split('>') as [string, string]
      const buckets = (member(results, sibling).buckets ?? []) as Buckets
      return [
        [
          name,
          compute(
            buckets,
            buckets.map((bucket) => valueAt(bucket, path)),
          ),
        ],
      ]
    }),
  )
}
