/** Runs a plan: one request, or for composite all pages, with progress. */
import { signal } from '@preact/signals'
import { call, segment } from '../../api/client.ts'
import { isObject, type Json } from '../../api/lossless-json.ts'
import type { Field } from '../../documents/fields.ts'
import { BACK, BUCKETS, DOWN, metricName, type Plan, requestBody } from './plan.ts'

export interface Bucket {
  /** The value of each source. */
  readonly keys: readonly Json[]
  /** The values in readable form: dates as dates. */
  readonly names: readonly string[]
  readonly count: number
  readonly metrics: readonly (number | null)[]
  /** Number of documents, for buckets of nested objects. */
  readonly back?: number
}

export interface Result {
  readonly plan: Plan | undefined
  readonly buckets: readonly Bucket[]
  readonly pages: number
  readonly isRunning: boolean
  readonly isAtEnd: boolean
  readonly tookMs: number
  readonly total: number | undefined
  /** How composite collected the segments, according to the profile. */
  readonly ways: Readonly<Record<string, number>>
  /** Number of documents outside the listed terms. */
  readonly others: number
  /** Counts of levels: nested objects, and the documents that contain them. */
  readonly levels: { readonly nested: number; readonly back: number } | undefined
  readonly failure: unknown
}

const NONE: Result = {
  plan: undefined,
  buckets: [],
  pages: 0,
  isRunning: false,
  isAtEnd: false,
  tookMs: 0,
  total: undefined,
  ways: {},
  others: 0,
  levels: undefined,
  failure: undefined,
}

/** With more buckets than this, the user is asked whether to continue. */
export const ASK_ABOVE = 100_000

export const result = signal<Result>(NONE)

let abort: AbortController | undefined

export function stopRun(): void {
  abort?.abort()
  abort = undefined
  if (result.value.isRunning) result.value = { ...result.value, isRunning: false }
}

export function forgetRun(): void {
  stopRun()
  result.value = NONE
}

interface Answer {
  readonly took: number
  readonly hits: { readonly total?: { readonly value: number } }
  readonly aggregations?: Record<string, Json>
  readonly profile?: Json
}

export async function run(plan: Plan, query: Json, fields: ReadonlyMap<string, Field>): Promise<void> {
  stopRun()
  abort = new AbortController()
  const { signal: own } = abort
  result.value = { ...NONE, plan, isRunning: true }
  const path = `/${segment(plan.index)}/_search`
  try {
    let after: Json
    for (;;) {
      const answer = await call<Answer>('POST', path, requestBody(plan, query, fields, after), own)
      if (own.aborted) return
      const before = result.value
      const found = bucketsOf(answer, plan)
      after = plan.kind === 'composite' ? group(answer)?.['after_key'] : undefined
      // A page that is not full is the last one. After a full page the next one may be empty.
      const isAtEnd = plan.kind !== 'composite' || after === undefined || found.length < plan.size
      const buckets = before.buckets.length === 0 ? found : [...before.buckets, ...found]
      const mustAsk = !isAtEnd && buckets.length >= ASK_ABOVE && before.buckets.length < ASK_ABOVE
      result.value = {
        ...before,
        buckets,
        pages: before.pages + (found.length > 0 || before.pages === 0 ? 1 : 0),
        tookMs: before.tookMs + answer.took,
        total: before.total ?? answer.hits.total?.value,
        ways: before.pages === 0 ? waysOf(answer.profile) : before.ways,
        others: Number(group(answer)?.['sum_other_doc_count'] ?? 0),
        levels: levelsOf(answer),
        isAtEnd,
        isRunning: !isAtEnd && !mustAsk,
      }
      if (isAtEnd) return
      if (mustAsk && !window.confirm(`${ASK_ABOVE.toLocaleString('en-US')} buckets so far. Go on to the end?`)) return
      if (mustAsk) result.value = { ...result.value, isRunning: true }
    }
  } catch (failure) {
    if (!own.aborted) result.value = { ...result.value, isRunning: false, failure }
  }
}

function group({ aggregations }: Answer): Record<string, Json> | undefined {
  const down = aggregations?.[DOWN]
  const found = isObject(down) ? down[BUCKETS] : aggregations?.[BUCKETS]
  return isObject(found) ? found : undefined
}

function levelsOf({ aggregations }: Answer): Result['levels'] {
  const down = aggregations?.[DOWN]
  if (!isObject(down)) return undefined
  const back = down[BACK]
  return { nested: Number(down['doc_count']), back: isObject(back) ? Number(back['doc_count']) : 0 }
}

function bucketsOf(answer: Answer, plan: Plan): Bucket[] {
  const { buckets } = group(answer) ?? {}
  if (!Array.isArray(buckets)) return []
  return (buckets as Record<string, Json>[]).map((bucket) => {
    const { key } = bucket
    const keys = isObject(key) ? plan.by.map(({ field }) => key[field]) : [key]
    const back = bucket[BACK]
    return {
      keys,
      names: keys.map((value, i) => nameOf(value, plan, i, bucket['key_as_string'])),
      count: Number(bucket['doc_count']),
      metrics: plan.metrics.map((metric) => {
        const found = bucket[metricName(metric)]
        const value = isObject(found) ? found['value'] : null
        return value === null || value === undefined ? null : Number(value)
      }),
      ...(isObject(back) ? { back: Number(back['doc_count']) } : {}),
    }
  })
}

function nameOf(key: Json, plan: Plan, source: number, asString: Json): string {
  if (key === null || key === undefined) return 'no value'
  const step = plan.by[source]?.step
  const isTime = step !== undefined && /^\d+[smhdwMqy]$/.test(step) && typeof key !== 'string'
  if (isTime) {
    const iso = new Date(Number(key)).toISOString()
    return /[dwMqy]$/.test(step) ? iso.slice(0, 10) : iso.slice(0, 16).replace('T', ' ')
  }
  return typeof asString === 'string' && plan.by.length === 1 ? asString : String(key)
}

function waysOf(profile: Json): Record<string, number> {
  const ways: Record<string, number> = {}
  const shards =
    isObject(profile) && Array.isArray(profile['shards']) ? (profile['shards'] as Record<string, Json>[]) : []
  for (const shard of shards) {
    for (const one of Array.isArray(shard['aggregations']) ? (shard['aggregations'] as Record<string, Json>[]) : []) {
      const debug = one['debug']
      const segments = isObject(debug) ? debug['segments'] : undefined
      if (!isObject(segments)) continue
      for (const [way, count] of Object.entries(segments)) ways[way] = (ways[way] ?? 0) + Number(count)
    }
  }
  return ways
}
