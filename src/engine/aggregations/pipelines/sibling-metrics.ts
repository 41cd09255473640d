/** `max_bucket` and similar pipelines: one result over a number of each bucket of a sibling aggregation. */
import { illegalArgument } from '../../../base/api-error.ts'
import { DECIMAL, FALSE, INTEGER, START_ARRAY, TRUE } from '../../../base/json/json-reader.ts'
import { Double, formatDouble } from '../../../base/json/json-writer.ts'
import type { RequestReader } from '../../request/request-reader.ts'
import type { Aggregation } from '../aggregation.ts'
import type { PipelineKind } from '../aggregation-kind.ts'
import type { AggregationTree, Results } from '../aggregation-tree.ts'
import { type ExtendedStatsResult, extendedStatsValue, printExtendedStats } from '../metrics/extended-stats.ts'
import { printStats, statsValue } from '../metrics/stats.ts'
import { compensatedSum } from '../state/compensated-sum.ts'
import type { ValueFormat } from '../values/value-format.ts'
import { bucketsOnPath, bucketValue } from './bucket-path.ts'
import { PathPipeline } from './path-pipeline.ts'
import type { PipelineAggregation } from './pipeline.ts'
import { type PipelineSettings, readPipeline } from './pipeline-grammar.ts'
import { printSimpleValue, simpleValue } from './simple-value.ts'

/** The numbers of the buckets with their keys. */
interface Found {
  readonly values: readonly number[]
  readonly keys: readonly string[]
}

abstract class SiblingMetric<R> extends PathPipeline<R> {
  override problem(_parent: Aggregation | undefined, siblings: AggregationTree): string | undefined {
    return siblingProblem(this.name, this.settings, siblings)
  }

  beside(tree: AggregationTree, results: Results): R {
    const values: number[] = []
    const keys: string[] = []
    const found = bucketsOnPath(tree, results, this.settings.path)
    for (const [i, bucket] of found?.buckets.entries() ?? []) {
      const value = bucketValue(found!.tree, bucket, found!.rest, this.settings.policy)
      if (value === undefined || Number.isNaN(value)) continue
      values.push(value)
      keys.push(found!.keys(i))
    }
    return this.over({ values, keys })
  }

  protected abstract over(found: Found): R
}

/** The path must lead through a multi-bucket aggregation, and all its steps must exist. */
function siblingProblem(name: string, { path }: PipelineSettings, siblings: AggregationTree): string | undefined {
  let tree = siblings
  let many = false
  let last: Aggregation | undefined
  for (const [depth, step] of path.steps.entries()) {
    if (depth > 0 && (step.name === '_count' || step.name === '_key')) break
    const aggregation = tree.aggregations.find((other) => other.name === step.name)
    const isPipeline = tree.pipelines.some((other) => other.name === step.name)
    if (aggregation === undefined && !isPipeline) {
      return depth === 0
        ? `No aggregation found for path [${path.text}]`
        : `No aggregation [${step.name}] found for path [${path.text}]`
    }
    if (aggregation === undefined) break
    // A composite shows one page of its buckets, so a metric over all of them cannot be computed.
    if (aggregation.kind === 'composite') return noBuckets(name, COMPOSITE_BUILDER, path.text)
    last = aggregation
    many ||= aggregation.holds === 'many' && step.key === undefined
    tree = aggregation.children
  }
  if (many) return undefined
  return noBuckets(name, last === undefined ? 'null' : builderName(last.kind), path.text)
}

const COMPOSITE_BUILDER = 'org.elasticsearch.search.aggregations.bucket.composite.CompositeAggregationBuilder'

const noBuckets = (name: string, found: string, path: string) =>
  'Unable to find unqualified multi-bucket aggregation in buckets_path. Path must include a multi-bucket aggregation for ' +
  `aggregation [${name}] found :${found} for buckets path: ${path}`

/** The Java class of the definition, which Elasticsearch's message contains. */
function builderName(kind: string): string {
  const camel = kind.replace(/(^|_)([a-z])/g, (_match, _start, letter: string) => letter.toUpperCase())
  return `org.elasticsearch.search.aggregations.metrics.${camel}AggregationBuilder`
}

class BucketSum extends SiblingMetric<number> {
  readonly kind: string
  readonly #mean: boolean

  constructor(mean: boolean, ...parts: ConstructorParameters<typeof SiblingMetric<number>>) {
    super(...parts)
    this.#mean = mean
    this.kind = mean ? 'avg_bucket' : 'sum_bucket'
  }

  protected override over({ values }: Found): number {
    let sum = 0
    for (const value of values) sum += value
    return this.#mean ? sum / values.length : sum
  }

  override print(value: number): Record<string, unknown> {
    return printSimpleValue(value, this.settings.format)
  }

  override typedName(): string {
    return 'simple_value'
  }

  override value(value: number, property: string | undefined): number | undefined {
    return simpleValue(value, property)
  }
}

interface Extreme {
  readonly value: number
  readonly keys: readonly string[]
}

class BucketExtreme extends SiblingMetric<Extreme> {
  readonly kind: string
  readonly #sign: 1 | -1

  constructor(sign: 1 | -1, ...parts: ConstructorParameters<typeof SiblingMetric<Extreme>>) {
    super(...parts)
    this.#sign = sign
    this.kind = sign === 1 ? 'max_bucket' : 'min_bucket'
  }

  protected override over({ values, keys }: Found): Extreme {
    let best = this.#sign * Number.NEGATIVE_INFINITY
    let named: string[] = []
    for (const [i, value] of values.entries()) {
      if (this.#sign * value > this.#sign * best) {
        best = value
        named = [keys[i]!]
      } else if (value === best) named.push(keys[i]!)
    }
    return { value: best, keys: named }
  }

  override print({ value, keys }: Extreme): Record<string, unknown> {
    const { value: shown, value_as_string } = printSimpleValue(value, this.settings.format)
    return { value: shown, value_as_string, keys }
  }

  override typedName(): string {
    return 'bucket_metric_value'
  }

  override value({ value }: Extreme, property: string | undefined): number | undefined {
    return simpleValue(value, property)
  }
}

class BucketStats extends SiblingMetric<ExtendedStatsResult> {
  readonly kind: string
  readonly #sigma: number | undefined

  constructor(sigma: number | undefined, ...parts: ConstructorParameters<typeof SiblingMetric<ExtendedStatsResult>>) {
    super(...parts)
    this.#sigma = sigma
    this.kind = sigma === undefined ? 'stats_bucket' : 'extended_stats_bucket'
  }

  protected override over({ values }: Found): ExtendedStatsResult {
    return {
      count: values.length,
      min: Math.min(...values),
      max: Math.max(...values),
      sum: compensatedSum(values),
      sumOfSquares: compensatedSum(values.map((value) => value * value)),
      format: this.settings.format,
    }
  }

  override print(result: ExtendedStatsResult): Record<string, unknown> {
    return this.#sigma === undefined ? printStats(result) : printExtendedStats(result, this.#sigma)
  }

  override typedName(): string {
    return this.kind
  }

  override value(result: ExtendedStatsResult, property: string | undefined): number | undefined {
    return this.#sigma === undefined ? statsValue(result, property) : extendedStatsValue(result, property, this.#sigma)
  }
}

const PERCENTS_DEFAULT: readonly number[] = [1, 5, 25, 50, 75, 95, 99]

class BucketPercentiles extends SiblingMetric<readonly number[]> {
  readonly kind = 'percentiles_bucket'
  readonly #percents: readonly number[]
  readonly #keyed: boolean

  constructor(
    percents: readonly number[],
    keyed: boolean,
    ...parts: ConstructorParameters<typeof SiblingMetric<readonly number[]>>
  ) {
    super(...parts)
    this.#percents = percents
    this.#keyed = keyed
  }

  /** The values at the nearest positions of the sorted list; NaN without values. */
  protected override over({ values }: Found): readonly number[] {
    const sorted = Float64Array.from(values).sort()
    return this.#percents.map((percent) =>
      sorted.length === 0 ? Number.NaN : sorted[Math.round((percent / 100) * (sorted.length - 1))]!,
    )
  }

  override print(values: readonly number[]): Record<string, unknown> {
    const { format } = this.settings
    if (!this.#keyed) {
      return {
        values: this.#percents.map((percent, i) => {
          // The text is keyed by the percentage in this form too, unlike that of percentiles over documents.
          const { value, value_as_string } = printSimpleValue(values[i]!, format)
          return { key: new Double(percent), value, [`${formatDouble(percent)}_as_string`]: value_as_string }
        }),
      }
    }
    const members: Record<string, unknown> = {}
    for (const [i, percent] of this.#percents.entries()) Object.assign(members, named(percent, values[i]!, format))
    return { values: members }
  }

  override typedName(): string {
    return 'percentiles_bucket'
  }

  override value(values: readonly number[], property: string | undefined): number | undefined {
    return values[this.#percents.indexOf(Number(property))]
  }
}

function named(percent: number, value: number, format: ValueFormat): Record<string, unknown> {
  const { value: shown, value_as_string } = printSimpleValue(value, format)
  const name = formatDouble(percent)
  return { [name]: shown, [`${name}_as_string`]: value_as_string }
}

function siblingKind(
  name: string,
  make: (...parts: ConstructorParameters<typeof SiblingMetric>) => PipelineAggregation,
): PipelineKind {
  return {
    name,
    parse(reader, aggregation) {
      const settings = readPipeline(reader, aggregation)
      return (meta) => make(aggregation, meta, settings)
    },
  }
}

const extendedStatsBucketKind: PipelineKind = {
  name: 'extended_stats_bucket',
  parse(reader, aggregation) {
    let sigma = 2
    const settings = readPipeline(reader, aggregation, (member) => {
      if (member !== 'sigma' || !isNumber(reader)) return false
      sigma = reader.float()
      if (sigma < 0) throw illegalArgument('sigma must be a non-negative double')
      return true
    })
    return (meta) => new BucketStats(sigma, aggregation, meta, settings)
  },
}

const percentilesBucketKind: PipelineKind = {
  name: 'percentiles_bucket',
  parse(reader, aggregation) {
    let percents = PERCENTS_DEFAULT
    let keyed = true
    const settings = readPipeline(reader, aggregation, (member) => {
      if (member === 'keyed' && (reader.token === TRUE || reader.token === FALSE)) keyed = reader.boolean()
      else if (member === 'percents' && reader.token === START_ARRAY) percents = readPercents(reader)
      else return false
      return true
    })
    return (meta) => new BucketPercentiles(percents, keyed, aggregation, meta, settings)
  },
}

function readPercents(reader: RequestReader): number[] {
  const percents: number[] = []
  reader.each(() => percents.push(reader.float()))
  if (percents.some((percent) => percent < 0 || percent > 100)) {
    throw illegalArgument('percents must only contain non-null doubles from 0.0-100.0 inclusive')
  }
  return percents
}

const isNumber = (reader: RequestReader) => reader.token === INTEGER || reader.token === DECIMAL

export const SIBLING_KINDS: readonly PipelineKind[] = [
  siblingKind('avg_bucket', (...parts) => new BucketSum(true, ...parts)),
  siblingKind('sum_bucket', (...parts) => new BucketSum(false, ...parts)),
  siblingKind('max_bucket', (...parts) => new BucketExtreme(1, ...parts)),
  siblingKind('min_bucket', (...parts) => new BucketExtreme(-1, ...parts)),
  siblingKind('stats_bucket', (...parts) => new BucketStats(undefined, ...parts)),
  extendedStatsBucketKind,
  percentilesBucketKind,
]
