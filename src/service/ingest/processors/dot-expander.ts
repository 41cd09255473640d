/** dot_expander: replaces a field with dots in its name by nested objects. */
import { illegalArgument } from '../../../base/api-error.ts'
import { JMap } from '../../../engine/painless/index.ts'
import { isMetadataName } from '../document/ctx-map.ts'
import { type IngestDocument, notCastable } from '../document/ingest-document.ts'
import type { ProcessorFactory } from '../pipeline/processor.ts'

export const dotExpander: ProcessorFactory = (reader) => {
  const field = reader.string('field')
  if (!field.includes('.') && field !== '*') {
    throw reader.error('field', 'field does not contain a dot and is not a wildcard')
  }
  if (field.startsWith('.') || field.endsWith('.')) throw reader.error('field', "Field can't start or end with a dot")
  if (field.includes('..')) throw reader.error('field', 'No space between dots')
  const path = reader.optionalString('path')
  const overrides = reader.boolean('override', false)
  return (document) => {
    const map = path === undefined ? document.ctx : document.get(path)
    if (!(map instanceof JMap)) {
      if (field === '*') return
      throw notCastable(path!, map, 'java.util.Map')
    }
    const names =
      field === '*'
        ? map
            .entries()
            .map(({ key }) => String(key))
            .filter(isExpandable)
        : [field]
    for (const name of names) expand(document, map, path, name, overrides)
  }
}

const UNITS_PER_NAME = 100

const isExpandable = (name: string) => name.includes('.') && !isMetadataName(name) && !/^\.|\.$|\.\./.test(name)

function expand(document: IngestDocument, map: JMap, path: string | undefined, name: string, overrides: boolean): void {
  document.budget.spend(UNITS_PER_NAME)
  if (!map.containsKey_1(name)) return
  const full = path === undefined ? name : `${path}.${name}`
  if (document.has(full)) {
    const value = map.get_1(name)
    map.remove_1(name)
    if (overrides) document.set(full, value)
    else document.append(full, value)
    return
  }
  // Every part before the last must be an object or missing.
  for (let dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
    document.budget.text(dot)
    const partial = path === undefined ? name.slice(0, dot) : `${path}.${name.slice(0, dot)}`
    if (document.has(partial) && !(document.get(partial) instanceof JMap)) {
      throw illegalArgument(`cannot expand [${full}], because [${partial}] is not an object field, but a value field`)
    }
  }
  const value = map.get_1(name)
  map.remove_1(name)
  document.set(full, value)
}
