/** `geo_distance`: groups points by rings around an origin. */

import { illegalArgument } from '../../../base/api-error.ts'
import { unknownDistanceUnit, unknownGeoDistance } from '../../../base/errors/value-errors.ts'
import { type JsonToken, START_ARRAY, START_OBJECT, STRING } from '../../../base/json/json-reader.ts'
import { Double, formatDouble } from '../../../base/json/json-writer.ts'
import { ACCEPTS_STRING } from '../../request/request-reader.ts'
import { unitMeters } from '../../values/distance-unit.ts'
import { decodeLatitude, decodeLongitude } from '../../values/geo-encoding.ts'
import { type GeoPoint, parseGeoPoint, QUERY_POINT } from '../../values/geo-point.ts'
import { parseDouble } from '../../values/java-number.ts'
import { haversineMeters, planeMeters } from '../../values/sloppy-math.ts'
import type { AggregationParts } from '../aggregation.ts'
import type { AggregationContext } from '../aggregation-context.ts'
import type { AggregationKind } from '../aggregation-kind.ts'
import { pointValues } from '../values/point-values.ts'
import {
  bindSource,
  newSourceSettings,
  requireField,
  type SourceSettings,
  sourceMembers,
} from '../values/value-source.ts'
import { type AskedRange, rangeMembers, requireRanges, sortRanges } from './number-range.ts'
import { type BoundRanges, type RangeLabel, RangesAggregation } from './range-buckets.ts'

const KIND = 'geo_distance'

interface Ring {
  readonly key: string | undefined
  readonly from: number
  readonly to: number
  /** Whether the request gives the start of the ring. */
  readonly hasFrom: boolean
}

interface Options {
  readonly source: SourceSettings
  keyed: boolean
  ranges: AskedRange[]
  origin: GeoPoint | undefined
  unitMeters: number
  plane: boolean
}

class GeoDistance extends RangesAggregation {
  readonly kind = KIND
  protected readonly keyed: boolean
  readonly #options: Options
  readonly #rings: readonly Ring[]

  constructor(parts: AggregationParts, options: Options) {
    super(parts)
    this.keyed = options.keyed
    this.#options = options
    this.#rings = sortRanges(options.ranges.map(readRing))
  }

  protected override bind({ shard }: AggregationContext): BoundRanges {
    const { source: settings, origin, unitMeters: unit, plane } = this.#options
    const source = bindSource(shard, settings, KIND, ['geo'], 'geo')
    requireRanges(this.#rings, this.name)
    const from = Float64Array.from(this.#rings, (ring) => ring.from)
    const to = Float64Array.from(this.#rings, (ring) => ring.to)
    const { lat, lon } = origin!
    const distance = plane ? planeMeters : haversineMeters
    return {
      labels: this.#rings.map(ringLabel),
      segment: (view) => {
        const values = pointValues(source, view)
        if (values === undefined) return undefined
        return {
          from,
          to,
          readBlock: (docs, count, into) => {
            const points = values.readBlock(docs, count)
            into.offsets.set(points.offsets.subarray(0, count + 1))
            const total = points.offsets[count]!
            if (into.values.length < total) into.values = new Float64Array(total * 2)
            for (let slot = 0; slot < total; slot++) {
              const latitude = decodeLatitude(points.latitudes[slot]!)
              const longitude = decodeLongitude(points.longitudes[slot]!)
              into.values[slot] = distance(lat, lon, latitude, longitude) / unit
            }
          },
        }
      },
    }
  }
}

function readRing({ key, from, to }: AskedRange): Ring {
  const bound = (asked: number | string | undefined, open: number) =>
    typeof asked === 'string' ? parseDouble(asked) : (asked ?? open)
  return { key, from: bound(from, 0), to: bound(to, Number.POSITIVE_INFINITY), hasFrom: from !== undefined }
}

function ringLabel({ key, from, to, hasFrom }: Ring): RangeLabel {
  const end = Number.isFinite(to)
  const text = `${hasFrom ? formatDouble(from) : '*'}-${end ? formatDouble(to) : '*'}`
  return { key: key ?? text, members: { from: new Double(from), to: end ? new Double(to) : undefined } }
}

const ACCEPTS_POINT: readonly JsonToken[] = [STRING, START_OBJECT, START_ARRAY]

export const geoDistanceKind: AggregationKind = {
  name: KIND,
  hasChildren: true,
  parse(reader, name) {
    const options: Options = {
      source: newSourceSettings(),
      keyed: false,
      ranges: [],
      origin: undefined,
      unitMeters: 1,
      plane: false,
    }
    reader.parseObject(KIND, [
      sourceMembers(reader, options.source, { format: false }),
      rangeMembers(reader, KIND, options),
      {
        origin: {
          accepts: ACCEPTS_POINT,
          parse: () => {
            options.origin = parseGeoPoint(reader.value(), QUERY_POINT)
          },
        },
        unit: {
          accepts: ACCEPTS_STRING,
          parse: () => {
            const meters = unitMeters(reader.text())
            if (meters === undefined) throw unknownDistanceUnit(reader.text())
            options.unitMeters = meters
          },
        },
        distance_type: {
          accepts: ACCEPTS_STRING,
          parse: () => {
            const type = reader.text().toLowerCase()
            if (type !== 'arc' && type !== 'plane') throw unknownGeoDistance(reader.text())
            options.plane = type === 'plane'
          },
        },
      },
    ])
    requireField(options.source)
    if (options.origin === undefined) throw illegalArgument(`Aggregation [${name}] must define an [origin].`)
    return (parts) => new GeoDistance(parts, options)
  },
}
