/**
 * Writes the lines of the slow log. Thresholds are per index and off by default, so a line is written whatever the level
 * of the other log lines: `warn` as a warning, the other levels as information with their own level in a field.
 */
import { formatDuration } from '../../base/duration.ts'
import type { Log, LogFields } from '../../base/log.ts'
import type { ScriptCost } from '../../engine/scripts/script-cost.ts'
import type { RequestOrigin } from './request-origin.ts'
import type { SlowSearch } from './slow-search.ts'
import type { SlowLevel } from './slow-thresholds.ts'

export function logSlowSearch(log: Log, slow: SlowSearch): void {
  const { phase, level, tookMs, ...about } = slow
  write(log, level, `slow search: ${phase} phase`, {
    index: about.index,
    ...took(tookMs),
    total_hits: about.totalHits,
    stats: about.stats.join(','),
    search_type: about.searchType,
    total_shards: about.totalShards,
    source: about.source,
    ...scriptFields(about.scripts),
    id: about.opaqueId,
    request_id: about.requestId,
    ...about.user,
  })
}

export interface SlowWrite {
  readonly level: SlowLevel
  readonly index: string
  readonly tookMs: number
  readonly id: string
  readonly routing: string | undefined
  readonly source: string
  readonly origin: RequestOrigin
}

/** The id of the document is in `id`, as in Elasticsearch; `X-Opaque-Id` is therefore in a field of its own. */
export function logSlowWrite(log: Log, { level, index, tookMs, id, routing, source, origin }: SlowWrite): void {
  const request = { opaque_id: origin.opaqueId, request_id: origin.requestId, ...origin.user }
  write(log, level, 'slow indexing', { index, ...took(tookMs), id, routing, source, ...request })
}

function write(log: Log, level: SlowLevel, message: string, fields: LogFields): void {
  if (level === 'warn') log.warn(message, fields)
  else log.info(message, { slowlog_level: level, ...fields })
}

/** Only the most expensive scripts are named. */
const SCRIPTS_MAX = 10
const SCRIPT_CHARACTERS_MAX = 200

function scriptFields(scripts: readonly ScriptCost[]): LogFields {
  if (scripts.length === 0) return {}
  const named = scripts
    .slice(0, SCRIPTS_MAX)
    .map(({ script, ms }) => ({ script: script.slice(0, SCRIPT_CHARACTERS_MAX), took_millis: rounded(ms) }))
  return {
    script_took_millis: rounded(scripts.reduce((sum, { ms }) => sum + ms, 0)),
    scripts: JSON.stringify(named),
  }
}

/** To microseconds. */
const rounded = (ms: number) => Math.round(ms * 1000) / 1000

const took = (ms: number) => ({ took: formatDuration(Math.round(ms)), took_millis: Math.round(ms) })
