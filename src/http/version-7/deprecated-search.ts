/** Search options of Elasticsearch 7 that have other names now. */
import type { RewrittenBody } from './typed-bodies.ts'

type Json = Record<string, unknown>

/** Calendar intervals. Any other interval is a fixed duration. */
const CALENDAR = /^(?:1?[smhdwMqy]|second|minute|hour|day|week|month|quarter|year)$/
/** Only bodies with one of these names are parsed. */
const KNOWN = /"(?:interval|_term|_time|indices_boost)"/

/**
 * Rewrites `interval` of date histograms, and orders by `_term` and `_time`. Bodies without any of these names are not
 * parsed, because parsing costs time and loses integers beyond 2^53.
 */
export function searchBody(body: Buffer): RewrittenBody {
  const text = body.toString('utf8')
  if (!KNOWN.test(text)) return { body, warnings: [] }
  const warnings = new Set<string>()
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return { body, warnings: [] }
  }
  rename(json, warnings)
  listBoosts(json, warnings)
  return warnings.size === 0
    ? { body, warnings: [] }
    : { body: Buffer.from(JSON.stringify(json)), warnings: [...warnings] }
}

function rename(value: unknown, warnings: Set<string>): void {
  if (Array.isArray(value)) {
    for (const element of value) rename(element, warnings)
    return
  }
  if (!isObject(value)) return
  for (const [name, member] of Object.entries(value)) {
    if (name === 'date_histogram' && isObject(member)) renameInterval(member, warnings)
    if (name === 'order') renameOrder(member, warnings)
    rename(member, warnings)
  }
}

/** Rewrites `indices_boost` from an object to a list of its members. */
function listBoosts(search: unknown, warnings: Set<string>): void {
  if (!isObject(search) || !isObject(search['indices_boost'])) return
  search['indices_boost'] = Object.entries(search['indices_boost']).map(([index, boost]) => ({ [index]: boost }))
  warnings.add('Object format in indices_boost is deprecated, please use array format instead')
}

function renameInterval(histogram: Json, warnings: Set<string>): void {
  const { interval } = histogram
  if (interval === undefined) return
  delete histogram['interval']
  const text = typeof interval === 'number' ? `${interval}ms` : String(interval)
  histogram[CALENDAR.test(text) ? 'calendar_interval' : 'fixed_interval'] = text
  warnings.add(
    '[interval] on [date_histogram] is deprecated, use [fixed_interval] or [calendar_interval] in the future.',
  )
}

function renameOrder(order: unknown, warnings: Set<string>): void {
  for (const one of Array.isArray(order) ? order : [order]) {
    if (!isObject(one)) continue
    for (const name of ['_term', '_time']) {
      if (!(name in one)) continue
      one['_key'] = one[name]
      delete one[name]
      warnings.add(`Deprecated aggregation order key [${name}] used, replaced by [_key]`)
    }
  }
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
