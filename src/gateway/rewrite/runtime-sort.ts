/** Sorts by runtime fields. OpenSearch sorts all documents alike by a derived field, so that a script sorts instead. */
import { RawJson } from '../../base/json/json-writer.ts'
import { numberOf } from './answer-tree.ts'
import { isObject } from './field-types.ts'
import { notInCluster } from './not-in-cluster.ts'
import type { RuntimeField } from './runtime-queries.ts'
import { sortScript } from './source-script.ts'

/** Values in place of a missing one, before and after all others. */
const LAST_TEXT = '\uffff\uffff'
const FIRST_TEXT = '\u0000'
const LAST_NUMBER = '1.7976931348623157E308'
const LONG_MAX = 9_223_372_036_854_775_807n
const LONG_MIN = -9_223_372_036_854_775_808n

export interface RuntimeSort {
  readonly sort: unknown[] | undefined
  amend(values: readonly unknown[]): unknown[]
}

export function runtimeSort(given: unknown, fields: ReadonlyMap<string, RuntimeField>): RuntimeSort {
  const items = given === undefined ? [] : Array.isArray(given) ? given : [given]
  const sorted = items.map((item) =>
    fields.get(typeof item === 'string' ? item : isObject(item) ? Object.keys(item)[0]! : ''),
  )
  if (!sorted.some((field) => field !== undefined))
    return { sort: given === undefined ? undefined : items, amend: (values) => [...values] }
  return {
    sort: items.map((item, i) => (sorted[i] === undefined ? item : scriptSort(item, sorted[i]))),
    amend: (values) => values.map((value, i) => (sorted[i] === undefined ? value : shownSort(value, sorted[i]))),
  }
}

function scriptSort(item: unknown, field: RuntimeField): unknown {
  const { name, type, definition } = field
  if (definition['script'] !== undefined)
    throw notInCluster(`a sort by the runtime field [${name}], which has a script,`)
  if (type === 'geo_point') throw notInCluster(`a sort by the runtime field [${name}] of type [geo_point]`)
  const options = isObject(item) ? item[name] : undefined
  const order = String(isObject(options) ? (options['order'] ?? 'asc') : (options ?? 'asc')).toLowerCase()
  const isFirst = isObject(options) && options['missing'] === '_first'
  const isDescending = order === 'desc'
  // A missing value sorts last by default: as the greatest value in ascending order, as the least in descending order.
  const isGreatest = isDescending === isFirst
  const isText = type === 'keyword' || type === 'ip'
  const missing = isText ? `'${isGreatest ? LAST_TEXT : FIRST_TEXT}'` : `${isGreatest ? '' : '-'}${LAST_NUMBER}`
  const source = sortScript(name, definition, isDescending, missing)
  return { _script: { type: isText ? 'string' : 'number', order, script: { source } } }
}

function shownSort(value: unknown, { type }: RuntimeField): unknown {
  if (type === 'keyword' || type === 'ip') return value === LAST_TEXT || value === FIRST_TEXT ? null : value
  const number = numberOf(value) ?? Number((value as { value?: unknown } | null)?.value)
  if (Math.abs(number) === Number.MAX_VALUE) {
    if (type === 'double') return number > 0 ? 'Infinity' : '-Infinity'
    return number > 0 ? LONG_MAX : LONG_MIN
  }
  return type === 'double' || !Number.isSafeInteger(number) ? value : new RawJson(String(number))
}
