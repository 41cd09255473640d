/** The hits or buckets of a response as rows, for the tab "As table". */
import { isObject, type Json, textOf } from '../../api/lossless-json.ts'
import { flat } from '../../documents/flat.ts'

export interface AnswerTable {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

const ROWS_MAX = 1000
const COLUMNS_MAX = 30

/** Undefined for a response without a list. */
export function tableOf(answer: Json): AnswerTable | undefined {
  const rows = rowsOf(answer)
  if (rows === undefined || rows.length === 0) return undefined
  const columns: string[] = []
  for (const row of rows) for (const name of Object.keys(row)) if (!columns.includes(name)) columns.push(name)
  const shown = columns.slice(0, COLUMNS_MAX)
  return { columns: shown, rows: rows.slice(0, ROWS_MAX).map((row) => shown.map((name) => textOf(row[name]))) }
}

function rowsOf(answer: Json): Record<string, Json>[] | undefined {
  if (Array.isArray(answer)) return answer.filter(isObject)
  if (!isObject(answer)) return undefined
  const buckets = bucketsIn(answer['aggregations'])
  if (buckets !== undefined) return buckets
  const hits = isObject(answer['hits']) ? answer['hits']['hits'] : answer['docs']
  if (!Array.isArray(hits)) return undefined
  return hits.filter(isObject).map((hit) => {
    const { _index, _id, _score, _source, fields } = hit
    return {
      _index,
      _id,
      ...(_score === undefined || _score === null ? {} : { _score }),
      ...flat(_source),
      ...flat(fields),
    }
  })
}

/** The first list of buckets, one row per bucket, with the values of its metrics. */
function bucketsIn(aggregations: Json): Record<string, Json>[] | undefined {
  if (!isObject(aggregations)) return undefined
  for (const one of Object.values(aggregations)) {
    if (!isObject(one)) continue
    const { buckets } = one
    if (Array.isArray(buckets)) return buckets.filter(isObject).map(bucketRow)
    if (isObject(buckets)) {
      return Object.entries(buckets).map(([key, bucket]) => ({ key, ...bucketRow(isObject(bucket) ? bucket : {}) }))
    }
    const inner = bucketsIn(one)
    if (inner !== undefined) return inner
  }
  return undefined
}

function bucketRow(bucket: Record<string, Json>): Record<string, Json> {
  const row: Record<string, Json> = {}
  for (const [name, value] of Object.entries(bucket)) {
    if (name === 'key' && isObject(value)) Object.assign(row, value)
    else if (isObject(value) && 'value' in value) row[name] = value['value']
    else if (isObject(value) && 'doc_count' in value) row[name] = value['doc_count']
    else if (!isObject(value) || !('buckets' in value)) row[name] = value
  }
  return row
}
