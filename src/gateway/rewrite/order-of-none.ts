/**
 * Buckets in descending order of a metric that has no value in some buckets, such as the average of no values.
 * Elasticsearch puts these buckets first, OpenSearch last. The rewrite adds a second metric that is smallest for
 * buckets with values, and sorts by it first.
 */
import type { JsonObject } from '../../service/metadata/metadata.ts'
import { aggregationsOf, amendAggregations, changeAggregations, withAggregations } from './agg-tree.ts'
import { isObject } from './field-types.ts'
import { notInCluster } from './not-in-cluster.ts'
import type { Rewrite, SearchScope } from './search-rewrite.ts'

/** The beginning of the names of the added aggregations. */
export const NONE_SCRIPT = '_sandpiper_none_'

const ORDERED: ReadonlySet<string> = new Set(['terms', 'histogram', 'date_histogram'])
/** Metrics that have no value over no documents. In both servers all other metrics are then infinite or 0. */
const WITHOUT_VALUE: ReadonlySet<string> = new Set([
  'avg',
  'stats',
  'extended_stats',
  'percentiles',
  'percentile_ranks',
  'median_absolute_deviation',
  'weighted_avg',
])
/** Members of statistics that have a value even over no documents. */
const ALWAYS: ReadonlySet<string> = new Set(['count', 'min', 'max', 'sum', 'sum_of_squares'])

export const orderOfNone: Rewrite = (request, scope) => {
  const aggregations = aggregationsOf(request)
  if (aggregations === undefined) return undefined
  const changed = changeAggregations(aggregations, ({ kind, options, definition }) => {
    if (!ORDERED.has(kind) || options['order'] === undefined) return undefined
    let tree = definition
    const markers: (readonly string[])[] = []
    const order = [options['order']].flat().flatMap((key) => {
      const [path, direction] = isObject(key) ? (Object.entries(key)[0] ?? []) : []
      if (path === undefined || String(direction).toLowerCase() !== 'desc') return [key]
      const marker = markerOf(path, tree, scope)
      if (marker === undefined) return [key]
      tree = marker.definition
      markers.push(marker.path)
      return [{ [marker.path.join('>')]: 'desc' }, key]
    })
    if (markers.length === 0) return undefined
    return {
      definition: { ...tree, [kind]: { ...options, order } },
      amend(result) {
        for (const bucket of bucketsOf(result)) for (const path of markers) remove(bucket, path)
        return result
      },
    }
  })
  if (changed === undefined) return undefined
  return {
    request: withAggregations(request, changed.aggregations),
    amend: (answer) => amendAggregations(answer, changed),
  }
}

interface Marker {
  /** Names of the aggregations from the bucket to the added one. */
  readonly path: readonly string[]
  /** The aggregation with the added one in it. */
  readonly definition: JsonObject
}

/** The added metric that is sorted by before the one at `text`; undefined if that always has a value. */
function markerOf(text: string, definition: JsonObject, scope: SearchScope): Marker | undefined {
  const around = text.split('>')
  const last = around.pop()!
  const member = definition['aggs'] === undefined ? 'aggregations' : 'aggs'
  const group = definition[member]
  if (!isObject(group)) return undefined
  const [first, ...rest] = around
  if (first !== undefined) {
    const inner = group[first]
    const found = isObject(inner) ? markerOf([...rest, last].join('>'), inner, scope) : undefined
    if (found === undefined) return undefined
    return {
      path: [first, ...found.path],
      definition: { ...definition, [member]: { ...group, [first]: found.definition } },
    }
  }
  const name = Object.hasOwn(group, last) ? last : last.replace(/(\.[^.]*|\[[^\]]*\])$/, '')
  const metric = group[name]
  const kind = isObject(metric) ? Object.keys(metric).find((key) => WITHOUT_VALUE.has(key)) : undefined
  const options = kind === undefined ? undefined : (metric as JsonObject)[kind]
  if (kind === undefined || !isObject(options)) return undefined
  const value = last.slice(name.length).replace(/^[.[]|\]$/g, '')
  if (/stats$/.test(kind) && ALWAYS.has(value)) return undefined
  const { field, missing } = options
  // A script gives a value for each document.
  if (field === undefined && options['script'] !== undefined) return undefined
  // Samples of one value and weights of 0 have no value either.
  if (typeof field !== 'string' || value.includes('sampling') || !scope.hasScripts)
    throw notInCluster(`a descending order by [${text}], which may have no value,`)
  const min = { field, ...(missing === undefined ? {} : { missing }), script: { source: '0' } }
  const added = `${NONE_SCRIPT}${name}`
  return { path: [added], definition: { ...definition, [member]: { ...group, [added]: { min } } } }
}

function bucketsOf({ buckets }: JsonObject): JsonObject[] {
  return (Array.isArray(buckets) ? buckets : isObject(buckets) ? Object.values(buckets) : []).filter(isObject)
}

function remove(container: JsonObject, [name, ...rest]: readonly string[]): void {
  // With `typed_keys` a name follows its type.
  const key = Object.keys(container).find((member) => member === name || member.endsWith(`#${name}`))
  if (key === undefined) return
  if (rest.length === 0) delete container[key]
  else if (isObject(container[key])) remove(container[key], rest)
}
