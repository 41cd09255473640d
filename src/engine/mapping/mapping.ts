/** The mapping of one index. */
import { ApiError } from '../../base/api-error.ts'
import { failedToParseMapping } from '../../base/errors/mapping-errors.ts'
import type { FieldSchema } from '../document/field-schema.ts'
import { mergeObjects } from './definition/mapper-merge.ts'
import { leafJson, objectJson, propertiesJson } from './definition/mapping-json.ts'
import { checkLimits } from './definition/mapping-limits.ts'
import { validateReferences } from './definition/mapping-validation.ts'
import {
  METADATA_FIELDS,
  mergeSettings,
  parseRoot,
  type RootDefinition,
  settingsJson,
} from './definition/root-settings.ts'
import type { FieldType } from './field-type.ts'
import { FlattenedType } from './field-types/flattened.ts'
import type { LeafMapper } from './leaf-mapper.ts'
import type { Mapping, MappingJson } from './mapping-api.ts'
import type { MappingContext } from './mapping-context.ts'
import { layOut, type MappingLayout } from './mapping-layout.ts'
import type { Mapper } from './object-mapper.ts'
import { SourceFilter } from './source/source-filter.ts'

/**
 * Parses a definition of a create-index request, or the output of `toJson`. With `previous`, physical field ids stay
 * unchanged, for a mapping received from another thread. A mapping that is `stored` may exceed limits that were lowered since.
 */
export function parseMapping(
  json: MappingJson,
  context: MappingContext,
  options: { version?: number; previous?: Mapping | undefined; stored?: boolean } = {},
): IndexMapping {
  const definition = readDefinition(json, context)
  const settings = mergeSettings({ ...definition.settings, runtime: new Map() }, definition.settings)
  const previous = options.previous instanceof IndexMapping ? options.previous.layout : undefined
  const mapping = new IndexMapping({ object: definition.object, settings }, context, options.version ?? 1, previous)
  mapping.check(options.stored !== true)
  return mapping
}

function readDefinition(json: MappingJson, context: MappingContext): RootDefinition {
  try {
    return parseRoot(json, context)
  } catch (error) {
    if (error instanceof ApiError) throw failedToParseMapping(error)
    throw error
  }
}

export class IndexMapping implements Mapping {
  readonly version: number
  readonly definition: RootDefinition
  readonly context: MappingContext
  readonly #previous: MappingLayout | undefined
  #layout: MappingLayout | undefined
  #json: MappingJson | undefined
  #sourceFilter: SourceFilter | undefined

  constructor(
    definition: RootDefinition,
    context: MappingContext,
    version: number,
    previous: MappingLayout | undefined,
  ) {
    this.definition = definition
    this.context = context
    this.version = version
    this.#previous = previous
    const source = definition.settings.source
    if (source !== undefined && (source.includes.length > 0 || source.excludes.length > 0)) {
      this.#sourceFilter = new SourceFilter(source.includes, source.excludes)
    }
  }

  /** Rules for the whole mapping: limits, aliases, `copy_to`. */
  check(withLimits = true): void {
    validateReferences(this.definition, this.layout)
    if (withLimits) checkLimits(this.definition, this.context.limits)
  }

  get layout(): MappingLayout {
    this.#layout ??= layOut(this.definition, this.context, this.#previous)
    return this.#layout
  }

  toJson(): MappingJson {
    this.#json ??= printed({
      ...objectJson(this.definition.object),
      ...settingsJson(this.definition.settings),
      properties: propertiesJson(this.definition.object),
    })
    return this.#json
  }

  merge(update: MappingJson): IndexMapping {
    const merged = this.#merged(update)
    merged.check()
    return merged
  }

  /** Like `merge`, without checking limits: a document parser has its own error for those. */
  mergeUnchecked(update: MappingJson): IndexMapping {
    const merged = this.#merged(update)
    validateReferences(merged.definition, merged.layout)
    return merged
  }

  #merged(update: MappingJson): IndexMapping {
    const incoming = readDefinition(update, this.context)
    // An empty mapping conflicts with nothing, not even in parameters that never change.
    if (Object.keys(this.toJson()).length === 0) {
      const settings = mergeSettings({ ...incoming.settings, runtime: new Map() }, incoming.settings)
      return new IndexMapping({ object: incoming.object, settings }, this.context, this.version + 1, this.layout)
    }
    const object = mergeObjects(this.definition.object, incoming.object)
    const settings = mergeSettings(this.definition.settings, incoming.settings)
    return new IndexMapping({ object, settings }, this.context, this.version + 1, this.layout)
  }

  field(name: string): FieldType | undefined {
    const { types, aliases } = this.layout
    return types.get(name) ?? types.get(aliases.get(name) ?? '') ?? this.#flattenedKey(name)
  }

  /** `labels.release` where `labels` is a flattened field. */
  #flattenedKey(name: string): FieldType | undefined {
    for (let dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
      const head = name.slice(0, dot)
      const type = this.layout.types.get(this.layout.aliases.get(head) ?? head)
      if (type instanceof FlattenedType) return type.keyed(name.slice(dot + 1))
    }
    return undefined
  }

  *fieldNames(): Iterable<string> {
    yield* this.layout.types.keys()
    yield* this.layout.aliases.keys()
  }

  objectKind(path: string): 'object' | 'nested' | undefined {
    const object = path === '' ? undefined : this.layout.objects.get(path)
    return object === undefined ? undefined : object.nested === undefined ? 'object' : 'nested'
  }

  /** The definition of a field as `GET _mapping/field` shows it; undefined if it does not exist. */
  fieldMappingJson(name: string, includeDefaults: boolean): MappingJson | undefined {
    if (METADATA_FIELDS.includes(name)) return {}
    const found = findMapper(this.definition.object.children, name)
    if (found === undefined) return undefined
    const json = found.kind === 'alias' ? { type: 'alias', path: found.target } : leafJson(found, includeDefaults)
    return { [found.name]: json }
  }

  /** The names of `GET _mapping/field`: every leaf, multi-field and alias, and the metadata fields. */
  *fieldMappingNames(): Iterable<string> {
    for (const name of METADATA_FIELDS) yield name
    yield* this.layout.plans.keys()
    yield* this.layout.aliases.keys()
  }

  get schemas(): readonly FieldSchema[] {
    return this.layout.schemas
  }

  get nestedPaths(): readonly string[] {
    return this.layout.nestedPaths
  }

  get routingRequired(): boolean {
    return this.definition.settings.routingRequired ?? false
  }

  get sourceEnabled(): boolean {
    const source = this.definition.settings.source
    if (this.context.limits.sourceDisabled === true) return false
    return source?.enabled !== false && source?.mode !== 'disabled'
  }

  storedSource(source: Uint8Array): Uint8Array {
    return this.#sourceFilter === undefined ? source : this.#sourceFilter.apply(source)
  }
}

/** Leaf, multi-field or alias at a full path. */
function findMapper(
  children: ReadonlyMap<string, Mapper>,
  path: string,
): LeafMapper | Exclude<Mapper, { kind: 'object' | 'leaf' }> | undefined {
  for (const child of children.values()) {
    if (child.kind === 'object') {
      if (!path.startsWith(`${child.path}.`)) continue
      const found = findMapper(child.children, path)
      if (found !== undefined) return found
      continue
    }
    if (child.path === path) return child
    if (child.kind === 'leaf' && path.startsWith(`${child.path}.`)) {
      const found = findMapper(child.subFields, path)
      if (found !== undefined) return found
    }
  }
  return undefined
}

function printed(json: Record<string, unknown>): MappingJson {
  return Object.fromEntries(Object.entries(json).filter(([, value]) => value !== undefined))
}
