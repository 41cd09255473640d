/** Parses the bodies of requests about points in time and scrolls. */
import { ApiError, illegalArgument } from '../../base/api-error.ts'
import { parseDuration } from '../../base/duration.ts'
import { jsonSyntaxError } from '../../base/errors/json-errors.ts'
import { END_OBJECT, START_ARRAY, START_OBJECT, STRING } from '../../base/json/json-reader.ts'
import { JsonSyntaxError } from '../../base/json/json-syntax-error.ts'
import { parseQuery } from '../../engine/query/parse-query.ts'
import { RequestReader } from '../../engine/request/request-reader.ts'
import type { Query } from '../../engine/scoring/query.ts'

export interface ScrollBody {
  readonly scrollId: string | undefined
  readonly keepAliveMs: number | undefined
}

/** `{"scroll": "1m", "scroll_id": "…"}` */
export function parseScrollBody(bytes: Uint8Array): ScrollBody {
  let scrollId: string | undefined
  let keepAliveMs: number | undefined
  eachMember(bytes, (reader, name) => {
    if (name === 'scroll_id' && reader.is(STRING)) scrollId = reader.text()
    else if (name === 'scroll' && reader.is(STRING)) keepAliveMs = parseDuration(reader.text(), 'scroll')
    else throw unknownParameter(name, reader.tokenName)
  })
  return { scrollId, keepAliveMs }
}

/** `{"scroll_id": "…"}` or a list of them. */
export function parseClearScrollBody(bytes: Uint8Array): string[] {
  const ids: string[] = []
  eachMember(bytes, (reader, name) => {
    if (name !== 'scroll_id' || !(reader.isValue || reader.is(START_ARRAY))) {
      throw unknownParameter(name, reader.tokenName)
    }
    reader.each(() => ids.push(reader.text()))
  })
  return ids
}

/** `{"id": "…"}` */
export function parseClosePointInTimeBody(bytes: Uint8Array): string {
  let id: string | undefined
  eachMember(bytes, (reader, name) => {
    if (name !== 'id') throw unknownParameter(name, 'FIELD_NAME')
    if (!reader.isValue) throw illegalArgument('the request must contain only [id field')
    id = reader.text()
  })
  if (id === undefined || id === '') throw illegalArgument('search context id is is not provided')
  return id
}

/** `{"pit_id": ["…"]}`, the form of OpenSearch. */
export function parseDeletePitsBody(bytes: Uint8Array): string[] {
  const ids: string[] = []
  eachMember(bytes, (reader, name) => {
    if (name !== 'pit_id') throw unknownParameter(name, reader.tokenName)
    reader.each(() => ids.push(reader.text()))
  })
  return ids
}

/** `{"index_filter": {…}}`: shards without a possible match are omitted. */
export function parseOpenPointInTimeBody(bytes: Uint8Array): Query | undefined {
  if (bytes.length === 0) return undefined
  const reader = new RequestReader(bytes)
  let filter: Query | undefined
  reader.parseObject('open_point_in_time_request', {
    index_filter: {
      accepts: [START_OBJECT],
      parse: () => {
        filter = parseQuery(reader)
      },
    },
  })
  return filter
}

function eachMember(bytes: Uint8Array, read: (reader: RequestReader, name: string) => void): void {
  const reader = new RequestReader(bytes)
  try {
    reader.next()
    if (reader.token !== START_OBJECT) throw illegalArgument('Malformed content, must start with an object')
    while (reader.next() !== END_OBJECT) {
      const { name } = reader
      reader.next()
      read(reader, name)
    }
  } catch (error) {
    if (error instanceof ApiError || !(error instanceof JsonSyntaxError)) throw error
    throw illegalArgument('Failed to parse request body', jsonSyntaxError(error))
  }
}

const unknownParameter = (name: string, token: string) =>
  illegalArgument(`Unknown parameter [${name}] in request body or parameter is of the wrong type[${token}] `)
