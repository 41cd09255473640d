/** `geo_bounds` and `geo_centroid`: the bounding box and the centre of points. */
import type { ApiError } from '../../../base/api-error.ts'
import { notANumber } from '../../../base/errors/aggregation-errors.ts'
import { Double } from '../../../base/json/json-writer.ts'
import { ACCEPTS_BOOLEAN } from '../../request/request-reader.ts'
import type { PointBlock, SegmentView } from '../../segment/segment-reader-api.ts'
import { decodeLatitude, decodeLongitude } from '../../values/geo-encoding.ts'
import { Aggregation, type AggregationParts, type SegmentCollector, type ShardAggregator } from '../aggregation.ts'
import type { AggregationContext } from '../aggregation-context.ts'
import type { AggregationKind } from '../aggregation-kind.ts'
import { BucketDoubles, BucketInts, bucketBound } from '../state/bucket-arrays.ts'
import { BucketSums, compensatedSum } from '../state/compensated-sum.ts'
import { pointValues } from '../values/point-values.ts'
import { bindSource, type SourceSettings, type ValueSource } from '../values/value-source.ts'
import { readSource } from './number-metric.ts'

abstract class GeoMetric<R> extends Aggregation<R> {
  readonly #source: SourceSettings

  constructor(parts: AggregationParts, source: SourceSettings) {
    super(parts)
    this.#source = source
  }

  override plan(context: AggregationContext): ShardAggregator<R> {
    return this.aggregator(context, bindSource(context.shard, this.#source, this.kind, ['geo'], 'geo'))
  }

  protected abstract aggregator(context: AggregationContext, source: ValueSource): ShardAggregator<R>
}

/** Reads points in blocks. */
abstract class PointAggregator<R> implements ShardAggregator<R> {
  readonly needsScores = false
  readonly #source: ValueSource

  constructor(source: ValueSource) {
    this.#source = source
  }

  segment(view: SegmentView): SegmentCollector | undefined {
    const points = pointValues(this.#source, view)
    if (points === undefined) return undefined
    return { collect: (docs, buckets, count) => this.add(points.readBlock(docs, count), buckets, count) }
  }

  finish(): void {}

  protected abstract add(points: PointBlock, buckets: Int32Array, count: number): void
  abstract result(bucket: number): R
}

/**
 * Longitudes are tracked separately for both hemispheres, because the smaller box may cross the date line. Infinite if
 * there was no point.
 */
interface Bounds {
  readonly top: number
  readonly bottom: number
  readonly eastMin: number
  readonly eastMax: number
  readonly westMin: number
  readonly westMax: number
}

const UP = Number.POSITIVE_INFINITY
const DOWN = Number.NEGATIVE_INFINITY
const NO_BOUNDS: Bounds = { top: DOWN, bottom: UP, eastMin: UP, eastMax: DOWN, westMin: UP, westMax: DOWN }

class GeoBounds extends GeoMetric<Bounds> {
  readonly kind = 'geo_bounds'
  readonly #wrap: boolean

  constructor(parts: AggregationParts, source: SourceSettings, wrap: boolean) {
    super(parts, source)
    this.#wrap = wrap
  }

  protected override aggregator(context: AggregationContext, source: ValueSource): ShardAggregator<Bounds> {
    return new BoundsAggregator(context, source)
  }

  override reduce(results: readonly Bounds[]): Bounds {
    return results.reduce((a, b) => ({
      top: Math.max(a.top, b.top),
      bottom: Math.min(a.bottom, b.bottom),
      eastMin: Math.min(a.eastMin, b.eastMin),
      eastMax: Math.max(a.eastMax, b.eastMax),
      westMin: Math.min(a.westMin, b.westMin),
      westMax: Math.max(a.westMax, b.westMax),
    }))
  }

  override empty(): Bounds {
    return NO_BOUNDS
  }

  override print(bounds: Bounds): Record<string, unknown> {
    if (bounds.top === DOWN) return {}
    const { left, right } = this.#sides(bounds)
    return { bounds: { top_left: shown(bounds.top, left), bottom_right: shown(bounds.bottom, right) } }
  }

  override value(bounds: Bounds, property: string | undefined): number | undefined {
    switch (property) {
      case 'top':
      case 'bottom':
        return bounds[property]
      case 'left':
      case 'right':
        return this.#sides(bounds)[property]
      default:
        return undefined
    }
  }

  override pathComplaint(property: string | undefined): ApiError | undefined {
    return property === undefined ? notANumber('InternalGeoBounds', this.name) : undefined
  }

  #sides({ eastMin, eastMax, westMin, westMax }: Bounds): { left: number; right: number } {
    if (westMin === UP) return { left: eastMin, right: eastMax }
    if (eastMin === UP) return { left: westMin, right: westMax }
    const plain = eastMax - westMin
    const across = 180 - eastMin - (-180 - westMax)
    return this.#wrap && plain > across ? { left: eastMin, right: westMax } : { left: westMin, right: eastMax }
  }
}

function shown(lat: number, lon: number): Record<string, Double> {
  return { lat: new Double(lat), lon: new Double(lon) }
}

class BoundsAggregator extends PointAggregator<Bounds> {
  readonly #top: BucketDoubles
  readonly #bottom: BucketDoubles
  readonly #eastMin: BucketDoubles
  readonly #eastMax: BucketDoubles
  readonly #westMin: BucketDoubles
  readonly #westMax: BucketDoubles

  constructor({ memory }: AggregationContext, source: ValueSource) {
    super(source)
    this.#top = new BucketDoubles(memory, DOWN)
    this.#bottom = new BucketDoubles(memory, UP)
    this.#eastMin = new BucketDoubles(memory, UP)
    this.#eastMax = new BucketDoubles(memory, DOWN)
    this.#westMin = new BucketDoubles(memory, UP)
    this.#westMax = new BucketDoubles(memory, DOWN)
  }

  protected override add({ offsets, latitudes, longitudes }: PointBlock, buckets: Int32Array, count: number): void {
    const bound = bucketBound(buckets, count)
    const top = this.#top.reserve(bound)
    const bottom = this.#bottom.reserve(bound)
    const [eastMin, eastMax] = [this.#eastMin.reserve(bound), this.#eastMax.reserve(bound)]
    const [westMin, westMax] = [this.#westMin.reserve(bound), this.#westMax.reserve(bound)]
    for (let i = 0; i < count; i++) {
      const bucket = buckets[i]!
      for (let slot = offsets[i]!; slot < offsets[i + 1]!; slot++) {
        const lat = decodeLatitude(latitudes[slot]!)
        const lon = decodeLongitude(longitudes[slot]!)
        if (lat > top[bucket]!) top[bucket] = lat
        if (lat < bottom[bucket]!) bottom[bucket] = lat
        const [least, most] = lon >= 0 ? [eastMin, eastMax] : [westMin, westMax]
        if (lon < least[bucket]!) least[bucket] = lon
        if (lon > most[bucket]!) most[bucket] = lon
      }
    }
  }

  override result(bucket: number): Bounds {
    return {
      top: this.#top.get(bucket),
      bottom: this.#bottom.get(bucket),
      eastMin: this.#eastMin.get(bucket),
      eastMax: this.#eastMax.get(bucket),
      westMin: this.#westMin.get(bucket),
      westMax: this.#westMax.get(bucket),
    }
  }
}

interface Centroid {
  readonly lat: number
  readonly lon: number
  readonly count: number
}

class GeoCentroid extends GeoMetric<Centroid> {
  readonly kind = 'geo_centroid'

  protected override aggregator(context: AggregationContext, source: ValueSource): ShardAggregator<Centroid> {
    return new CentroidAggregator(context, source)
  }

  override reduce(results: readonly Centroid[]): Centroid {
    const count = results.reduce((sum, result) => sum + result.count, 0)
    const found = results.filter((result) => result.count > 0)
    if (found.length === 1) return found[0]!
    return {
      lat: compensatedSum(found.map((result) => result.lat * result.count)) / count,
      lon: compensatedSum(found.map((result) => result.lon * result.count)) / count,
      count,
    }
  }

  override empty(): Centroid {
    return { lat: 0, lon: 0, count: 0 }
  }

  override print({ lat, lon, count }: Centroid): Record<string, unknown> {
    return count === 0 ? { count } : { location: shown(lat, lon), count }
  }

  override value({ lat, lon, count }: Centroid, property: string | undefined): number | undefined {
    switch (property) {
      case 'location.lat':
      case 'lat':
        return lat
      case 'location.lon':
      case 'lon':
        return lon
      case 'count':
        return count
      default:
        return undefined
    }
  }
}

class CentroidAggregator extends PointAggregator<Centroid> {
  readonly #counts: BucketInts
  readonly #latitudes: BucketSums
  readonly #longitudes: BucketSums

  constructor({ memory }: AggregationContext, source: ValueSource) {
    super(source)
    this.#counts = new BucketInts(memory)
    this.#latitudes = new BucketSums(memory)
    this.#longitudes = new BucketSums(memory)
  }

  protected override add({ offsets, latitudes, longitudes }: PointBlock, buckets: Int32Array, count: number): void {
    const bound = bucketBound(buckets, count)
    const counts = this.#counts.reserve(bound)
    const total = offsets[count]!
    const decoded = new Float64Array(total)
    for (let i = 0; i < count; i++) counts[buckets[i]!] = counts[buckets[i]!]! + offsets[i + 1]! - offsets[i]!
    for (let slot = 0; slot < total; slot++) decoded[slot] = decodeLatitude(latitudes[slot]!)
    this.#latitudes.reserve(bound)
    this.#latitudes.addBlock(decoded, offsets, buckets, count)
    for (let slot = 0; slot < total; slot++) decoded[slot] = decodeLongitude(longitudes[slot]!)
    this.#longitudes.reserve(bound)
    this.#longitudes.addBlock(decoded, offsets, buckets, count)
  }

  override result(bucket: number): Centroid {
    const count = this.#counts.get(bucket)
    if (count === 0) return { lat: 0, lon: 0, count }
    return { lat: this.#latitudes.get(bucket) / count, lon: this.#longitudes.get(bucket) / count, count }
  }
}

export const geoBoundsKind: AggregationKind = {
  name: 'geo_bounds',
  hasChildren: false,
  parse(reader) {
    let wrap = true
    const source = readSource(
      reader,
      'geo_bounds',
      {
        wrap_longitude: {
          accepts: ACCEPTS_BOOLEAN,
          parse: () => {
            wrap = reader.boolean()
          },
        },
      },
      { format: false, script: false },
    )
    return (parts) => new GeoBounds(parts, source, wrap)
  },
}

export const geoCentroidKind: AggregationKind = {
  name: 'geo_centroid',
  hasChildren: false,
  parse(reader) {
    const source = readSource(reader, 'geo_centroid', {}, { format: false })
    return (parts) => new GeoCentroid(parts, source)
  },
}
