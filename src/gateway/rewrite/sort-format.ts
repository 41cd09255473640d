/**
 * Values of a sort, also that of `top_hits`: `format` of dates, which OpenSearch does not have, the value of missing booleans, and values of
 * `search_after` outside of the field's type, with which OpenSearch begins anew at the first document.
 */
import type { JsonObject } from '../../service/metadata/metadata.ts'
import { parseNanos, printNanos } from '../../service/search/date-values.ts'
import { aggregationsOf, amendAggregations, changeAggregations, withAggregations } from './agg-tree.ts'
import { hitsOf } from './answer-tree.ts'
import { isObject } from './field-types.ts'
import type { Rewrite, SearchScope } from './search-rewrite.ts'

/** How one value of a sort is changed on its way to the cluster and back. */
interface ValueChange {
  readonly item: unknown
  toCluster(value: unknown): unknown
  fromCluster(value: unknown): unknown
}

const INT_MAX = 2_147_483_647
const INT_MIN = -2_147_483_648
const LONG_MAX = 9_223_372_036_854_775_807n
const LONG_MIN = -9_223_372_036_854_775_808n
const NANOS_PER_MS = 1_000_000n
/** Types whose sort values OpenSearch reads as 32-bit integers. */
const SMALL_TYPES: ReadonlySet<unknown> = new Set(['integer', 'short', 'byte'])

export const sortFormat: Rewrite = (request, scope) => {
  const own = changedSort(request, scope)
  const aggregations = aggregationsOf(request)
  const changed =
    aggregations &&
    changeAggregations(aggregations, ({ kind, options, definition }) => {
      const inner = kind === 'top_hits' ? changedSort(options, scope) : undefined
      return inner && { definition: { ...definition, top_hits: inner.searched }, amend: inner.amend }
    })
  if (own === undefined && changed === undefined) return undefined
  const searched = own?.searched ?? request
  return {
    request: changed === undefined ? searched : withAggregations(searched, changed.aggregations),
    amend(answer) {
      const amended = own?.amend(answer) ?? answer
      return changed === undefined ? amended : amendAggregations(amended, changed)
    },
  }
}

/** A search or `top_hits` with another sort, and the change of its hits; undefined when its sort stays. */
function changedSort(
  searched: JsonObject,
  scope: SearchScope,
): { readonly searched: JsonObject; amend(found: JsonObject): JsonObject } | undefined {
  const given = searched['sort']
  if (given === undefined) return undefined
  const sort = Array.isArray(given) ? given : [given]
  const after = Array.isArray(searched['search_after']) ? searched['search_after'] : undefined
  const changes = sort.map((item) => changeOf(item, scope))
  const isChanged = changes.some(
    (change, i) => change !== undefined && (after !== undefined || change.item !== sort[i] || isVisible(change)),
  )
  if (!isChanged) return undefined
  return {
    searched: {
      ...searched,
      sort: sort.map((item, i) => changes[i]?.item ?? item),
      ...(after === undefined
        ? {}
        : { search_after: after.map((value, i) => (changes[i] === undefined ? value : changes[i].toCluster(value))) }),
    },
    amend(found) {
      for (const hit of hitsOf(found)) {
        const values = hit['sort']
        if (!Array.isArray(values)) continue
        hit['sort'] = values.map((value, i) => (changes[i] === undefined ? value : changes[i].fromCluster(value)))
      }
      return found
    },
  }
}

const isVisible = ({ fromCluster }: ValueChange) => fromCluster !== same

function changeOf(given: unknown, scope: SearchScope): ValueChange | undefined {
  const name = typeof given === 'string' ? given : isObject(given) ? Object.keys(given)[0] : undefined
  if (name === undefined || name.startsWith('_')) return undefined
  const options = isObject(given) ? given[name] : undefined
  const field = scope.field(name)
  const item = withNanosMissing(given, name, options, field)
  const format = isObject(options) ? options['format'] : undefined
  if (isObject(options) && typeof format === 'string') {
    const { format: _, ...rest } = isObject(item) ? (item[name] as JsonObject) : options
    const type = options['numeric_type'] ?? field?.['type']
    return dateChange({ [name]: rest }, format, type === 'date_nanos')
  }
  if (field?.['type'] === 'boolean') return { item, toCluster: toSmall, fromCluster: fromSmall }
  // With `numeric_type` the values of the sort are those of a larger type.
  const isCast = isObject(options) && options['numeric_type'] !== undefined
  if (SMALL_TYPES.has(field?.['type']) && !isCast) return { item, toCluster: toSmall, fromCluster: same }
  if (item !== given) return { item, toCluster: same, fromCluster: same }
  return undefined
}

/**
 * A document without a `date_nanos` value that sorts at the lower end has the sort value 0 in Elasticsearch, and the least
 * long in OpenSearch.
 */
function withNanosMissing(given: unknown, name: string, options: unknown, field: JsonObject | undefined): unknown {
  const type = (isObject(options) ? options['numeric_type'] : undefined) ?? field?.['type']
  if (type !== 'date_nanos') return given
  const order = isObject(options) ? (options['order'] ?? 'asc') : (options ?? 'asc')
  const missing = isObject(options) ? (options['missing'] ?? '_last') : '_last'
  const isLow = missing === (String(order).toLowerCase() === 'desc' ? '_last' : '_first')
  return isLow ? { [name]: { ...(isObject(options) ? options : { order }), missing: 0 } } : given
}

function dateChange(item: JsonObject, format: string, isNanos: boolean): ValueChange {
  const unit = isNanos ? 1n : NANOS_PER_MS
  return {
    item,
    toCluster(value) {
      if (typeof value !== 'string') return value
      return parseNanos(value, format) / unit
    },
    fromCluster(value) {
      if (typeof value !== 'number' && typeof value !== 'bigint') return value
      const exact = BigInt(value)
      // The sort value of a document without the field.
      if (exact === LONG_MAX || exact === LONG_MIN) return null
      return printNanos(exact * unit, format)
    },
  }
}

const same = (value: unknown) => value

function toSmall(value: unknown): unknown {
  if (typeof value !== 'number' && typeof value !== 'bigint') return value
  return value > INT_MAX ? INT_MAX : value < INT_MIN ? INT_MIN : value
}

function fromSmall(value: unknown): unknown {
  return value === INT_MAX ? LONG_MAX : value === INT_MIN ? LONG_MIN : value
}
