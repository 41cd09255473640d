/** `distance_feature`: scores by proximity to a point in time or space. */

import { illegalArgument } from '../../../base/api-error.ts'
import { parseDuration } from '../../../base/duration.ts'
import { requiredMember } from '../../../base/errors/query-errors.ts'
import { formatDouble } from '../../../base/json/json-writer.ts'
import { inNanoseconds } from '../../mapping/field-traits.ts'
import type { FieldType } from '../../mapping/field-type.ts'
import { storageName } from '../../mapping/storage-name.ts'
import { ACCEPTS_NUMBER, ACCEPTS_OBJECT_ARRAY, ACCEPTS_STRING } from '../../request/request-reader.ts'
import { type Explanation, explained, explainedCount, notMatched } from '../../scoring/explanation.ts'
import { matchNothing, type SearchExecutionContext, type Weight } from '../../scoring/query.ts'
import { DocListScorer } from '../../scoring/scorers/doc-list-scorer.ts'
import type { SegmentView } from '../../segment/segment-reader-api.ts'
import { parseDistance } from '../../values/distance-unit.ts'
import { decodeLatitude, decodeLongitude } from '../../values/geo-encoding.ts'
import { parseGeoPoint, QUERY_POINT } from '../../values/geo-point.ts'
import { haversineMeters } from '../../values/sloppy-math.ts'
import { type ClauseOptions, commonMembers, newOptions, type QueryClause } from '../clause.ts'
import { QueryNode } from '../query-node.ts'
import { checkSearchable, METADATA_FIELDS } from './searchable-field.ts'

const noDistance = (type: string) =>
  illegalArgument(
    `Illegal data type of [${type}]![distance_feature] query can only be run on a date, date_nanos or geo_point field type!`,
  )

class DistanceFeatureQuery extends QueryNode {
  override readonly kind = 'distance_feature'
  readonly field: string
  readonly origin: unknown
  readonly pivot: string

  constructor(field: string, origin: unknown, pivot: string, options: ClauseOptions = newOptions()) {
    super(options)
    this.field = field
    this.origin = origin
    this.pivot = pivot
  }

  protected override bind(context: SearchExecutionContext, _scoring: boolean, boost: number): Weight {
    const field = context.mapping.field(this.field)
    if (field === undefined && !METADATA_FIELDS.has(this.field)) return matchNothing('')
    if (field === undefined) throw noDistance(this.field)
    const isDate = field.traits.family === 'date'
    if (isDate || field.traits.family === 'geo') {
      checkSearchable(field)
      if (isDate) return dateFeature(this.#dates(context, field), boost)
      return geoFeature(field, this.origin, parseDistance(this.pivot), boost)
    }
    throw noDistance(field.type)
  }

  #dates(context: SearchExecutionContext, field: FieldType): DateFeature {
    // A day as origin is rounded up to its end, like the upper bound of a range.
    const bound = { value: this.origin, inclusive: true }
    const { upper } = field.rangeValues(undefined, bound, { nowMs: context.nowMs })
    const perMs = inNanoseconds(field.traits) ? 1e6 : 1
    const pivot = parseDuration(this.pivot, 'distance_feature.pivot') * perMs
    if (pivot <= 0) throw illegalArgument(`pivotDistance must be > 0, got ${pivot}`)
    return { name: storageName(field), origin: Number(upper), pivot }
  }
}

interface DateFeature {
  readonly name: string
  readonly origin: number
  readonly pivot: number
}

/** The documents with a value, each scored by its nearest one. */
function featureQuery(
  name: string,
  text: string,
  nearest: (segment: SegmentView, doc: number) => number | undefined,
  score: (distance: number) => number,
  explain: (segment: SegmentView, doc: number, distance: number) => Explanation,
): Weight {
  return {
    scorer(segment) {
      const docs: number[] = []
      const scores: number[] = []
      for (let doc = 0; doc < segment.reader.docCount; doc++) {
        const distance = nearest(segment, doc)
        if (distance === undefined) continue
        docs.push(doc)
        scores.push(score(distance))
      }
      return docs.length === 0 ? undefined : new DocListScorer(Int32Array.from(docs), Float32Array.from(scores))
    },
    text: () => text,
    explain(segment, doc) {
      const distance = nearest(segment, doc)
      if (distance === undefined) return notMatched(`Document ${doc} doesn't have a value for field ${name}`)
      return explain(segment, doc, distance)
    },
  }
}

const inDouble = (value: number, description: string): Explanation => ({
  ...explained(value, description),
  precision: 'double',
})

function dateFeature({ name, origin, pivot }: DateFeature, boost: number): Weight {
  const values = ({ reader }: SegmentView, doc: number): number[] => {
    const docValues = reader.numericDocValues(name)
    const found: number[] = []
    if (!docValues?.has(doc)) return found
    for (let slot = docValues.start(doc); slot < docValues.end(doc); slot++) found.push(docValues.valueAt(slot))
    return found
  }
  const closest = (segment: SegmentView, doc: number) =>
    values(segment, doc).sort((a, b) => Math.abs(a - origin) - Math.abs(b - origin))[0]
  const score = (distance: number) => Math.fround(boost * (pivot / (pivot + distance)))
  return featureQuery(
    name,
    `LongDistanceFeatureQuery(field=,origin=${origin},pivotDistance=${pivot})`,
    (segment, doc) => {
      const value = closest(segment, doc)
      return value === undefined ? undefined : Math.abs(value - origin)
    },
    score,
    (segment, doc, distance) =>
      explained(
        score(distance),
        'Distance score, computed as weight * pivotDistance / (pivotDistance + abs(value - origin)) from:',
        [
          explained(boost, 'weight'),
          explainedCount(pivot, 'pivotDistance'),
          explainedCount(origin, 'origin'),
          explainedCount(closest(segment, doc)!, 'current value'),
        ],
      ),
  )
}

function geoFeature(field: FieldType, given: unknown, pivot: number, boost: number): Weight {
  const name = storageName(field)
  const origin = parseGeoPoint(given, QUERY_POINT)
  checkCoordinate('latitude', origin.lat, 90)
  checkCoordinate('longitude', origin.lon, 180)
  const closest = ({ reader }: SegmentView, doc: number) => {
    const docValues = reader.geoDocValues(name)
    let best: { lat: number; lon: number; distance: number } | undefined
    if (!docValues?.has(doc)) return best
    for (let slot = docValues.start(doc); slot < docValues.end(doc); slot++) {
      const [lat, lon] = [decodeLatitude(docValues.latitudeAt(slot)), decodeLongitude(docValues.longitudeAt(slot))]
      const distance = haversineMeters(origin.lat, origin.lon, lat, lon)
      if (best === undefined || distance < best.distance) best = { lat, lon, distance }
    }
    return best
  }
  const score = (distance: number) => Math.fround(boost * (pivot / (pivot + distance)))
  const [lat, lon] = [formatDouble(origin.lat), formatDouble(origin.lon)]
  return featureQuery(
    name,
    `LatLonPointDistanceFeatureQuery(field=,originLat=${lat},originLon=${lon},pivotDistance=${formatDouble(pivot)})`,
    (segment, doc) => closest(segment, doc)?.distance,
    score,
    (segment, doc, distance) =>
      explained(
        score(distance),
        'Distance score, computed as weight * pivotDistance / (pivotDistance + abs(distance)) from:',
        [
          explained(boost, 'weight'),
          inDouble(pivot, 'pivotDistance'),
          inDouble(origin.lat, 'originLat'),
          inDouble(origin.lon, 'originLon'),
          inDouble(closest(segment, doc)!.lat, 'current lat'),
          inDouble(closest(segment, doc)!.lon, 'current lon'),
          inDouble(distance, 'distance'),
        ],
      ),
  )
}

function checkCoordinate(name: string, value: number, limit: number): void {
  if (Math.abs(value) <= limit) return
  const [shown, most] = [formatDouble(value), formatDouble(limit)]
  throw illegalArgument(`invalid ${name} ${shown}; must be between -${most} and ${most}`)
}

export const distanceFeatureClause: QueryClause = {
  name: 'distance_feature',
  parse(reader) {
    const options = newOptions()
    const given: { field?: string; origin?: unknown; pivot?: string } = {}
    reader.parseObject('distance_feature', [
      {
        field: {
          accepts: ACCEPTS_STRING,
          parse: () => {
            given.field = reader.text()
          },
        },
        origin: {
          accepts: [...ACCEPTS_NUMBER, ...ACCEPTS_OBJECT_ARRAY],
          parse: () => {
            given.origin = reader.value()
            // Only a text can be a date as well as a point.
            if (typeof given.origin === 'object') parseGeoPoint(given.origin, QUERY_POINT)
          },
        },
        pivot: {
          accepts: ACCEPTS_STRING,
          parse: () => {
            given.pivot = reader.text()
          },
        },
      },
      commonMembers(reader, options),
    ])
    const missing = (['field', 'origin', 'pivot'] as const).filter((key) => given[key] === undefined)
    if (missing.length > 0) throw requiredMember(missing.join(', '))
    return new DistanceFeatureQuery(given.field!, given.origin, given.pivot!, options)
  },
}
