/** `fields` of a flattened field are refused: OpenSearch shows the text of a Java object in place of the object. */
import { namePattern } from '../../base/name-pattern.ts'
import { isObject } from './field-types.ts'
import { isFlattened } from './flattened-terms.ts'
import { changeHits } from './inner-hits.ts'
import { notInCluster } from './not-in-cluster.ts'
import type { Rewrite, SearchScope } from './search-rewrite.ts'

export const flattenedFields: Rewrite = (request, scope) => {
  changeHits(request, (hits) => {
    for (const item of Array.isArray(hits['fields']) ? hits['fields'] : []) {
      const name = isObject(item) ? item['field'] : item
      const found = typeof name === 'string' ? flattenedBy(name, scope) : undefined
      if (found !== undefined) throw notInCluster(`the flattened field [${found}] in [fields]`)
    }
    return hits
  })
  return undefined
}

function flattenedBy(name: string, scope: SearchScope): string | undefined {
  if (!name.includes('*')) return isFlattened(name, scope) ? name : undefined
  return scope.fieldsOfType('flattened').find(namePattern(name))
}
