/**
 * `composite`: a bucket per combination of the values of several sources, in the order of the sources, one page at a
 * time. `after` continues after the last key of the previous page.
 */

import { illegalArgument } from '../../../base/api-error.ts'
import { tooManyBuckets } from '../../../base/errors/aggregation-errors.ts'
import { sliceIdNegative, sliceMaxTooSmall } from '../../../base/errors/query-errors.ts'
import {
  ACCEPTS_BOOLEAN,
  ACCEPTS_NUMBER,
  ACCEPTS_OBJECT,
  ACCEPTS_OBJECT_ARRAY,
  type RequestReader,
} from '../../request/request-reader.ts'
import { Aggregation, type AggregationParts, type Bucket, type ShardAggregator } from '../aggregation.ts'
import type { AggregationContext } from '../aggregation-context.ts'
import type { AggregationKind } from '../aggregation-kind.ts'
import type { Printer } from '../results/printer.ts'
import type { Reduction } from '../results/reduction.ts'
import { bindAfter } from './after-key.ts'
import { CompositeAggregator } from './composite-aggregator.ts'

import { type CompositeBucket, type CompositeResult, printComposite, reduceComposite } from './composite-result.ts'
import type { Slice } from './slice.ts'
import { type CompositeSource, readSources } from './source-settings.ts'
import { bindCompositeSource } from './sources/bind-source.ts'

interface CompositeSettings {
  sources: readonly CompositeSource[] | undefined
  size: number
  after: Readonly<Record<string, unknown>> | undefined
  slice: Slice | undefined
  countsAll: boolean
}

const SIZE_DEFAULT = 10

class CompositeAggregation extends Aggregation<CompositeResult> {
  readonly kind = 'composite'
  readonly #settings: CompositeSettings
  readonly #sources: readonly CompositeSource[]

  constructor(parts: AggregationParts, settings: CompositeSettings) {
    super(parts)
    this.#settings = settings
    this.#sources = settings.sources!
  }

  override plan(context: AggregationContext): ShardAggregator<CompositeResult> {
    checkParents(context)
    this.#checkPipelines(context)
    const { size, slice, countsAll } = this.#settings
    if (size > context.limits.bucketsMax) throw tooManyBuckets(context.limits.bucketsMax, size)
    if (size <= 0) throw illegalArgument(`[size] must be greater than 0. Found [${size}] in [${this.name}]`)
    const sources = this.#sources.map((source) => bindCompositeSource(context.shard, source))
    const after = bindAfter(this.name, this.#settings.after, sources)
    return new CompositeAggregator(context, this, { sources, size, after, slice, countsAll })
  }

  /** Rejects parent pipelines that would see only one page of the buckets. */
  #checkPipelines({ limits }: AggregationContext): void {
    const pipeline = limits.pipelinesInComposite
      ? undefined
      : this.children.pipelines.find(({ within }) => within !== undefined)
    if (pipeline === undefined) return
    throw illegalArgument(
      `[${pipeline.kind}] aggregation [${pipeline.name}] cannot be used in the composite aggregation [${this.name}]: it would ` +
        'apply to each page. This can be allowed by the cluster level setting ' +
        '[search.composite.allow_pipeline_aggregations].',
    )
  }

  override reduce(results: readonly CompositeResult[], reduction: Reduction): CompositeResult {
    return reduceComposite(results, this.#sources, this.#settings.size, this, reduction)
  }

  override empty(): CompositeResult {
    const total = this.#settings.countsAll ? { count: 0, keys: () => [] } : undefined
    return { printers: [], buckets: [], afterKey: undefined, total }
  }

  override print(result: CompositeResult, printer: Printer): Record<string, unknown> {
    return printComposite(result, this.#sources, this.children, printer)
  }

  override get holds(): 'many' {
    return 'many'
  }

  override buckets({ buckets }: CompositeResult): readonly Bucket[] {
    return buckets
  }

  override setBuckets(result: CompositeResult, buckets: readonly Bucket[]): void {
    result.buckets = buckets as readonly CompositeBucket[]
  }
}

/** Single-bucket kinds that may have a composite child, because it still pages through one list of keys. */
const TRANSPARENT: ReadonlySet<string> = new Set(['filter', 'nested'])

function checkParents({ parents }: AggregationContext): void {
  const other = parents.findLast(({ kind }) => !TRANSPARENT.has(kind))
  if (other === undefined) return
  throw illegalArgument(
    `[composite] aggregation cannot be used with a parent aggregation of type: [${factoryClass(other.kind)}]`,
  )
}

/** The Java class of the parent, which Elasticsearch's message contains. */
function factoryClass(kind: string): string {
  const words = kind.split('_').map((word) => word.charAt(0).toUpperCase() + word.slice(1))
  return `${words.join('')}AggregatorFactory`
    .replace(/^Geotile/, 'GeoTile')
    .replace(/^Geohash/, 'GeoHash')
    .replace('GeoDistanceAggregator', 'GeoDistanceRangeAggregator')
    .replace('IpRange', 'BinaryRange')
    .replace('CompositeAggregatorFactory', 'CompositeAggregationFactory')
}

function readSlice(reader: RequestReader): Slice {
  let id: number | undefined
  let max: number | undefined
  reader.parseObject('slice', {
    id: {
      accepts: ACCEPTS_NUMBER,
      parse: () => {
        id = reader.integer()
      },
    },
    max: {
      accepts: ACCEPTS_NUMBER,
      parse: () => {
        max = reader.integer()
      },
    },
  })
  if (id === undefined) throw illegalArgument('Required [id]')
  if (max === undefined) throw illegalArgument('Required [max]')
  if (max < 1) throw illegalArgument('max must be greater than 0')
  if (id < 0) throw sliceIdNegative()
  if (id >= max) throw sliceMaxTooSmall()
  return { id, max }
}

export const compositeKind: AggregationKind = {
  name: 'composite',
  hasChildren: true,
  parse(reader) {
    const settings: CompositeSettings = {
      sources: undefined,
      size: SIZE_DEFAULT,
      after: undefined,
      slice: undefined,
      countsAll: false,
    }
    reader.parseObject('composite', {
      sources: {
        accepts: ACCEPTS_OBJECT_ARRAY,
        parse: () => {
          settings.sources = readSources(reader)
        },
      },
      size: {
        accepts: ACCEPTS_NUMBER,
        parse: () => {
          settings.size = reader.integer()
        },
      },
      after: {
        accepts: ACCEPTS_OBJECT,
        parse: () => {
          settings.after = reader.value() as Record<string, unknown>
        },
      },
      slice: {
        accepts: ACCEPTS_OBJECT,
        parse: () => {
          settings.slice = readSlice(reader)
        },
      },
      track_total_buckets: {
        accepts: ACCEPTS_BOOLEAN,
        parse: () => {
          settings.countsAll = reader.boolean()
        },
      },
    })
    if (settings.sources === undefined) throw illegalArgument('Required [sources]')
    return (parts) => new CompositeAggregation(parts, settings)
  },
}
