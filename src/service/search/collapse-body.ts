/** `collapse` of a search: the inner hits of a group are found by searches of their own. */
import { parseQuery } from '../../engine/query/parse-query.ts'
import type { RequestReader } from '../../engine/query/request-reader.ts'
import { type CollapseRequest, parseCollapse } from '../../engine/search/collapse-request.ts'
import type { InnerHitsRequest } from '../../engine/search/inner-hits-request.ts'
import { type Collapse, newSearchBody, type SearchBody } from './search-body.ts'

export function readCollapse(reader: RequestReader): Collapse {
  return collapseOf(parseCollapse(reader, parseQuery))
}

function collapseOf({ field, innerHits }: CollapseRequest): Collapse {
  return { field, innerHits: innerHits.map((request) => ({ name: request.name, body: groupSearch(request) })) }
}

function groupSearch({
  collapse,
  name: _,
  ignoreUnmapped: __,
  explain: ___,
  ...options
}: InnerHitsRequest): SearchBody {
  return { ...newSearchBody(), ...options, collapse: collapse === undefined ? undefined : collapseOf(collapse) }
}
