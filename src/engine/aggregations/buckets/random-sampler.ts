/**
 * `random_sampler`: estimates from a sample in Elasticsearch. This implementation counts every document, so the numbers
 * are exact; the request is validated and printed as in Elasticsearch.
 */
import { illegalArgument } from '../../../base/api-error.ts'
import { Double, formatDouble } from '../../../base/json/json-writer.ts'
import { ACCEPTS_NUMBER } from '../../request/request-reader.ts'
import type { AggregationParts, Bucket, ShardAggregator } from '../aggregation.ts'
import { type AggregationContext, isTopLevel } from '../aggregation-context.ts'
import type { AggregationKind } from '../aggregation-kind.ts'
import type { AggregationTree } from '../aggregation-tree.ts'
import type { Printer } from '../results/printer.ts'
import { SingleBucketAggregation, SingleBucketAggregator } from './single-bucket.ts'

const KIND = 'random_sampler'
/** Elasticsearch rejects larger probabilities, because sampling would cost more than reading all documents. */
const SHARE_MAX = 0.5
/** Aggregations that sample themselves and are not allowed inside. */
const NOT_SAMPLED: ReadonlySet<string> = new Set(['sampler', 'diversified_sampler', KIND])

interface Options {
  probability: number | undefined
  seed: number
  shardSeed: number | undefined
}

class RandomSampler extends SingleBucketAggregation {
  readonly kind = KIND
  readonly #options: Options

  constructor(parts: AggregationParts, options: Options) {
    super(parts)
    this.#options = options
  }

  override plan(context: AggregationContext): ShardAggregator<Bucket> {
    const named = `[${KIND}] aggregation [${this.name}]`
    if (!isTopLevel(context)) throw illegalArgument(`${named} cannot have a parent aggregation`)
    if (this.children.aggregations.length === 0) throw illegalArgument(`${named} must have sub-aggregations`)
    if (this.#options.probability === undefined) throw illegalArgument(`${named} must have [probability] set`)
    const sampled = findSampler(this.children)
    if (sampled !== undefined) {
      throw illegalArgument(`${named} does not support sampling [${sampled.kind}] aggregation [${sampled.name}]`)
    }
    return new SingleBucketAggregator(context, this, (_view, inside) => inside)
  }

  override print(bucket: Bucket, printer: Printer): Record<string, unknown> {
    const { seed, shardSeed, probability } = this.#options
    return { seed, shard_seed: shardSeed, probability: new Double(probability!), ...super.print(bucket, printer) }
  }
}

function findSampler({ aggregations }: AggregationTree): { readonly kind: string; readonly name: string } | undefined {
  for (const aggregation of aggregations) {
    const found = NOT_SAMPLED.has(aggregation.kind) ? aggregation : findSampler(aggregation.children)
    if (found !== undefined) return found
  }
  return undefined
}

function checkedProbability(value: number): number {
  if (value <= 0) throw illegalArgument(`[probability] must be greater than 0.0, was [${formatDouble(value)}]`)
  if (value <= SHARE_MAX || value === 1) return value
  throw illegalArgument(`[probability] must be between 0.0 and 0.5 or exactly 1.0, was [${formatDouble(value)}]`)
}

export const randomSamplerKind: AggregationKind = {
  name: KIND,
  hasChildren: true,
  parse(reader) {
    const options: Options = {
      probability: undefined,
      seed: Math.trunc((Math.random() - 0.5) * 2 ** 32),
      shardSeed: undefined,
    }
    reader.parseObject(KIND, {
      probability: {
        accepts: ACCEPTS_NUMBER,
        parse: () => {
          options.probability = checkedProbability(reader.float())
        },
      },
      seed: {
        accepts: ACCEPTS_NUMBER,
        parse: () => {
          options.seed = reader.integer()
        },
      },
      shard_seed: {
        accepts: ACCEPTS_NUMBER,
        parse: () => {
          options.shardSeed = reader.integer()
        },
      },
    })
    return (parts) => new RandomSampler(parts, options)
  },
}
