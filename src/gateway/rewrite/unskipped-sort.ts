/**
 * Sorts by numbers whose sort value is not the least or greatest value of the document itself. If hits need not be counted, and on later
 * pages of a scroll, OpenSearch 2 skips documents by the indexed values of the first sort field. It compares these values with the sort
 * values of hits although they are others: those of nested documents belong to other documents, a sum may exceed all of its values, and
 * `scaled_float` and `unsigned_long` are indexed in another form. Documents are then lost or repeated silently, or the search fails.
 * Whole shards are skipped by the last hit of others, in all searches: it is misread for nanoseconds and for dates with a format
 * of their own, so that hits of these shards are missing in some of the answers.
 *
 * OpenSearch does not skip by the second sort field. Such a sort gets a first one that is the same for all documents.
 */

import type { JsonObject } from '../../service/metadata/metadata.ts'
import { hitsOf } from './answer-tree.ts'
import { isObject } from './field-types.ts'
import type { Rewrite, SearchScope } from './search-rewrite.ts'

/** A field that no index has, so that every document has the value for a missing one. */
const CONSTANT = { '_sandpiper.constant': { unmapped_type: 'long', missing: 0 } }
const OWN_VALUE_MODES: ReadonlySet<unknown> = new Set([undefined, 'min', 'max'])
const OTHER_FORM_TYPES: ReadonlySet<unknown> = new Set(['scaled_float', 'unsigned_long'])

export const unskippedSort: Rewrite = (request, scope) => {
  const { sort: given, search_after: after, collapse } = request
  const sort = Array.isArray(given) ? given : [given]
  // Groups of a collapse are found without skipping.
  if (collapse !== undefined || !skipsWrongly(sort[0], scope)) return undefined
  return {
    request: {
      ...request,
      sort: [CONSTANT, ...sort],
      ...(Array.isArray(after) ? { search_after: [0, ...after] } : {}),
    },
    amend(answer) {
      for (const hit of hitsOf(answer)) if (Array.isArray(hit['sort'])) hit['sort'] = hit['sort'].slice(1)
      return answer
    },
  }
}

function skipsWrongly(item: unknown, scope: SearchScope): boolean {
  const name = isObject(item) ? Object.keys(item)[0] : item
  if (typeof name !== 'string' || name.startsWith('_')) return false
  const options = isObject(item) && isObject(item[name]) ? item[name] : {}
  if (options['nested'] !== undefined || !OWN_VALUE_MODES.has(lowerCase(options['mode']))) return true
  const field = scope.field(name)
  const target = field?.['type'] === 'alias' ? scope.field(String(field['path'])) : field
  return OTHER_FORM_TYPES.has(target?.['type']) || (isMisreadDate(target, options) && scope.shards > 1)
}

function isMisreadDate(field: JsonObject | undefined, options: JsonObject): boolean {
  const type = field?.['type']
  if (type === 'date_nanos') return true
  return type === 'date' && (field?.['format'] !== undefined || options['numeric_type'] === 'date_nanos')
}

function lowerCase(mode: unknown): unknown {
  return typeof mode === 'string' ? mode.toLowerCase() : mode
}
