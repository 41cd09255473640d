/** `geotile_grid` and `geohash_grid`: a bucket per grid cell, most documents first. */
import { illegalArgument } from '../../../base/api-error.ts'
import { INTEGER, START_OBJECT, STRING } from '../../../base/json/json-reader.ts'
import { type BoundingBox, readBounds } from '../../query/geo/geo-bounding-box.ts'
import { ACCEPTS_NUMBER, type RequestReader } from '../../request/request-reader.ts'
import type { SegmentView } from '../../segment/segment-reader-api.ts'
import { parseDistance } from '../../values/distance-unit.ts'
import { GEOHASH_LENGTH_MAX } from '../../values/geohash.ts'
import { checkZoom } from '../../values/geotile.ts'
import {
  type Aggregation,
  type AggregationParts,
  type Bucket,
  BucketsAggregation,
  type SegmentCollector,
  type ShardAggregator,
} from '../aggregation.ts'
import { type AggregationContext, within } from '../aggregation-context.ts'
import type { AggregationKind } from '../aggregation-kind.ts'
import { reduceResults, ShardTree } from '../aggregation-tree.ts'
import type { Printer } from '../results/printer.ts'
import type { Reduction } from '../results/reduction.ts'
import { selectTop } from '../results/select-top.ts'
import { type BucketLook, WrittenBuckets } from '../results/written-buckets.ts'
import { BucketInts, bucketBound } from '../state/bucket-arrays.ts'
import { BucketExpansion } from '../state/bucket-expansion.ts'
import { BucketTable } from '../state/bucket-table.ts'
import { type PartSharing, tableSharing } from '../state/part-sharing.ts'
import { placePairs } from '../state/place-pairs.ts'
import { positive } from '../terms/terms-grammar.ts'
import { weighed } from '../values/document-weights.ts'
import { pointValues } from '../values/point-values.ts'
import {
  bindSource,
  newSourceSettings,
  requireField,
  type SourceSettings,
  sourceMembers,
  type ValueSource,
} from '../values/value-source.ts'
import { type CellRank, type GridCells, geohashCells, geohashLength, tileCells } from './grid-cells.ts'

interface GridBucket extends Bucket {
  readonly key: string
  readonly rank: CellRank
}

interface GridResult {
  buckets: readonly GridBucket[]
}

interface GridOptions {
  readonly source: SourceSettings
  precision: number
  size: number
  shardSize: number | undefined
  bounds: BoundingBox | undefined
}

/** The differences between `geohash_grid` and `geotile_grid`. */
interface Grid {
  readonly kind: string
  readonly typedName: string
  readonly precisionDefault: number
  readPrecision(reader: RequestReader): number
  cells(precision: number, bounds: BoundingBox | undefined): GridCells
}

const SIZE_DEFAULT = 10_000

class GeoGrid extends BucketsAggregation<GridResult> {
  readonly kind: string
  readonly #grid: Grid
  readonly #options: GridOptions

  constructor(parts: AggregationParts, grid: Grid, options: GridOptions) {
    super(parts)
    this.kind = grid.kind
    this.#grid = grid
    this.#options = options
  }

  override plan(context: AggregationContext): ShardAggregator<GridResult> {
    const { source: settings, precision, bounds, size } = this.#options
    const shardSize = Math.max(this.#options.shardSize ?? Math.trunc(size * 1.5 + 10), size)
    const source = bindSource(context.shard, settings, this.kind, ['geo'], 'geo')
    return new GridAggregator(context, this, source, this.#grid.cells(precision, bounds), shardSize)
  }

  override reduce(results: readonly GridResult[], reduction: Reduction): GridResult {
    const parts = new Map<string, GridBucket[]>()
    for (const { buckets } of results) {
      for (const bucket of buckets) {
        const same = parts.get(bucket.key)
        if (same === undefined) parts.set(bucket.key, [bucket])
        else same.push(bucket)
      }
    }
    const merged = [...parts.values()].map((same) => ({
      same,
      docCount: same.reduce((sum, { docCount }) => sum + docCount, 0),
    }))
    merged.sort((a, b) => b.docCount - a.docCount || compareRanks(b.same[0]!.rank, a.same[0]!.rank))
    const kept = merged.slice(0, this.#options.size)
    reduction.addBuckets(kept.length)
    return {
      buckets: kept.map(({ same, docCount }) => ({
        key: same[0]!.key,
        rank: same[0]!.rank,
        docCount,
        results: reduceResults(this.children, same, reduction),
      })),
    }
  }

  override empty(): GridResult {
    return { buckets: [] }
  }

  override typedName(): string {
    return this.#grid.typedName
  }

  override print({ buckets }: GridResult, printer: Printer): Record<string, unknown> {
    return { buckets: new WrittenBuckets(buckets, CELL_LOOK, this.children, printer) }
  }

  override keyText({ buckets }: GridResult, index: number): string {
    return buckets[index]!.key
  }
}

const CELL_LOOK: BucketLook<GridBucket> = {
  head: ({ key, docCount }, out) => {
    out.addAscii('"key":')
    out.addString(key)
    out.addAscii(',"doc_count":')
    out.addInteger(docCount)
  },
}

function compareRanks(a: CellRank, b: CellRank): number {
  return a < b ? -1 : a > b ? 1 : 0
}

class GridAggregator implements ShardAggregator<GridResult> {
  readonly needsScores: boolean
  readonly #source: ValueSource
  readonly #cells: GridCells
  readonly #shardSize: number
  readonly #children: ShardTree
  readonly #table: BucketTable
  readonly #counts: BucketInts
  readonly #placed: Int32Array

  constructor(
    context: AggregationContext,
    aggregation: Aggregation,
    source: ValueSource,
    cells: GridCells,
    shardSize: number,
  ) {
    this.#source = source
    this.#cells = cells
    this.#shardSize = shardSize
    this.#children = new ShardTree(aggregation.children, within(context, aggregation, { manyBuckets: true }))
    this.needsScores = this.#children.needsScores
    this.#table = new BucketTable(context.memory, cells.bound)
    this.#counts = new BucketInts(context.memory)
    this.#placed = context.scratch.integers()
  }

  segment(view: SegmentView): SegmentCollector | undefined {
    const values = pointValues(this.#source, view)
    if (values === undefined) return undefined
    const child = weighed(view, this.#counts, this.#children.segment(view))
    const expansion = child === undefined ? undefined : new BucketExpansion(child)
    let cells = new Float64Array(0)
    return {
      collect: (docs, buckets, count, isRun) => {
        const points = values.readBlock(docs, count, isRun)
        const found = points.offsets[count]!
        if (found === count && !values.multiValued && this.#cells.placesOf !== undefined) {
          this.#cells.placesOf(points, count, this.#placed)
          const pairs = { parents: buckets, ordinals: this.#placed, bound: this.#cells.bound!, table: undefined, count }
          placePairs(this.#table, pairs, this.#counts, this.#placed)
          child?.collect(docs, this.#placed, count, isRun)
          return
        }
        if (cells.length < found) cells = new Float64Array(found * 2)
        this.#cells.cellsOf(points, found, cells)
        this.#count(docs, buckets, count, points.offsets, cells, expansion)
        expansion?.flush()
      },
      end: () => expansion?.end(),
    }
  }

  #count(
    docs: Int32Array,
    parents: Int32Array,
    count: number,
    offsets: Int32Array,
    cells: Float64Array,
    expansion: BucketExpansion | undefined,
  ): void {
    const table = this.#table
    const places = table.placesOf(bucketBound(parents, count))
    const cellBound = this.#cells.bound ?? 0
    let counts = this.#counts.array
    for (let i = 0; i < count; i++) {
      const start = offsets[i]!
      const end = offsets[i + 1]!
      for (let slot = start; slot < end; slot++) {
        const cell = cells[slot]!
        // Points of a document in the same cell count once.
        if (cell < 0 || (slot > start && cells.subarray(start, slot).includes(cell))) continue
        let bucket = places === undefined ? -1 : places[parents[i]! * cellBound + cell]! - 1
        if (bucket < 0) {
          bucket = table.add(parents[i]!, cell)
          if (bucket >= counts.length) counts = this.#counts.reserve(bucket + 1)
        }
        counts[bucket] = counts[bucket]! + 1
        expansion?.add(docs[i]!, bucket)
      }
    }
  }

  get sharing(): PartSharing | undefined {
    return this.#cells.isNumbered ? undefined : tableSharing(this.#table, this.#counts, this.#children.sharing)
  }

  finish(): void {
    this.#children.finish()
  }

  result(parent: number): GridResult {
    const { keys } = this.#table
    const buckets = this.#table.ofParent(parent)
    const rank = (bucket: number) => this.#cells.rank(keys[bucket]!)
    const chosen = selectTop(
      buckets,
      buckets.length,
      this.#shardSize,
      (a, b) => this.#counts.get(b) - this.#counts.get(a) || compareRanks(rank(b), rank(a)),
    )
    return {
      buckets: Array.from(chosen, (bucket) => ({
        key: this.#cells.text(keys[bucket]!),
        rank: rank(bucket),
        docCount: this.#counts.get(bucket),
        results: this.#children.results(bucket),
      })),
    }
  }
}

function gridKind(grid: Grid): AggregationKind {
  return {
    name: grid.kind,
    hasChildren: true,
    parse(reader, name) {
      const options: GridOptions = {
        source: newSourceSettings(),
        precision: grid.precisionDefault,
        size: SIZE_DEFAULT,
        shardSize: undefined,
        bounds: undefined,
      }
      reader.parseObject(grid.kind, [
        sourceMembers(reader, options.source, { format: false, script: false }),
        {
          precision: {
            accepts: [INTEGER, STRING],
            parse: () => {
              options.precision = grid.readPrecision(reader)
            },
          },
          size: {
            accepts: ACCEPTS_NUMBER,
            parse: () => {
              options.size = positive(reader.integer(), 'size', name)
            },
          },
          shard_size: {
            accepts: ACCEPTS_NUMBER,
            parse: () => {
              options.shardSize = positive(reader.integer(), 'shard_size', name)
            },
          },
          bounds: {
            accepts: [START_OBJECT],
            parse: () => {
              options.bounds = readBounds(reader)
            },
          },
        },
      ])
      requireField(options.source, false)
      return (parts) => new GeoGrid(parts, grid, options)
    },
  }
}

export const geotileGridKind = gridKind({
  kind: 'geotile_grid',
  typedName: 'geotile_grid',
  precisionDefault: 7,
  readPrecision: (reader) => checkZoom(reader.integer()),
  cells: tileCells,
})

export const geohashGridKind = gridKind({
  kind: 'geohash_grid',
  typedName: 'geohash_grid',
  precisionDefault: 5,
  readPrecision(reader) {
    const text = reader.text()
    const isLength = reader.token !== STRING || /^\s*[+-]?\d+\s*$/.test(text)
    const length = isLength ? reader.integer() : geohashLength(parseDistance(text))
    if (length < 1 || length > GEOHASH_LENGTH_MAX) {
      throw illegalArgument(
        `Invalid geohash aggregation precision of ${length}. Must be between 1 and ${GEOHASH_LENGTH_MAX}.`,
      )
    }
    return length
  },
  cells: geohashCells,
})
