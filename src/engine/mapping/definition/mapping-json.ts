/** Prints a mapping as Elasticsearch does: only what differs from the defaults, fields in alphabetical order. */
import { hashedText } from '../../values/java-text.ts'
import type { AliasMapper, LeafMapper } from '../leaf-mapper.ts'
import type { Mapper, ObjectMapper } from '../object-mapper.ts'
import type { Parameter } from './parameter.ts'

type Json = Record<string, unknown>

function mapperJson(mapper: Mapper, withDefaults = false): Json {
  if (mapper.kind === 'leaf') return leafJson(mapper, withDefaults)
  if (mapper.kind === 'alias') return aliasJson(mapper)
  return objectJson(mapper)
}

const aliasJson = (alias: AliasMapper): Json => ({ type: 'alias', path: alias.target })

export function objectJson(object: ObjectMapper): Json {
  const json: Json = {}
  if (object.nested !== undefined) {
    json['type'] = 'nested'
    if (object.nested.includeInParent) json['include_in_parent'] = true
    if (object.nested.includeInRoot) json['include_in_root'] = true
  } else if (object.children.size === 0 && object.path !== '') json['type'] = 'object'
  if (object.dynamic !== undefined) json['dynamic'] = object.dynamic
  if (object.enabled === false) json['enabled'] = false
  if (object.subobjects !== undefined) json['subobjects'] = object.subobjects
  if (object.sourceKeep !== undefined) json['synthetic_source_keep'] = object.sourceKeep
  return json
}

/** The `properties` member of an object; undefined if it has no fields. */
export function propertiesJson(object: ObjectMapper): Json | undefined {
  if (object.children.size === 0) return undefined
  // Not by assignment, because a field may be named __proto__.
  return Object.fromEntries(
    [...object.children.keys()].sort().map((name) => {
      const child = object.children.get(name)!
      const json = mapperJson(child)
      return [name, child.kind === 'object' ? withProperties(json, child) : json]
    }),
  )
}

function withProperties(json: Json, object: ObjectMapper): Json {
  const properties = propertiesJson(object)
  return properties === undefined ? json : { ...json, properties }
}

export function leafJson(leaf: LeafMapper, withDefaults: boolean): Json {
  const json: Json = { type: leaf.type }
  for (const parameter of leaf.definition.parameters) {
    const special = leaf.definition.printed?.(leaf, parameter.name)
    const value = special === undefined ? leaf.value(parameter.name) : special.value
    const shown = special === undefined ? isShown(parameter, leaf, value) : special.shown
    if (shown || (withDefaults && !parameter.hiddenByDefault)) {
      json[parameter.name] = value === null ? null : parameter.print(value)
    }
  }
  if (leaf.subFields.size > 0) {
    json['fields'] = Object.fromEntries(
      [...leaf.subFields.keys()].sort().map((name) => [name, leafJson(leaf.subFields.get(name)!, withDefaults)]),
    )
  }
  if (leaf.copyTo.length > 0) json['copy_to'] = leaf.copyTo
  return json
}

function isShown(parameter: Parameter, leaf: LeafMapper, value: unknown): boolean {
  if (!leaf.isGiven(parameter.name)) return parameter.alwaysPrinted
  return parameter.alwaysPrinted || parameter.printedWhenGiven || hashedText(value) !== hashedText(parameter.initial)
}
