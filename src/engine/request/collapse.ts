/** `collapse`, with optional inner hits per group. */
import { illegalArgument } from '../../base/api-error.ts'
import { type InnerHitsRequest, parseInnerHits } from './inner-hits.ts'
import type { QueryParser } from './query-parser.ts'
import { ACCEPTS_NUMBER, ACCEPTS_OBJECT_ARRAY, ACCEPTS_STRING, type RequestReader } from './request-reader.ts'

export interface CollapseRequest {
  readonly field: string | undefined
  readonly innerHits: readonly (InnerHitsRequest & { readonly name: string })[]
}

export function parseCollapse(reader: RequestReader, parseQuery: QueryParser): CollapseRequest {
  let field: string | undefined
  const innerHits: (InnerHitsRequest & { name: string })[] = []
  reader.parseObject('collapse', {
    field: {
      accepts: ACCEPTS_STRING,
      parse: () => {
        field = reader.text()
        if (field === '') throw illegalArgument('field name is null or empty')
      },
    },
    inner_hits: {
      accepts: ACCEPTS_OBJECT_ARRAY,
      parse: () => reader.each(() => innerHits.push(named(parseInnerHits(reader, parseQuery)))),
    },
    max_concurrent_group_searches: {
      accepts: ACCEPTS_NUMBER,
      parse: () => {
        if (reader.integer() < 1) throw illegalArgument('maxConcurrentGroupRequests` must be positive')
      },
    },
  })
  return { field, innerHits }
}

function named(request: InnerHitsRequest): InnerHitsRequest & { name: string } {
  const { name } = request
  if (name === undefined) {
    throw illegalArgument('inner_hits must have a [name]; set the [name] field in the inner_hits definition')
  }
  return { ...request, name }
}
