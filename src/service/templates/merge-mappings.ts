/**
 * Merges the mappings of templates before an index exists. Unlike in an update nothing conflicts: the later definition
 * of a field replaces the earlier one, and objects are merged.
 */
import { copyMembers, newMembers } from '../../base/json/members.ts'
import type { JsonObject } from '../metadata/metadata.ts'
import { isObject } from '../settings/flat-settings.ts'

export function mergeMappings(layers: readonly JsonObject[]): JsonObject {
  return layers.reduce<JsonObject>((below, above) => mergeObject(below, expandNames(above)), {})
}

function mergeObject(below: JsonObject, above: JsonObject): JsonObject {
  const out = copyMembers<unknown>(below)
  for (const [name, value] of Object.entries(above)) {
    const old = out[name]
    if (name === 'properties' && isObject(old) && isObject(value)) out[name] = mergeProperties(old, value)
    else if (name === 'dynamic_templates' && Array.isArray(old) && Array.isArray(value))
      out[name] = mergeNamed(old, value)
    else if ((name === 'runtime' || name === '_meta') && isObject(old) && isObject(value))
      out[name] = { ...old, ...value }
    else out[name] = value
  }
  return { ...out }
}

function mergeProperties(below: JsonObject, above: JsonObject): JsonObject {
  const out = copyMembers<unknown>(below)
  for (const [name, field] of Object.entries(above)) {
    const old = out[name]
    out[name] =
      isObject(old) && isObject(field) && isObjectField(old) && isObjectField(field) ? mergeObject(old, field) : field
  }
  return { ...out }
}

const isObjectField = (field: JsonObject) =>
  field['type'] === undefined ? isObject(field['properties']) : field['type'] === 'object' || field['type'] === 'nested'

/** Dynamic templates are identified by name; a later one replaces an earlier one with the same name. */
function mergeNamed(below: readonly unknown[], above: readonly unknown[]): unknown[] {
  const byName = new Map<string, unknown>()
  for (const template of [...below, ...above]) byName.set(isObject(template) ? Object.keys(template)[0]! : '', template)
  return [...byName.values()]
}

/** `a.b` is expanded to an object, so that two templates with different spellings refer to the same field. */
function expandNames(mapping: JsonObject): JsonObject {
  const properties = mapping['properties']
  if (!isObject(properties) || mapping['subobjects'] === false || mapping['subobjects'] === 'false') return mapping
  let out: JsonObject = newMembers()
  for (const [name, field] of Object.entries(properties)) {
    const value = isObject(field) ? expandNames(field) : field
    const path = name.split('.')
    if (path.length === 1 || path.includes('')) {
      out = mergeProperties(out, { [name]: value })
      continue
    }
    const nested = path.slice(1).reduceRight<unknown>((inner, part) => ({ properties: { [part]: inner } }), value)
    out = mergeProperties(out, { [path[0]!]: nested })
  }
  return { ...mapping, properties: { ...out } }
}
