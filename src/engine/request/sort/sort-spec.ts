/** The `sort` of a request and its parser. */
import { illegalArgument } from '../../../base/api-error.ts'
import {
  DECIMAL,
  END_ARRAY,
  END_OBJECT,
  FALSE,
  INTEGER,
  NULL,
  START_ARRAY,
  START_OBJECT,
  STRING,
  TRUE,
} from '../../../base/json/json-reader.ts'
import type { QueryParser } from '../query-parser.ts'
import { ACCEPTS_OBJECT, ACCEPTS_STRING, type RequestReader } from '../request-reader.ts'
import { type GeoDistanceSort, parseGeoDistanceSort } from './geo-distance-sort.ts'
import { type NestedSort, parseNestedSort } from './nested-sort.ts'
import { parseScriptSort, type ScriptSort } from './script-sort.ts'
import { parseMode, parseOrder, type SortMode } from './sort-options.ts'

export type NumericType = 'long' | 'double' | 'date' | 'date_nanos'

export interface ScoreSort {
  readonly kind: 'score'
  readonly descending: boolean
}

/** `_doc`: index order. */
export interface DocSort {
  readonly kind: 'doc'
  readonly descending: boolean
}

/** `_shard_doc`: unique among all documents of a point in time. */
export interface ShardDocSort {
  readonly kind: 'shard_doc'
  readonly descending: boolean
}

export interface FieldSort {
  readonly kind: 'field'
  readonly field: string
  readonly descending: boolean
  /** `_last`, `_first`, or a substitute value. */
  readonly missing: unknown
  readonly mode: SortMode | undefined
  readonly unmappedType: string | undefined
  readonly numericType: NumericType | undefined
  readonly format: string | undefined
  readonly nested: NestedSort | undefined
  /** Values of single precision are shown and read back in double precision, as those of other indices. */
  readonly widens?: boolean
}

export type SortSpec = ScoreSort | DocSort | ShardDocSort | FieldSort | GeoDistanceSort | ScriptSort

/** Reads `sort` at its value token. Filters of nested sorts are parsed by `parseQuery`. */
export function parseSort(reader: RequestReader, parseQuery: QueryParser): SortSpec[] {
  const specs: SortSpec[] = []
  if (reader.token === START_ARRAY) {
    while (reader.next() !== END_ARRAY) {
      if (reader.is(START_OBJECT)) parseCompound(reader, specs, parseQuery)
      else if (reader.is(STRING)) specs.push(sortBy(reader.text()))
      else {
        throw illegalArgument(
          'malformed sort format, within the sort array, an object, or an actual string are allowed',
        )
      }
    }
  } else if (reader.isValue) specs.push(sortBy(reader.text()))
  else if (reader.is(START_OBJECT)) parseCompound(reader, specs, parseQuery)
  else throw illegalArgument('malformed sort format, either start with array, object, or an actual string')
  return specs
}

/** A sort without options; an order reverses the default. */
export function sortBy(field: string, order?: 'asc' | 'desc'): SortSpec {
  if (field === '_score') return { kind: 'score', descending: order !== 'asc' }
  if (field === '_doc') return { kind: 'doc', descending: order === 'desc' }
  if (field === '_shard_doc') return { kind: 'shard_doc', descending: order === 'desc' }
  return fieldSort(field, { descending: order === 'desc' })
}

function fieldSort(field: string, options: Partial<Omit<FieldSort, 'kind' | 'field'>>): FieldSort {
  return {
    kind: 'field',
    field,
    descending: false,
    missing: undefined,
    mode: undefined,
    unmappedType: undefined,
    numericType: undefined,
    format: undefined,
    nested: undefined,
    ...options,
  }
}

function parseCompound(reader: RequestReader, specs: SortSpec[], parseQuery: QueryParser): void {
  while (reader.next() !== END_OBJECT) {
    // The end of an array around the options, which Elasticsearch ignores.
    if (reader.is(END_ARRAY)) continue
    const field = reader.name
    reader.next()
    if (reader.is(STRING)) specs.push(sortBy(field, parseOrder(reader.text())))
    else if (field === '_score') specs.push(parseOrderOnly(reader, '_score'))
    else if (field === '_geo_distance') specs.push(parseGeoDistanceSort(reader, parseQuery))
    else if (field === '_script') specs.push(parseScriptSort(reader, parseQuery))
    else specs.push(parseFieldSort(reader, field, parseQuery))
  }
}

function parseOrderOnly(reader: RequestReader, name: '_score'): SortSpec {
  let order: 'asc' | 'desc' | undefined
  reader.parseObject(name, {
    order: {
      accepts: ACCEPTS_STRING,
      parse: () => {
        order = parseOrder(reader.text())
      },
    },
  })
  return sortBy(name, order)
}

const ACCEPTS_VALUE = [STRING, INTEGER, DECIMAL, TRUE, FALSE, NULL] as const

function parseFieldSort(reader: RequestReader, field: string, parseQuery: QueryParser): SortSpec {
  const options: { -readonly [K in keyof FieldSort]?: FieldSort[K] } = {}
  reader.parseObject('field_sort', {
    missing: {
      accepts: ACCEPTS_VALUE,
      parse: () => {
        options.missing = reader.token === NULL ? undefined : reader.value()
      },
    },
    unmapped_type: {
      accepts: [STRING, NULL],
      parse: () => {
        options.unmappedType = reader.textOrNull() ?? undefined
      },
    },
    order: {
      accepts: ACCEPTS_STRING,
      parse: () => {
        options.descending = parseOrder(reader.text()) === 'desc'
      },
    },
    mode: {
      accepts: ACCEPTS_STRING,
      parse: () => {
        options.mode = parseMode(reader.text())
      },
    },
    nested: {
      accepts: ACCEPTS_OBJECT,
      parse: () => {
        options.nested = parseNestedSort(reader, parseQuery)
      },
    },
    numeric_type: {
      accepts: ACCEPTS_STRING,
      parse: () => {
        options.numericType = parseNumericType(reader.text())
      },
    },
    format: {
      accepts: ACCEPTS_STRING,
      parse: () => {
        options.format = reader.text()
      },
    },
  })
  if (field === '_doc') return { kind: 'doc', descending: options.descending ?? false }
  if (field === '_shard_doc') return { kind: 'shard_doc', descending: options.descending ?? false }
  return fieldSort(field, options)
}

function parseNumericType(text: string): NumericType {
  const type = text.toLowerCase()
  if (type === 'long' || type === 'double' || type === 'date' || type === 'date_nanos') return type
  throw illegalArgument(`invalid value for [numeric_type], must be [long, double, date, date_nanos], got ${text}`)
}
