/** The histogram over time around the selected range: its span and its interval. */
import { call, segment } from '../../api/client.ts'
import type { Json } from '../../api/lossless-json.ts'

export interface TimeBars {
  readonly startMs: number
  readonly stepMs: number
  readonly counts: readonly number[]
}

const BARS = 60
/** Round intervals. */
const STEPS_S = [
  1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1200, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400, 172_800, 604_800,
  1_209_600, 2_592_000, 7_776_000, 31_536_000,
]

/** The smallest interval with at most `BARS` bars. */
export function stepFor(spanMs: number): number {
  const seconds = spanMs / 1000 / BARS
  return (STEPS_S.find((step) => step >= seconds) ?? STEPS_S.at(-1)!) * 1000
}

export function stepName(stepMs: number): string {
  const s = stepMs / 1000
  if (s % 86_400 === 0) return `per ${s / 86_400 === 1 ? 'day' : `${s / 86_400} days`}`
  if (s % 3600 === 0) return `per ${s / 3600 === 1 ? 'hour' : `${s / 3600} h`}`
  return s % 60 === 0 ? `per ${s / 60} min` : `per ${s} s`
}

/** The span of the histogram: the selected range and half of its length on both sides. */
export function widened(fromMs: number, toMs: number): readonly [number, number] {
  const half = (toMs - fromMs) / 2
  return [fromMs - half, toMs + half]
}

interface HistogramRequest {
  readonly index: string
  /** Without the time range. */
  readonly query: Json
  readonly field: string
  /** Undefined for all time. */
  readonly range: readonly [fromMs: number, toMs: number] | undefined
}

export async function readBars(
  { index, query, field, range }: HistogramRequest,
  abort: AbortSignal,
): Promise<TimeBars | undefined> {
  const span = range === undefined ? await extent(index, query, field, abort) : widened(range[0], range[1])
  if (span === undefined) return undefined
  const stepMs = stepFor(span[1] - span[0])
  const startMs = Math.floor(span[0] / stepMs) * stepMs
  const endMs = Math.ceil((span[1] + 1) / stepMs) * stepMs
  const answer = await call<{ aggregations: { bars: { buckets: { key: number; doc_count: number }[] } } }>(
    'POST',
    `/${segment(index)}/_search`,
    {
      size: 0,
      track_total_hits: false,
      query: {
        bool: { must: [query], filter: [{ range: { [field]: { gte: startMs, lt: endMs, format: 'epoch_millis' } } }] },
      },
      aggs: { bars: { date_histogram: { field, fixed_interval: `${stepMs / 1000}s`, min_doc_count: 1 } } },
    },
    abort,
  )
  const counts = Array<number>(Math.max(1, Math.round((endMs - startMs) / stepMs))).fill(0)
  for (const { key, doc_count } of answer.aggregations.bars.buckets) {
    const at = Math.floor((key - startMs) / stepMs)
    if (at >= 0 && at < counts.length) counts[at] = counts[at]! + doc_count
  }
  return { startMs, stepMs, counts }
}

async function extent(
  index: string,
  query: Json,
  field: string,
  abort: AbortSignal,
): Promise<readonly [number, number] | undefined> {
  const answer = await call<{ aggregations: { first: { value: number | null }; last: { value: number | null } } }>(
    'POST',
    `/${segment(index)}/_search`,
    { size: 0, track_total_hits: false, query, aggs: { first: { min: { field } }, last: { max: { field } } } },
    abort,
  )
  const { first, last } = answer.aggregations
  // Integers beyond 32 bits are printed with a fraction or an exponent, and arrive as exact text.
  return first.value === null || last.value === null ? undefined : [Number(first.value), Number(last.value)]
}

/** Parses `now-24h`, `now`, an ISO date or milliseconds; undefined if the browser cannot parse it. */
export function timeOf(text: string | undefined, nowMs: number): number | undefined {
  if (text === undefined || text === '') return undefined
  if (/^-?\d{10,}$/.test(text)) return Number(text)
  const relative = /^now(?:([+-])(\d+)([smhdwMy]))?$/.exec(text)
  if (relative !== null) {
    const unit = UNITS_MS[relative[3] ?? 's']!
    const by = Number(relative[2] ?? 0) * unit
    return nowMs + (relative[1] === '-' ? -by : by)
  }
  const parsed = Date.parse(text)
  return Number.isNaN(parsed) ? undefined : parsed
}

const UNITS_MS: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
  M: 2_592_000_000,
  y: 31_536_000_000,
}
