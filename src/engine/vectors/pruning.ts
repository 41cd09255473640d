/** Which tokens of a sparse vector a query leaves out: those that are frequent and weigh little. */
import { illegalArgument } from '../../base/api-error.ts'
import { formatFloat } from '../../base/json/json-writer.ts'

export interface Pruning {
  /** Tokens that are this many times as frequent as the average one are left out. */
  readonly tokens_freq_ratio_threshold: number
  /** Unless their weight is above this part of the largest one. */
  readonly tokens_weight_threshold: number
}

export const DEFAULT_PRUNING: Pruning = {
  tokens_freq_ratio_threshold: 5,
  tokens_weight_threshold: Math.fround(0.4),
}

export function checkPruning<T extends Pruning>(pruning: T): T {
  const { tokens_freq_ratio_threshold: ratio, tokens_weight_threshold: weight } = pruning
  if (!(ratio >= 1 && ratio <= 100)) {
    throw illegalArgument(`[tokens_freq_ratio_threshold] must be between [1] and [100], got ${formatFloat(ratio)}`)
  }
  if (!(weight >= 0 && weight <= 1)) throw illegalArgument('[tokens_weight_threshold] must be between 0 and 1')
  return pruning
}

/** `index_options` of a sparse vector: whether queries leave tokens out, and which. */
export interface SparseOptions {
  readonly prune?: boolean
  readonly pruning_config?: Pruning
}
