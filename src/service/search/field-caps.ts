/** `_field_caps`: the fields of the targets, their types and their capabilities. */

import { illegalArgument, validationFailed } from '../../base/api-error.ts'
import { newMembers } from '../../base/json/members.ts'
import { namePattern } from '../../base/name-pattern.ts'
import type { RuntimeFields } from '../../engine/mapping/definition/runtime-fields.ts'
import type { FieldType } from '../../engine/mapping/field-type.ts'
import type { Mapping } from '../../engine/mapping/mapping-api.ts'

export interface FieldCapsOptions {
  readonly fields: readonly string[]
  readonly includeUnmapped: boolean
  /** `-metadata`, `+metadata`, `-nested`, `-multifield`, `-parent`. */
  readonly filters: readonly string[]
  readonly types: readonly string[]
  /** Whether to include fields without any value. */
  readonly includeEmptyFields: boolean
  /** Runtime fields of the request. */
  readonly runtimeFields: RuntimeFields
}

/** The capabilities of a field in one index. */
interface Capability {
  readonly type: string
  readonly metadata: boolean
  readonly searchable: boolean
  readonly aggregatable: boolean
  readonly nested: boolean
  readonly multiField: boolean
  readonly meta: Readonly<Record<string, string>> | undefined
}

export interface IndexFields {
  readonly name: string
  readonly mapping: Mapping
  /** Physical fields with values; undefined if that does not matter. */
  readonly present?: ReadonlySet<string> | undefined
}

const FILTERS: ReadonlySet<string> = new Set(['+metadata', '-metadata', '-nested', '-multifield', '-parent'])

export function checkFields(fields: readonly string[]): void {
  if (fields.length === 0) throw validationFailed('no fields specified')
}

export function checkFilters(filters: readonly string[]): void {
  for (const filter of filters) {
    if (!FILTERS.has(filter)) throw illegalArgument(`Unknown field caps filter [${filter}]`)
  }
}

/** The response for these indices, which are sorted by name. */
export function fieldCaps(indices: readonly IndexFields[], options: FieldCapsOptions): Record<string, unknown> {
  const byField = new Map<string, Map<string, { index: string; capability: Capability }[]>>()
  for (const index of indices) {
    for (const [field, capability] of indexCapabilities(index, options)) {
      let types = byField.get(field)
      if (types === undefined) byField.set(field, (types = new Map()))
      const entries = types.get(capability.type)
      if (entries === undefined) types.set(capability.type, [{ index: index.name, capability }])
      else entries.push({ index: index.name, capability })
    }
  }
  const names = indices.map(({ name }) => name)
  const fields: Record<string, unknown> = newMembers()
  for (const [field, types] of byField) fields[field] = fieldObject(types, names, options.includeUnmapped)
  return { indices: names, fields }
}

type Types = ReadonlyMap<string, readonly { index: string; capability: Capability }[]>

/** Indices are listed only where they differ. */
function fieldObject(types: Types, indices: readonly string[], includeUnmapped: boolean): Record<string, unknown> {
  const mapped = new Set([...types.values()].flat().map(({ index }) => index))
  const unmapped = includeUnmapped ? indices.filter((name) => !mapped.has(name)) : []
  const disagree = types.size + (unmapped.length > 0 ? 1 : 0) > 1
  const object: Record<string, unknown> = newMembers()
  for (const [type, entries] of types) {
    const searchable = entries.filter(({ capability }) => capability.searchable)
    const aggregatable = entries.filter(({ capability }) => capability.aggregatable)
    object[type] = {
      type,
      metadata_field: entries[0]!.capability.metadata,
      searchable: searchable.length === entries.length,
      aggregatable: aggregatable.length === entries.length,
      indices: disagree ? entries.map(({ index }) => index) : undefined,
      non_searchable_indices: except(entries, searchable),
      non_aggregatable_indices: except(entries, aggregatable),
      meta: mergeMeta(entries.map(({ capability }) => capability)),
    }
  }
  if (unmapped.length > 0) {
    object['unmapped'] = {
      type: 'unmapped',
      metadata_field: false,
      searchable: false,
      aggregatable: false,
      indices: disagree ? unmapped : undefined,
    }
  }
  return { ...object }
}

function except(all: readonly { index: string }[], some: readonly { index: string }[]): string[] | undefined {
  if (some.length === 0 || some.length === all.length) return undefined
  const able = new Set(some.map(({ index }) => index))
  return all.map(({ index }) => index).filter((index) => !able.has(index))
}

function mergeMeta(capabilities: readonly Capability[]): Record<string, string[]> | undefined {
  const merged = new Map<string, Set<string>>()
  for (const { meta } of capabilities) {
    for (const [key, value] of Object.entries(meta ?? {})) {
      const values = merged.get(key)
      if (values === undefined) merged.set(key, new Set([value]))
      else values.add(value)
    }
  }
  if (merged.size === 0) return undefined
  return Object.fromEntries([...merged].sort().map(([key, values]) => [key, [...values].sort()]))
}

function indexCapabilities({ mapping, present }: IndexFields, options: FieldCapsOptions): Map<string, Capability> {
  const wanted = options.fields.map(namePattern)
  const found = new Map<string, Capability>()
  const add = (name: string, capability: Capability) => {
    if (passes(capability, options)) found.set(name, capability)
  }
  for (const [name, capability] of METADATA) {
    const isThere = present === undefined || ALWAYS_THERE.has(name) || present.has(name)
    if (isThere && wanted.some((matches) => matches(name))) add(name, capability)
  }
  for (const name of mapping.fieldNames()) {
    if (!wanted.some((matches) => matches(name))) continue
    const field = mapping.field(name)!
    const isThere = present === undefined || field.isRuntime || present.has(field.schema?.name ?? field.name)
    if (isThere) add(name, fieldCapability(name, field))
  }
  for (const [name, definition] of options.runtimeFields) {
    if (definition !== undefined && wanted.some((matches) => matches(name)))
      add(name, runtimeCapability(definition.type))
  }
  if (!options.filters.includes('-parent')) {
    // For an alias field, the parent objects of its target are shown.
    for (const name of [...found.keys()]) addParents(mapping, mapping.field(name)?.name ?? name, options, found)
  }
  return found
}

/** Parent objects of a field are shown with it. */
function addParents(mapping: Mapping, name: string, options: FieldCapsOptions, found: Map<string, Capability>): void {
  for (let dot = name.lastIndexOf('.'); dot > 0; dot = name.lastIndexOf('.', dot - 1)) {
    const parent = name.slice(0, dot)
    if (found.has(parent)) return
    // The parent of a multi-field is a field; a runtime field may have an unmapped parent object.
    if (mapping.field(parent) !== undefined) continue
    const kind = mapping.objectKind(parent) ?? 'object'
    const capability: Capability = {
      type: kind,
      metadata: false,
      searchable: false,
      aggregatable: false,
      nested: kind === 'nested',
      multiField: false,
      meta: undefined,
    }
    // Parent objects are shown with their fields, even if `types` does not include objects.
    if (passes(capability, { ...options, types: [] })) found.set(parent, capability)
  }
}

function passes(capability: Capability, { filters, types }: FieldCapsOptions): boolean {
  if (types.length > 0 && !types.includes(capability.type)) return false
  return filters.every((filter) => {
    switch (filter) {
      case '+metadata':
        return capability.metadata
      case '-metadata':
        return !capability.metadata
      case '-nested':
        return !capability.nested
      case '-multifield':
        return !capability.multiField
      default:
        return true
    }
  })
}

/** Types that are reported as their type family. */
const FAMILIES: Readonly<Record<string, string>> = {
  constant_keyword: 'keyword',
  wildcard: 'keyword',
  match_only_text: 'text',
  token_count: 'integer',
}

function fieldCapability(name: string, field: FieldType): Capability {
  return {
    type: FAMILIES[field.type] ?? field.type,
    metadata: false,
    searchable: field.searchable,
    aggregatable: field.aggregatable,
    nested: field.nestedPath !== undefined,
    multiField: field.name === name && field.sourcePath !== field.name,
    meta: field.meta,
  }
}

const runtimeCapability = (type: string): Capability => ({
  type,
  metadata: false,
  searchable: true,
  aggregatable: true,
  nested: false,
  multiField: false,
  meta: undefined,
})

const metadataField = (
  name: string,
  searchable: boolean,
  aggregatable: boolean,
  type = name,
): readonly [string, Capability] => [
  name,
  { type, metadata: true, searchable, aggregatable, nested: false, multiField: false, meta: undefined },
]

/** Fields that exist in an index without any document. */
const ALWAYS_THERE: ReadonlySet<string> = new Set(['_index', '_index_mode', '_tier'])

/** Fields that every index has. */
const METADATA: readonly (readonly [string, Capability])[] = [
  metadataField('_data_stream_timestamp', false, false),
  metadataField('_doc_count', false, false, 'integer'),
  metadataField('_field_names', true, false),
  metadataField('_id', true, false),
  metadataField('_ignored', true, true),
  metadataField('_ignored_source', false, false),
  metadataField('_index', true, true),
  metadataField('_index_mode', true, true),
  metadataField('_nested_path', true, false),
  metadataField('_routing', true, false),
  metadataField('_seq_no', true, true),
  metadataField('_source', false, false),
  metadataField('_tier', true, true, 'keyword'),
  metadataField('_version', false, true),
]
