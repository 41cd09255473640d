/** Parses one entry of `rescore`. */
import { illegalArgument } from '../../base/api-error.ts'
import { END_OBJECT, START_OBJECT } from '../../base/json/json-reader.ts'
import type { Query } from '../scoring/query.ts'
import type { QueryParser } from './query-parser.ts'
import { ACCEPTS_NUMBER, ACCEPTS_OBJECT, ACCEPTS_STRING, type RequestReader } from './request-reader.ts'

const WINDOW_DEFAULT = 10
const MODES: readonly RescoreMode[] = ['total', 'multiply', 'avg', 'max', 'min']

export function readRescore(reader: RequestReader, parseQuery: QueryParser): Rescore {
  let windowSize = WINDOW_DEFAULT
  let rescore: Omit<Rescore, 'windowSize'> | undefined
  while (reader.next() !== END_OBJECT) {
    const member = reader.name
    reader.next()
    if (member === 'window_size' && reader.isValue) windowSize = reader.integer()
    else if (reader.token === START_OBJECT) {
      if (member !== 'query') throw reader.unknownKind(member)
      rescore = readQuery(reader, parseQuery)
    } else if (reader.isValue) throw reader.parsingError(`rescore doesn't support [${member}]`)
    else throw reader.parsingError(`unexpected token [${reader.tokenName}] after [${member}]`)
  }
  if (rescore === undefined) throw reader.parsingError('missing rescore type')
  return { windowSize, ...rescore }
}

function readQuery(reader: RequestReader, parseQuery: QueryParser): Omit<Rescore, 'windowSize'> {
  let query: Query | undefined
  let queryWeight = 1
  let rescoreQueryWeight = 1
  let mode: RescoreMode = 'total'
  reader.parseObject('query', {
    rescore_query: {
      accepts: ACCEPTS_OBJECT,
      parse: () => {
        query = parseQuery(reader)
      },
    },
    query_weight: {
      accepts: ACCEPTS_NUMBER,
      parse: () => {
        queryWeight = reader.float()
      },
    },
    rescore_query_weight: {
      accepts: ACCEPTS_NUMBER,
      parse: () => {
        rescoreQueryWeight = reader.float()
      },
    },
    score_mode: {
      accepts: ACCEPTS_STRING,
      parse: () => {
        const found = MODES.find((known) => known === reader.text().toLowerCase())
        if (found === undefined) throw illegalArgument(`illegal score_mode [${reader.text()}]`)
        mode = found
      },
    },
  })
  if (query === undefined) throw illegalArgument('rescore_query cannot be null')
  return { query, queryWeight, rescoreQueryWeight, mode }
}

export type RescoreMode = 'total' | 'multiply' | 'avg' | 'max' | 'min'

export interface Rescore {
  readonly windowSize: number
  readonly query: Query
  readonly queryWeight: number
  readonly rescoreQueryWeight: number
  readonly mode: RescoreMode
}
