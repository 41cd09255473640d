/** GeoPoint and the distances of geo_point doc values. */
import { decodeGeohash } from '../../../values/geohash.ts'
import { haversineMeters, planeMeters } from '../../../values/sloppy-math.ts'
import { doubleHash } from '../equality.ts'
import { JArray, JObject } from '../java-object.ts'
import { doubleText } from '../java-text.ts'
import { registerConstructors } from '../registry.ts'

export class GeoPoint extends JObject {
  readonly lat: number
  readonly lon: number

  constructor(lat: number, lon: number) {
    super()
    this.lat = lat
    this.lon = lon
  }

  get $class(): string {
    return 'org.elasticsearch.common.geo.GeoPoint'
  }

  getLat_0(): number {
    return this.lat
  }

  getLon_0(): number {
    return this.lon
  }

  override equals_1(other: unknown): boolean {
    return other instanceof GeoPoint && other.lat === this.lat && other.lon === this.lon
  }

  override hashCode_0(): number {
    return (Math.imul(31, doubleHash(this.lat)) + doubleHash(this.lon)) | 0
  }

  override toString_0(): string {
    return `${doubleText(this.lat)}, ${doubleText(this.lon)}`
  }

  toJsonValue(): unknown {
    return { lat: this.lat, lon: this.lon }
  }
}

class BoundingBox extends JObject {
  readonly #topLeft: GeoPoint
  readonly #bottomRight: GeoPoint

  constructor(topLeft: GeoPoint, bottomRight: GeoPoint) {
    super()
    this.#topLeft = topLeft
    this.#bottomRight = bottomRight
  }

  get $class(): string {
    return 'org.elasticsearch.common.geo.GeoBoundingBox'
  }

  topLeft_0(): GeoPoint {
    return this.#topLeft
  }

  bottomRight_0(): GeoPoint {
    return this.#bottomRight
  }

  toJsonValue(): unknown {
    return { top_left: this.#topLeft.toJsonValue(), bottom_right: this.#bottomRight.toJsonValue() }
  }
}

/** Distances in metres from a point. */
export const distances = {
  array: (values: number[]): JArray => new JArray('double[]', values),
  arc: (from: GeoPoint, lat: number, lon: number): number => haversineMeters(from.lat, from.lon, lat, lon),
  plane: (from: GeoPoint, lat: number, lon: number): number => planeMeters(from.lat, from.lon, lat, lon),
  geohash(from: GeoPoint, hash: string): number {
    const { lat, lon } = decodeGeohash(hash)
    return haversineMeters(from.lat, from.lon, lat, lon)
  },
}

const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length

export function centroid(points: readonly GeoPoint[]): GeoPoint | null {
  if (points.length === 0) return null
  return new GeoPoint(mean(points.map((p) => p.lat)), mean(points.map((p) => p.lon)))
}

export function boundingBox(points: readonly GeoPoint[]): JObject | null {
  if (points.length === 0) return null
  const lats = points.map((p) => p.lat)
  const lons = points.map((p) => p.lon)
  return new BoundingBox(
    new GeoPoint(Math.max(...lats), Math.min(...lons)),
    new GeoPoint(Math.min(...lats), Math.max(...lons)),
  )
}

registerConstructors('org.elasticsearch.common.geo.GeoPoint', {
  0: () => new GeoPoint(0, 0),
  2: (lat: number, lon: number) => new GeoPoint(lat, lon),
})
