/**
 * The order in which searches visit the segments of an index with a `@timestamp`: those with the latest documents
 * first, because most searches of such an index request these. Elasticsearch does the same, and it is visible in the
 * order of equal hits.
 */
import type { ViewEntry } from './published-view.ts'

export const TIMESTAMP_FIELD = '@timestamp'

export function newestFirst(entries: readonly ViewEntry[]): readonly ViewEntry[] {
  const latest = new Map(entries.map((entry) => [entry, latestTime(entry)]))
  return [...entries].sort((a, b) => {
    const [left, right] = [latest.get(a)!, latest.get(b)!]
    return left === right ? 0 : right > left ? 1 : -1
  })
}

function latestTime({ segment }: ViewEntry): number {
  const { column } = segment.reader.directory.fields[TIMESTAMP_FIELD] ?? {}
  return column?.max ?? Number.NEGATIVE_INFINITY
}
