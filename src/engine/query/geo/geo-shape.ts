/** `geo_shape` and `geo_polygon` over points. */
import { illegalArgument } from '../../../base/api-error.ts'
import { notSupportedYet } from '../../../base/errors/search-errors.ts'
import { END_OBJECT, FIELD_NAME, START_OBJECT } from '../../../base/json/json-reader.ts'
import { readValidation } from '../../request/geo-options.ts'
import type { RequestReader } from '../../request/request-reader.ts'
import { planConstantScore } from '../../scoring/constant-weight.ts'
import { matchNothing, type SearchExecutionContext, type Weight } from '../../scoring/query.ts'
import { decodeLatitude, decodeLongitude } from '../../values/geo-encoding.ts'
import { parseGeoPoint, QUERY_POINT } from '../../values/geo-point.ts'
import type { Geometry, Position } from '../../values/wkt.ts'
import { type ClauseOptions, doesNotSupport, newOptions, type QueryClause, readCommonOption } from '../clause.ts'
import { planBoolean } from '../compound/boolean-plan.ts'
import { QueryNode } from '../query-node.ts'
import { ExistsQuery } from '../term-level/exists.ts'
import { withDocValues } from '../term-level/term-text.ts'
import { geoField, pointsQuery } from './geo-field.ts'
import { parseShape } from './geojson.ts'
import { shapeTest } from './point-shapes.ts'

export type ShapeRelation = 'intersects' | 'disjoint' | 'within' | 'contains'

class GeoShapeQuery extends QueryNode {
  override readonly kind: 'geo_shape' | 'geo_polygon'
  readonly field: string
  readonly shape: Geometry
  readonly relation: ShapeRelation
  readonly ignoreUnmapped: boolean

  constructor(
    kind: 'geo_shape' | 'geo_polygon',
    field: string,
    shape: Geometry,
    settings: { relation?: ShapeRelation; ignoreUnmapped?: boolean } = {},
    options: ClauseOptions = newOptions(),
  ) {
    super(options)
    this.kind = kind
    this.field = field
    this.shape = shape
    this.relation = settings.relation ?? 'intersects'
    this.ignoreUnmapped = settings.ignoreUnmapped ?? false
  }

  protected override bind(context: SearchExecutionContext, _scoring: boolean, boost: number): Weight {
    const field = geoField(context, this.field, this.kind, this.ignoreUnmapped)
    if (field === undefined) return matchNothing('')
    const holds = shapeTest(this.shape)
    const inside = (latitude: number, longitude: number) => holds(decodeLatitude(latitude), decodeLongitude(longitude))
    const shown = () => {
      const text = `${this.field}:${this.relation.toUpperCase()}:geometries([${this.shape.type}])`
      return withDocValues(text, text)
    }
    // A point contains only another point; a document with several points is within only if all are.
    if (this.relation === 'contains' && this.shape.type !== 'Point') return matchNothing('')
    if (this.relation === 'intersects' || this.relation === 'contains')
      return pointsQuery(field, { holds: inside }, boost, shown, () => JSON.stringify(this.shape))
    const some = this.relation === 'disjoint' ? inside : (lat: number, lon: number) => !inside(lat, lon)
    const none = planBoolean(
      {
        must: [],
        filter: [new ExistsQuery(this.field).plan(context, false, 1)],
        should: [],
        mustNot: [
          pointsQuery(field, { holds: some }, 1, shown, () => `${this.relation};${JSON.stringify(this.shape)}`),
        ],
      },
      0,
      false,
    )
    return planConstantScore(none, boost)
  }
}

const RELATIONS: readonly ShapeRelation[] = ['intersects', 'disjoint', 'within', 'contains']

export const geoShapeClause: QueryClause = {
  name: 'geo_shape',
  parse(reader) {
    // In Elasticsearch shapes have no weight unless the request gives one.
    const options = { ...newOptions(), boost: 0 }
    const settings: { relation?: ShapeRelation; ignoreUnmapped?: boolean } = {}
    let field: string | undefined
    let shape: Geometry | undefined
    while (reader.next() !== END_OBJECT) {
      if (reader.token === FIELD_NAME) continue
      const member = reader.name
      if (reader.token === START_OBJECT) {
        if (field !== undefined) {
          throw reader.parsingError(`[geo_shape] point specified twice. [${field}] and [${member}]`)
        }
        field = member
        while ((reader.next() as number) !== END_OBJECT) {
          const key = reader.name
          reader.next()
          if (key === 'shape') shape = parseShape(reader.value())
          else if (key === 'relation') settings.relation = parseRelation(reader)
          else if (key === 'indexed_shape') throw notSupportedYet('geo_shape indexed_shape')
          else throw reader.parsingError(`query does not support [${key}]`)
        }
      } else if (member === 'ignore_unmapped') settings.ignoreUnmapped = reader.boolean()
      else if (!readCommonOption(reader, member, options)) throw doesNotSupport(reader, 'geo_shape', member)
    }
    if (field === undefined) throw illegalArgument('fieldName is required')
    if (shape === undefined) throw illegalArgument('either shape or indexedShapeId is required')
    return new GeoShapeQuery('geo_shape', field, shape, settings, options)
  },
}

function parseRelation(reader: RequestReader): ShapeRelation {
  const text = reader.text()
  const relation = RELATIONS.find((known) => known === text.toLowerCase())
  if (relation === undefined) throw reader.parsingError(`Unknown shape operation [${text} ]`)
  return relation
}

export const geoPolygonClause: QueryClause = {
  name: 'geo_polygon',
  parse(reader) {
    const options = newOptions()
    let field: string | undefined
    let ignoreUnmapped = false
    const points: Position[] = []
    while (reader.next() !== END_OBJECT) {
      if (reader.token === FIELD_NAME) continue
      const member = reader.name
      if (reader.token === START_OBJECT) {
        field = member
        while ((reader.next() as number) !== END_OBJECT) {
          const key = reader.name
          reader.next()
          if (key !== 'points') throw doesNotSupport(reader, 'geo_polygon', key)
          reader.each(() => {
            const { lat, lon } = parseGeoPoint(reader.value(), QUERY_POINT)
            points.push([lon, lat])
          })
        }
      } else if (member === 'ignore_unmapped') ignoreUnmapped = reader.boolean()
      else if (member === 'validation_method') readValidation(reader)
      else if (!readCommonOption(reader, member, options)) throw doesNotSupport(reader, 'geo_polygon', member)
    }
    if (field === undefined) throw illegalArgument('fieldName must not be null')
    if (points.length === 0) throw illegalArgument('polygon must not be null or empty')
    if (points.length < 3) throw illegalArgument('too few points defined for geo_polygon query')
    return new GeoShapeQuery(
      'geo_polygon',
      field,
      { type: 'Polygon', coordinates: [points] },
      { ignoreUnmapped },
      options,
    )
  },
}
