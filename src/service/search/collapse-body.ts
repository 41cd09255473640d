/** `collapse`, with the inner hits each group may list. */
import { illegalArgument } from '../../base/api-error.ts'
import { notSupportedYet } from '../../base/errors/search-errors.ts'
import { START_ARRAY, START_OBJECT, STRING } from '../../base/json/json-reader.ts'
import {
  ACCEPTS_BOOLEAN,
  ACCEPTS_NUMBER,
  ACCEPTS_OBJECT_ARRAY,
  ACCEPTS_STRING,
  type RequestReader,
} from '../../engine/query/request-reader.ts'
import { parseSort } from '../../engine/sort/sort-spec.ts'
import { readSourceFilter } from '../shards/source-filter-json.ts'
import { type Collapse, newSearchBody, readFields, readStoredFields, type SearchBody } from './search-body.ts'

export function readCollapse(reader: RequestReader): Collapse {
  let field: string | undefined
  const innerHits: { name: string | undefined; body: SearchBody }[] = []
  reader.parseObject('collapse', {
    field: {
      accepts: ACCEPTS_STRING,
      parse: () => {
        field = reader.text()
      },
    },
    inner_hits: {
      accepts: ACCEPTS_OBJECT_ARRAY,
      parse: () => reader.each(() => innerHits.push(readInnerHits(reader))),
    },
    max_concurrent_group_searches: { accepts: ACCEPTS_NUMBER, parse: () => reader.integer() },
  })
  const named = innerHits.map(({ name, body }) => ({ name: name ?? field ?? '', body }))
  if (new Set(named.map(({ name }) => name)).size < named.length) {
    throw illegalArgument(`[inner_hits] already contains an entry for key [${named[0]!.name}]`)
  }
  return { field, innerHits: named }
}

const INNER_SIZE_DEFAULT = 3

function readInnerHits(reader: RequestReader): { name: string | undefined; body: SearchBody } {
  let name: string | undefined
  const body = newSearchBody()
  body.size = INNER_SIZE_DEFAULT
  const flag = (key: 'version' | 'seqNoPrimaryTerm' | 'trackScores') => ({
    accepts: ACCEPTS_BOOLEAN,
    parse: () => {
      body[key] = reader.boolean()
    },
  })
  const toCome = (key: string) => ({
    accepts: ACCEPTS_OBJECT_ARRAY,
    parse: () => {
      throw notSupportedYet(`inner_hits ${key}`)
    },
  })
  reader.parseObject('inner_hits', {
    name: {
      accepts: ACCEPTS_STRING,
      parse: () => {
        name = reader.text()
      },
    },
    ignore_unmapped: { accepts: ACCEPTS_BOOLEAN, parse: () => reader.boolean() },
    from: {
      accepts: ACCEPTS_NUMBER,
      parse: () => {
        body.from = reader.integer()
      },
    },
    size: {
      accepts: ACCEPTS_NUMBER,
      parse: () => {
        body.size = reader.integer()
      },
    },
    version: flag('version'),
    seq_no_primary_term: flag('seqNoPrimaryTerm'),
    track_scores: flag('trackScores'),
    explain: { accepts: ACCEPTS_BOOLEAN, parse: () => reader.boolean() },
    stored_fields: {
      accepts: [STRING, START_ARRAY],
      parse: () => {
        body.storedFields = readStoredFields(reader)
      },
    },
    docvalue_fields: {
      accepts: [START_ARRAY],
      parse: () => {
        body.docvalueFields = readFields(reader)
      },
    },
    fields: {
      accepts: [START_ARRAY],
      parse: () => {
        body.fields = readFields(reader)
      },
    },
    sort: {
      accepts: [START_OBJECT, START_ARRAY, STRING],
      parse: () => {
        body.sort = parseSort(reader)
      },
    },
    _source: {
      accepts: [START_OBJECT, START_ARRAY, STRING, ...ACCEPTS_BOOLEAN],
      parse: () => {
        body.source = readSourceFilter(reader)
      },
    },
    highlight: toCome('highlight'),
    script_fields: toCome('script_fields'),
    collapse: toCome('collapse'),
  })
  return { name, body }
}
