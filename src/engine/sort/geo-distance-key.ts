/** `_geo_distance`: sort by the distance to one or more points. */
import { Double } from '../../base/json/json-writer.ts'
import type { FieldType } from '../mapping/field-type.ts'
import { storageName } from '../mapping/storage-name.ts'
import type { AfterValue } from '../request/search-after.ts'
import type { SortMode } from '../request/sort/sort-options.ts'
import type { GeoDocValues, SegmentView } from '../segment/segment-reader-api.ts'
import { decodeLatitude, decodeLongitude } from '../values/geo-encoding.ts'
import type { GeoPoint } from '../values/geo-point.ts'
import { haversineMeters, planeMeters } from '../values/sloppy-math.ts'
import { afterNumber } from './search-after.ts'
import type { SegmentKeys, SortKey, SortValue } from './sort-key.ts'

export interface GeoDistanceOptions {
  /** The name in the request; errors show it. */
  readonly name: string
  readonly field: FieldType | undefined
  readonly points: readonly GeoPoint[]
  readonly descending: boolean
  readonly mode: Exclude<SortMode, 'sum'>
  readonly unitMeters: number
  /** Computes on a flat map and not on the globe. */
  readonly plane: boolean
}

export class GeoDistanceKey implements SortKey {
  readonly needsScores = false
  readonly #options: GeoDistanceOptions
  readonly #sign: number

  constructor(options: GeoDistanceOptions) {
    this.#options = options
    this.#sign = options.descending ? -1 : 1
  }

  segment({ reader }: SegmentView): SegmentKeys {
    const { field } = this.#options
    const docValues = field === undefined ? undefined : reader.geoDocValues(storageName(field))
    const sign = this.#sign
    const distance = (doc: number) => this.#distance(docValues, doc)
    return {
      width: 1,
      fill(docs, count, _base, _scores, out, stride, offset) {
        for (let i = 0; i < count; i++) out[i * stride + offset] = sign * distance(docs[i]!)
      },
      value: distance,
      bound(value, out, offset) {
        out[offset] = sign * (value as number)
      },
    }
  }

  compare(a: SortValue, b: SortValue): number {
    return a! < b! ? -this.#sign : a! > b! ? this.#sign : 0
  }

  format(value: SortValue): unknown {
    return new Double(value as number)
  }

  after(value: AfterValue, position: number): SortValue {
    return afterNumber(value, position, this.#options.name, 'DOUBLE')
  }

  /** A document without a point is infinitely far away. */
  #distance(docValues: GeoDocValues | undefined, doc: number): number {
    if (!docValues?.has(doc)) return Number.POSITIVE_INFINITY
    const { points, mode, unitMeters, plane } = this.#options
    const distances: number[] = []
    for (let slot = docValues.start(doc); slot < docValues.end(doc); slot++) {
      const lat = decodeLatitude(docValues.latitudeAt(slot))
      const lon = decodeLongitude(docValues.longitudeAt(slot))
      for (const point of points) {
        const meters = plane
          ? planeMeters(point.lat, point.lon, lat, lon)
          : haversineMeters(point.lat, point.lon, lat, lon)
        distances.push(meters / unitMeters)
      }
    }
    switch (mode) {
      case 'min':
        return Math.min(...distances)
      case 'max':
        return Math.max(...distances)
      case 'avg':
        return distances.reduce((sum, distance) => sum + distance, 0) / distances.length
      case 'median': {
        distances.sort((a, b) => a - b)
        const middle = distances.length >> 1
        return distances.length % 2 === 1 ? distances[middle]! : (distances[middle - 1]! + distances[middle]!) / 2
      }
    }
  }
}
