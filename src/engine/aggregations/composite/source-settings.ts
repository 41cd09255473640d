/**
 * Parses the sources of a composite. Tokens are consumed as in Elasticsearch, so that errors have the same position.
 */

import { type ApiError, illegalArgument, xContentParse } from '../../../base/api-error.ts'
import { sourceIntervalTooSmall } from '../../../base/errors/aggregation-errors.ts'
import { DECIMAL, FIELD_NAME, INTEGER, type JsonToken, START_OBJECT, STRING } from '../../../base/json/json-reader.ts'
import { tokenName } from '../../../base/json/token-names.ts'
import { type BoundingBox, readBounds } from '../../query/geo/geo-bounding-box.ts'
import {
  ACCEPTS_BOOLEAN,
  ACCEPTS_NUMBER,
  ACCEPTS_OBJECT,
  ACCEPTS_STRING,
  type MemberParser,
  type RequestReader,
} from '../../request/request-reader.ts'
import { checkZoom } from '../../values/geotile.ts'
import { type DateInterval, intervalMembers, newDateInterval } from '../histograms/date-interval.ts'
import { newSourceSettings, readZone, type SourceSettings, sourceMembers } from '../values/value-source.ts'

export type SourceKind = 'terms' | 'histogram' | 'date_histogram' | 'geotile_grid'
export type MissingOrder = 'first' | 'last' | 'default'

export interface CompositeSource {
  readonly name: string
  readonly kind: SourceKind
  readonly source: SourceSettings
  descending: boolean
  missingBucket: boolean
  missingOrder: MissingOrder
  /** For a histogram. */
  interval: number | undefined
  /** For a date histogram. */
  readonly dates: DateInterval
  /** For a grid. */
  precision: number
  bounds: BoundingBox | undefined
}

const GRID_PRECISION_DEFAULT = 7

/** Parses the value of `sources`: a list, or a single source. */
export function readSources(reader: RequestReader): CompositeSource[] {
  const sources: CompositeSource[] = []
  reader.items(() => sources.push(readSource(reader)))
  checkNames(sources)
  return sources
}

function checkNames(sources: readonly CompositeSource[]): void {
  if (sources.length === 0) throw notBuilt(illegalArgument('Composite [sources] cannot be null or empty'))
  const names = sources.map(({ name }) => name)
  const repeated = [...new Set(names.filter((name, i) => names.indexOf(name) !== i))].sort()
  if (repeated.length > 0) {
    throw notBuilt(illegalArgument(`Composite source names must be unique, found duplicates: [${repeated.join(', ')}]`))
  }
}

const notBuilt = (cause: ApiError) =>
  xContentParse('Failed to build [composite] after last required field arrived', {
    causedBy: cause,
  })

function expect(reader: RequestReader, token: JsonToken): void {
  if (reader.is(token)) return
  throw reader.parsingError(
    `Failed to parse object: expecting token of type [${tokenName(token)}] but found [${reader.tokenName}]`,
  )
}

function readSource(reader: RequestReader): CompositeSource {
  expect(reader, START_OBJECT)
  reader.next()
  expect(reader, FIELD_NAME)
  const { name } = reader
  reader.next()
  expect(reader, START_OBJECT)
  reader.next()
  expect(reader, FIELD_NAME)
  const kind = reader.name
  reader.next()
  expect(reader, START_OBJECT)
  if (kind !== 'terms' && kind !== 'histogram' && kind !== 'date_histogram' && kind !== 'geotile_grid') {
    throw reader.parsingError(`invalid source type: ${kind}`)
  }
  const source: CompositeSource = {
    name,
    kind,
    source: newSourceSettings(),
    descending: false,
    missingBucket: false,
    missingOrder: 'default',
    interval: undefined,
    dates: newDateInterval(),
    precision: GRID_PRECISION_DEFAULT,
    bounds: undefined,
  }
  reader.parseObject(kind, [commonMembers(reader, source), MEMBERS[kind](reader, source)])
  reader.next()
  reader.next()
  return source
}

function commonMembers(reader: RequestReader, source: CompositeSource): Record<string, MemberParser> {
  const { valueType: _, ...members } = sourceMembers(reader, source.source, { format: false, missing: false })
  return {
    ...members,
    order: {
      accepts: ACCEPTS_STRING,
      parse: () => {
        const order = reader.text().toLowerCase()
        if (order !== 'asc' && order !== 'desc') throw noEnumConstant('sort.SortOrder', reader.text())
        source.descending = order === 'desc'
      },
    },
    missing_bucket: {
      accepts: ACCEPTS_BOOLEAN,
      parse: () => {
        source.missingBucket = reader.boolean()
      },
    },
    missing_order: {
      accepts: ACCEPTS_STRING,
      parse: () => {
        const order = reader.text().toLowerCase()
        if (order !== 'first' && order !== 'last' && order !== 'default') {
          throw noEnumConstant('aggregations.bucket.composite.MissingOrder', reader.text())
        }
        source.missingOrder = order
      },
    },
  }
}

const noEnumConstant = (javaEnum: string, value: string) =>
  illegalArgument(`No enum constant org.elasticsearch.search.${javaEnum}.${value.toUpperCase()}`)

const MEMBERS: Readonly<
  Record<SourceKind, (reader: RequestReader, source: CompositeSource) => Record<string, MemberParser>>
> = {
  terms: () => ({}),
  histogram: (reader, source) => ({
    interval: {
      accepts: ACCEPTS_NUMBER,
      parse: () => {
        const interval = reader.float()
        if (!(interval > 0)) throw sourceIntervalTooSmall()
        source.interval = interval
      },
    },
  }),
  date_histogram: (reader, source) => ({
    ...intervalMembers(reader, source.dates),
    format: {
      accepts: ACCEPTS_STRING,
      parse: () => {
        source.source.format = reader.text()
      },
    },
    time_zone: {
      accepts: [STRING, INTEGER],
      parse: () => {
        source.source.timeZone = readZone(reader)
      },
    },
  }),
  geotile_grid: (reader, source) => ({
    precision: {
      accepts: [INTEGER, DECIMAL, STRING],
      parse: () => {
        source.precision = checkZoom(reader.integer())
      },
    },
    bounds: {
      accepts: ACCEPTS_OBJECT,
      parse: () => {
        source.bounds = readBounds(reader)
      },
    },
  }),
}

/** Whether the bucket of documents without a value comes first. */
export function isMissingFirst({ missingOrder, descending }: CompositeSource): boolean {
  return missingOrder === 'default' ? !descending : missingOrder === 'first'
}
