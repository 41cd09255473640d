/** `fields` of a `half_float`: OpenSearch shows the number of the document, and Elasticsearch the one that is stored. */
import { Float } from '../../base/json/json-writer.ts'
import type { JsonObject } from '../../service/metadata/metadata.ts'
import { roundToHalfFloat } from '../../service/search/half-floats.ts'
import { numberOf } from './answer-tree.ts'
import { isObject } from './field-types.ts'
import { someHits, visitHits } from './inner-hits.ts'
import type { Rewrite } from './search-rewrite.ts'

export const halfFloats: Rewrite = (request, scope) => {
  if (!someHits(request, ({ fields }) => Array.isArray(fields) && fields.length > 0)) return undefined
  const names = new Set(scope.fieldsOfType('half_float'))
  if (names.size === 0) return undefined
  return {
    request,
    isNeeded: (body) => body.includes('"fields":{'),
    amend(answer) {
      visitHits(answer, ({ fields }) => {
        if (isObject(fields)) round(fields, '', names)
      })
      return answer
    },
  }
}

/** Fields of nested documents are members of objects, by the rest of their names. */
function round(fields: JsonObject, prefix: string, names: ReadonlySet<string>): void {
  for (const [name, values] of Object.entries(fields)) {
    if (!Array.isArray(values)) continue
    const path = prefix + name
    if (names.has(path)) fields[name] = values.map(rounded)
    else for (const value of values) if (isObject(value)) round(value, `${path}.`, names)
  }
}

function rounded(value: unknown): unknown {
  const number = numberOf(value)
  return number === undefined ? value : new Float(roundToHalfFloat(number))
}
