/** Pipeline statistics in the form of `_nodes/stats` and `_cluster/stats`. */
import { newMembers } from '../../base/json/members.ts'
import type { JsonObject } from '../metadata/metadata.ts'
import type { CounterStats, IngestStats } from './run/definitions.ts'

const printed = ({ count, timeMs, current, failed }: CounterStats): JsonObject => ({
  count,
  time_in_millis: timeMs,
  current,
  failed,
})

export function printIngestStats({ total, pipelines }: IngestStats): JsonObject {
  return {
    total: printed(total),
    pipelines: Object.fromEntries(
      Object.entries(pipelines).map(([id, pipeline]) => [
        id,
        {
          ...printed(pipeline),
          ingested_as_first_pipeline_in_bytes: pipeline.ingestedBytes,
          produced_as_first_pipeline_in_bytes: pipeline.producedBytes,
          processors: pipeline.processors.map(({ type, tag, ...counters }) => ({
            [tag === undefined ? type : `${type}:${tag}`]: { type, stats: printed(counters) },
          })),
        },
      ]),
    ),
  }
}

/** The sums over all pipelines by processor type. */
export function pipelineTotals({ pipelines }: IngestStats): JsonObject {
  const byType: Record<string, { count: number; failed: number; current: number; time_in_millis: number }> =
    newMembers()
  for (const { processors } of Object.values(pipelines)) {
    for (const { type, count, failed, current, timeMs } of processors) {
      const sum = (byType[type] ??= { count: 0, failed: 0, current: 0, time_in_millis: 0 })
      sum.count += count
      sum.failed += failed
      sum.current += current
      sum.time_in_millis += timeMs
    }
  }
  return { number_of_pipelines: Object.keys(pipelines).length, processor_stats: byType }
}
