/**
 * A mapping as JSON without the fields that are not granted. An object stays as long as something is left in it. A field
 * that is not granted and has granted multi-fields becomes an object of these.
 */
import { newMembers } from '../../base/json/members.ts'
import type { MappingJson } from '../mapping/mapping-api.ts'
import type { PathGrants } from './filter-source.ts'

export function grantedMapping(mapping: MappingJson, grants: PathGrants): MappingJson {
  const { properties, runtime, ...rest } = mapping
  const shown = { ...rest, ...(isObject(runtime) ? { runtime: grantedRuntime(runtime, grants) } : {}) }
  if (!isObject(properties)) return shown
  return { ...shown, properties: grantedFields(properties, '', grants) }
}

const isObject = (value: unknown): value is MappingJson =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

function grantedRuntime(fields: MappingJson, grants: PathGrants): MappingJson {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => grants.has(name)))
}

function grantedFields(fields: MappingJson, parent: string, grants: PathGrants): MappingJson {
  const granted: MappingJson = newMembers()
  for (const [name, definition] of Object.entries(fields)) {
    const path = parent === '' ? name : `${parent}.${name}`
    const kept = isObject(definition) ? grantedField(definition, path, grants) : undefined
    if (kept !== undefined) granted[name] = kept
  }
  return { ...granted }
}

function grantedField(definition: MappingJson, path: string, grants: PathGrants): MappingJson | undefined {
  const { properties, fields, ...rest } = definition
  if (isObject(properties)) {
    const inside = grantedFields(properties, path, grants)
    return Object.keys(inside).length > 0 || grants.has(path) ? { ...rest, properties: inside } : undefined
  }
  const inside = isObject(fields) ? grantedFields(fields, path, grants) : {}
  const hasSubFields = Object.keys(inside).length > 0
  if (grants.has(path)) return hasSubFields ? { ...rest, fields: inside } : rest
  return hasSubFields ? { properties: inside } : undefined
}
