/**
 * Parses a mapping definition from JSON to a tree of mappers, with Elasticsearch's errors.
 *
 * Dotted names create the objects on their path, unless the enclosing object has `subobjects: false`.
 */

import { illegalArgument, parseFailure } from '../../../base/api-error.ts'
import {
  fieldNameEmpty,
  fieldNameOnlyDots,
  mapperException,
  mapperParsing,
  noHandlerForType,
  nullValueInMapping,
} from '../../../base/errors/mapping-errors.ts'
import { hashedText, hashOrder } from '../../values/java-text.ts'
import { leafDefinition } from '../field-type-registry.ts'
import { AliasMapper, type LeafDefinition, LeafMapper } from '../leaf-mapper.ts'
import type { MappingContext } from '../mapping-context.ts'
import { type Dynamic, joinPath, type Mapper, ObjectMapper } from '../object-mapper.ts'
import { checkSpread, mergeMappers } from './mapper-merge.ts'
import { checkNoneLeft, type ParameterSite, readObjectBoolean, readSourceKeep, requireMap } from './parameter.ts'
import { checkScriptRules } from './script-rules.ts'
import { checkTimeSeriesRules } from './time-series-rules.ts'

type Definition = Record<string, unknown>

export function readDynamic(value: unknown): Dynamic {
  if (value === null) throw nullValueInMapping('"fieldNode"')
  const written = hashedText(value)
  if (/^strict$/i.test(written)) return 'strict'
  if (/^runtime$/i.test(written)) return 'runtime'
  return readObjectBoolean(value, 'dynamic.dynamic') ? 'true' : 'false'
}

/** `parent` with the fields of a `properties` object added. */
export function parseProperties(parent: ObjectMapper, properties: unknown, context: MappingContext): ObjectMapper {
  if (Array.isArray(properties) && properties.length === 0) return parent
  const definitions = requireMap(properties, () => parseFailure('properties must be a map type'))
  let result = parent
  let children = new Map(parent.children)
  // In Elasticsearch's hash map order, so that of several errors the same one is reported.
  for (const name of hashOrder(Object.keys(definitions))) {
    const definition = definitions[name]
    if (Array.isArray(definition) && definition.length === 0) continue
    const fields = requireMap(definition, () =>
      mapperParsing(`Expected map for property [fields] on field [${name}] but got a class java.lang.String`),
    )
    if (isSpread(result, fields)) {
      result = parseProperties(result.with({ children }), spreadProperties(result, name, fields), context)
      children = new Map(result.children)
    } else addChild(children, parseProperty(result, name, fields, context))
  }
  return children.size === 0 ? result : result.with({ children })
}

const isSpread = (parent: ObjectMapper, definition: Definition) =>
  parent.subobjects === false &&
  (definition['type'] === 'object' || (definition['type'] == null && definition['properties'] != null))

/** An object under `subobjects: false` is flattened: its fields move up, with its name as prefix. */
function spreadProperties(parent: ObjectMapper, name: string, definition: Definition): Definition {
  const { enabled, subobjects, dynamic } = definition
  checkSpread(parent, name, {
    enabled: enabled === undefined ? undefined : readObjectBoolean(enabled, 'enabled.enabled'),
    subobjects: subobjects === undefined ? undefined : readSubobjects(subobjects),
    dynamic: dynamic === undefined ? undefined : readDynamic(dynamic),
  })
  const inner = requireMap(definition['properties'] ?? {}, () => parseFailure('properties must be a map type'))
  return Object.fromEntries(Object.entries(inner).map(([key, value]) => [`${name}.${key}`, value]))
}

/** Merges dotted names and repeated definitions of one object. */
function addChild(children: Map<string, Mapper>, child: Mapper): void {
  const present = children.get(child.name)
  children.set(child.name, present === undefined ? child : joined(present, child))
}

function joined(present: Mapper, child: Mapper): Mapper {
  if (present.kind !== 'leaf' || child.kind !== 'object') return mergeMappers(present, child)
  throw illegalArgument(`mapper [${present.path}] cannot be changed from type [${present.type}] to [ObjectMapper]`)
}

function parseProperty(parent: ObjectMapper, name: string, definition: Definition, context: MappingContext): Mapper {
  const type = typeOf(name, definition)
  if (parent.subobjects === false && type === 'nested') {
    throw mapperParsing(
      `Tried to add nested object [${name}] to object [${parent.name || '_doc'}] which does not support subobjects`,
    )
  }
  const leaf = type === 'object' || type === 'nested' || type === 'alias' ? undefined : leafDefinition(type)
  if (leaf === undefined && type !== 'object' && type !== 'nested' && type !== 'alias') {
    throw noHandlerForType(type, name)
  }
  if (parent.subobjects === false) return parseMapper(leaf, type, name, parent.path, definition, context, name)

  const parts = splitName(name)
  const objects = parts.slice(0, -1)
  const last = parts.at(-1)!
  let mapper = parseMapper(
    leaf,
    type,
    last,
    [parent.path, ...objects].filter(Boolean).join('.'),
    definition,
    context,
    name,
  )
  for (let i = objects.length - 1; i >= 0; i--) {
    const path = [parent.path, ...objects.slice(0, i + 1)].filter(Boolean).join('.')
    mapper = new ObjectMapper({ name: objects[i]!, path, children: new Map([[mapper.name, mapper]]) })
  }
  return mapper
}

/** The objects on the path of a field and its own name. Trailing dots are dropped. */
function splitName(name: string): string[] {
  if (name === '') throw fieldNameEmpty()
  const parts = name.split('.')
  while (parts.length > 0 && parts.at(-1) === '') parts.pop()
  if (parts.length === 0) throw fieldNameOnlyDots()
  for (const part of parts) {
    if (part === '') throw fieldNameEmpty()
    if (part.trim() === '') throw illegalArgument('field name cannot contain only whitespaces')
  }
  return parts
}

function typeOf(name: string, definition: Definition): string {
  const given = definition['type']
  if (given !== undefined && given !== null) return hashedText(given)
  const names = Object.keys(definition)
  const isObject = definition['properties'] != null || (names.length === 1 && definition['enabled'] != null)
  if (!isObject) throw mapperParsing(`No type specified for field [${name}]`)
  return 'object'
}

function parseMapper(
  leaf: LeafDefinition | undefined,
  type: string,
  name: string,
  parentPath: string,
  definition: Definition,
  context: MappingContext,
  /** The name as written, for messages. */
  writtenName: string,
): Mapper {
  const path = joinPath(parentPath, name)
  if (leaf !== undefined) return parseLeaf(leaf, name, path, definition, context)
  if (type === 'alias') return parseAlias(name, path, definition, writtenName)
  return parseObject(type === 'nested', name, path, definition, context, writtenName)
}

function parseAlias(name: string, path: string, definition: Definition, writtenName: string): AliasMapper {
  const { type: _, path: target, ...left } = definition
  if (target === undefined || target === null) {
    throw mapperParsing(`The [path] property must be specified for field [${name}].`)
  }
  checkNoneLeft(`Mapping definition for [${writtenName}]`, left)
  return new AliasMapper(name, path, hashedText(target))
}

function parseObject(
  isNested: boolean,
  name: string,
  path: string,
  definition: Definition,
  context: MappingContext,
  writtenName: string,
): ObjectMapper {
  const { type: _, properties, ...rest } = definition
  const left: Definition = {}
  const options: {
    dynamic?: Dynamic
    enabled?: boolean
    subobjects?: boolean | undefined
    sourceKeep?: string
  } = {}
  let includeInParent: boolean | undefined
  let includeInRoot: boolean | undefined
  for (const [key, value] of Object.entries(rest)) {
    if (key === 'dynamic') options.dynamic = readDynamic(value)
    else if (key === 'enabled') options.enabled = readObjectBoolean(value, 'enabled.enabled')
    else if (key === 'subobjects') options.subobjects = readOwnSubobjects(value, isNested, writtenName)
    else if (isSourceKeep(key)) options.sourceKeep = readObjectSourceKeep(key, value)
    else if (key === 'include_in_parent' && isNested && value !== null)
      includeInParent = readObjectBoolean(value, `${name}.${key}`)
    else if (key === 'include_in_root' && isNested && value !== null)
      includeInRoot = readObjectBoolean(value, `${name}.${key}`)
    else left[key] = value
  }
  if (isNested && options.sourceKeep === 'arrays') {
    throw mapperException(`parameter [ synthetic_source_keep ] can't be set to [arrays] for nested object [${path}]`)
  }
  const empty = new ObjectMapper({
    name,
    path,
    ...options,
    nested: isNested ? { includeInParent, includeInRoot } : undefined,
    children: new Map(),
  })
  const object = properties === undefined ? empty : parseProperties(empty, properties, context)
  checkNoneLeft(`Mapping definition for [${writtenName}]`, left)
  return object
}

export const isSourceKeep = (key: string) => key === 'synthetic_source_keep' || key === 'store_array_source'

/** `store_array_source` is the old name for keeping arrays; Elasticsearch does not read its value. */
export function readObjectSourceKeep(key: string, value: unknown): string {
  if (key === 'store_array_source') return 'arrays'
  if (value === null) throw nullValueInMapping('"fieldNode"')
  return readSourceKeep(value)
}

function readOwnSubobjects(value: unknown, isNested: boolean, name: string): boolean | undefined {
  const subobjects = readSubobjects(value)
  if (isNested && subobjects !== undefined)
    throw mapperParsing(`Nested type [${name}] does not support [subobjects] parameter`)
  return subobjects
}

/** Undefined for null, which counts as absent. */
export function readSubobjects(value: unknown): boolean | undefined {
  if (value === null) return undefined
  const written = hashedText(value)
  if (written === 'true' || written === 'false') return written === 'true'
  throw parseFailure(`unknown subobjects value: ${written}`)
}

export function parseLeaf(
  definition: LeafDefinition,
  name: string,
  path: string,
  fields: Definition,
  context: MappingContext,
): LeafMapper {
  const site: ParameterSite = { name, type: definition.type, context }
  const given = new Map<string, unknown>()
  let subFields: ReadonlyMap<string, LeafMapper> = new Map()
  let copyTo: readonly string[] = []
  for (const key of hashOrder(Object.keys(fields))) {
    const value = fields[key]
    if (key === 'type') continue
    if (definition.dropsSubFields === true && (key === 'fields' || (key === 'copy_to' && value !== null))) {
      if (key === 'fields') parseSubFields(name, path, value, context)
      continue
    }
    if (key === 'fields' && definition.mayHaveSubFields) {
      subFields = parseSubFields(name, path, value, context)
      continue
    }
    if (key === 'copy_to' && definition.mayHaveSubFields && value !== null) {
      copyTo = Array.isArray(value) ? value.map((target) => hashedText(target)) : [hashedText(value)]
      continue
    }
    const parameter = definition.parameters.find((candidate) => candidate.name === key)
    if (value === null && key === 'copy_to') throw nullParameter(key, site)
    if (parameter === undefined) {
      if (key === 'boost') throw mapperParsing(`Unknown parameter [boost] on mapper [${name}]`)
      throw mapperParsing(`unknown parameter [${key}] on mapper [${name}] of type [${definition.type}]`)
    }
    if (value === null) {
      if (!parameter.acceptsNull) throw nullParameter(key, site)
      continue
    }
    given.set(key, parameter.read(value, site))
  }
  definition.complete?.(given, site)
  const leaf = new LeafMapper({ definition, name, path, given, subFields, copyTo })
  definition.check?.(leaf, site)
  checkScriptRules(leaf)
  checkTimeSeriesRules(leaf)
  for (const sub of subFields.values()) {
    if (sub.subFields.size > 0) {
      throw illegalArgument(
        `Encountered a multi-field [${sub.name}] which itself contains a multi-field. Defining chained multi-fields is not supported.`,
      )
    }
  }
  return leaf
}

const nullParameter = (key: string, { name, type }: ParameterSite) =>
  mapperParsing(`[${key}] on mapper [${name}] of type [${type}] must not have a [null] value`)

function parseSubFields(name: string, path: string, value: unknown, context: MappingContext) {
  const subFields = new Map<string, LeafMapper>()
  if (Array.isArray(value) && value.length === 0) return subFields
  const definitions = requireMap(value, (javaType) =>
    mapperParsing(
      `expected map for property [fields] on field [${hashedText(value)}] or [fields] but got a class ${javaType}`,
    ),
  )
  for (const [subName, node] of Object.entries(definitions)) {
    if (subName.includes('.')) {
      throw mapperParsing(`Field name [${subName}] which is a multi field of [${name}] cannot contain '.'`)
    }
    const fields = requireMap(node, () =>
      mapperParsing(`illegal field [${subName}], only fields can be specified inside fields`),
    )
    const type = fields['type']
    if (type === undefined || type === null) throw mapperParsing(`no type specified for property [${subName}]`)
    const typeName = hashedText(type)
    if (typeName === 'object' || typeName === 'nested' || typeName === 'alias') {
      throw mapperParsing(`Type [${typeName}] cannot be used in multi field`)
    }
    const definition = leafDefinition(typeName)
    if (definition === undefined) throw noHandlerForType(typeName, subName)
    if (definition.refusesMultiFields === true) {
      throw mapperParsing(`Field [${subName}] of type [${typeName}] can't be used in multifields`)
    }
    subFields.set(subName, parseLeaf(definition, subName, joinPath(path, subName), fields, context))
  }
  return subFields
}
