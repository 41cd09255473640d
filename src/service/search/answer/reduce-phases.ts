/**
 * `num_reduce_phases`: how often Elasticsearch merges what shards answered when it does so in batches (`batched_reduce_size`). All
 * shards are here, so one merge is enough; the number is told as clients expect it.
 */

/** The default of `batched_reduce_size`. */
const BATCH_DEFAULT = 512

/** Undefined when there is one reduce phase, which is not printed. */
export function reducePhases(shardCount: number, batchSize = BATCH_DEFAULT): number | undefined {
  const batch = Math.min(batchSize, shardCount)
  if (shardCount <= batch) return undefined
  // The first batch is full of answers; each later one begins with what was merged before.
  return 1 + Math.ceil((shardCount - batch) / (batch - 1))
}
