/**
 * `num_reduce_phases`: how often Elasticsearch would merge shard results in batches (`batched_reduce_size`). On a
 * single node one merge is enough, but clients expect the number.
 */

/** The default of `batched_reduce_size`. */
const BATCH_DEFAULT = 512

/** Undefined for one reduce phase, which is not printed. */
export function reducePhases(shardCount: number, batchSize = BATCH_DEFAULT): number | undefined {
  const batch = Math.min(batchSize, shardCount)
  if (shardCount <= batch) return undefined
  // The first batch contains only shard results; each later one starts with the previous result.
  return 1 + Math.ceil((shardCount - batch) / (batch - 1))
}
