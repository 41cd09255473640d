/** `collapse` of a search. The inner hits of a group are separate searches. */
import { parseQuery } from '../../../engine/query/parse-query.ts'
import { parseCollapse } from '../../../engine/request/collapse.ts'
import type { InnerHitsRequest } from '../../../engine/request/inner-hits.ts'
import type { RequestReader } from '../../../engine/request/request-reader.ts'
import { type Collapse, newSearchBody, type SearchBody } from './search-body.ts'

export function readCollapse(reader: RequestReader): Collapse {
  const { field, innerHits } = parseCollapse(reader, parseQuery)
  return { field, innerHits: innerHits.map((request) => ({ name: request.name, body: groupSearch(request) })) }
}

function groupSearch({ collapseField: field, name: _, ignoreUnmapped: __, ...options }: InnerHitsRequest): SearchBody {
  return { ...newSearchBody(), ...options, collapse: field === undefined ? undefined : { field, innerHits: [] } }
}
