/**
 * `fields` of nested documents in inner hits and `top_hits`. Elasticsearch shows them as members of the nested objects, as in the hits of a
 * search; OpenSearch shows them by their whole names.
 */
import { namePattern } from '../../base/name-pattern.ts'
import type { JsonObject } from '../../service/metadata/metadata.ts'
import { isObject } from './field-types.ts'
import { changeHits, someHits, visitHits } from './inner-hits.ts'
import type { Rewrite } from './search-rewrite.ts'

const NESTED = '"_nested":{'

export const nestedFields: Rewrite = (request) => {
  if (!someHits(request, (hits) => hits !== request && Array.isArray(hits['fields']))) return undefined
  const flat = docvalueFields(request)
  return {
    request,
    isNeeded: (body) => body.includes(NESTED),
    amend(answer) {
      visitHits(answer, (hit) => {
        const { _nested: nested, fields } = hit
        if (isObject(nested) && isObject(fields)) hit['fields'] = grouped(fields, pathOf(nested), flat)
      })
      return answer
    },
  }
}

/** Whether a name is one of `docvalue_fields`, which both show by their whole names. */
function docvalueFields(request: JsonObject): (name: string) => boolean {
  const patterns: ((name: string) => boolean)[] = []
  changeHits(request, (hits) => {
    for (const item of [hits['docvalue_fields'] ?? []].flat()) {
      const name = isObject(item) ? item['field'] : item
      if (typeof name === 'string') patterns.push(namePattern(name))
    }
    return hits
  })
  return (name) => patterns.some((matches) => matches(name))
}

/** Names of the nested objects around a nested document, each relative to the one before. */
function pathOf(nested: JsonObject): string[] {
  const inner = nested['_nested']
  return [String(nested['field']), ...(isObject(inner) ? pathOf(inner) : [])]
}

function grouped(fields: JsonObject, path: readonly string[], isFlat: (name: string) => boolean): JsonObject {
  const prefix = `${path.join('.')}.`
  const own: JsonObject = {}
  const rest: JsonObject = {}
  for (const [name, values] of Object.entries(fields)) {
    if (name.startsWith(prefix) && !isFlat(name)) own[name.slice(prefix.length)] = values
    else rest[name] = values
  }
  if (Object.keys(own).length === 0) return fields
  const objects = path.reduceRight((inner, name) => ({ [name]: [inner] }), own)
  return { ...objects, ...rest }
}
