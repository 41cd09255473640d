/**
 * Collects the unmapped fields of a document as one mapping update.
 *
 * Every value of a new field determines a type. Values that disagree are rejected with Elasticsearch's merge error.
 */
import { illegalArgument } from '../../../base/api-error.ts'
import { illegalState, mappingTooDeep, objectOverField } from '../../../base/errors/mapping-errors.ts'
import { hashOrder } from '../../values/java-text.ts'
import { mergeMappers } from '../definition/mapper-merge.ts'
import { fieldCount } from '../definition/mapping-limits.ts'
import { parseLeaf } from '../definition/mapping-parser.ts'
import { objectUpdate } from '../documents/object-plan.ts'
import { leafDefinition } from '../field-type-registry.ts'
import type { LeafMapper } from '../leaf-mapper.ts'
import type { IndexMapping } from '../mapping.ts'
import type { MappingJson } from '../mapping-api.ts'
import { joinPath, type ObjectMapper } from '../object-mapper.ts'

type Definition = Record<string, unknown>

/** A new or existing object on the path of new fields. */
interface UpdateNode {
  readonly definition: Definition
  /** Whether it is new in this update, and not only on the path of something new. */
  readonly isAdded: boolean
  readonly fields: Map<string, { definition: Definition; mapper: LeafMapper | undefined }>
  readonly objects: Map<string, UpdateNode>
}

export class DynamicUpdate {
  readonly #mapping: IndexMapping
  readonly #root: UpdateNode
  readonly #runtime = new Map<string, Definition>()
  /** By path; of several the one that comes first in Elasticsearch's hash map is reported. */
  readonly #conflicts = new Map<string, Error>()
  readonly #paths: string[] = []
  #added = 0
  #learned = false

  constructor(mapping: IndexMapping) {
    this.#mapping = mapping
    const definition = objectUpdate(mapping.definition.object)
    this.#root = { definition, isAdded: false, fields: new Map(), objects: new Map() }
  }

  get isEmpty(): boolean {
    return this.#added === 0 && !this.#learned && this.#conflicts.size === 0 && this.#runtime.size === 0
  }

  /** Whether this many more fields would still fit. */
  fits(more: number): boolean {
    return fieldCount(this.#mapping.definition) + this.#added + more <= this.#mapping.context.limits.totalFields
  }

  addRuntime(path: string, definition: Definition): void {
    if (!this.#runtime.has(path)) this.#count(1)
    this.#runtime.set(path, definition)
  }

  /** Adds a leaf under the object at `parentPath`; returns its mapper, so that its value can be tried. */
  addField(parentPath: string, name: string, definition: Definition): LeafMapper | undefined {
    const parent = this.#node(parentPath)
    const path = joinPath(parentPath, name)
    const type = leafDefinition(String(definition['type']))
    const context = this.#mapping.context
    const mapper = type === undefined ? undefined : parseLeaf(type, name, path, definition, context)
    const present = parent.fields.get(name)
    if (present === undefined) {
      if (parent.objects.has(name)) {
        this.#fail(path, objectOverField(path))
        return mapper
      }
      this.#checkParents(parentPath, path)
      this.#count(1 + (mapper?.subFields.size ?? 0))
      parent.fields.set(name, { definition, mapper })
      this.#paths.push(path)
      return mapper
    }
    if (mapper !== undefined && present.mapper !== undefined) {
      try {
        mergeMappers(present.mapper, mapper)
      } catch (error) {
        this.#fail(path, error as Error)
      }
    }
    return mapper
  }

  /** Changes the definition of an existing field. The first value of a document decides; later ones must agree. */
  learn(path: string, definition: Definition): void {
    const dot = path.lastIndexOf('.')
    const parent = this.#node(dot < 0 ? '' : path.slice(0, dot))
    const name = path.slice(dot + 1)
    if (!parent.fields.has(name)) parent.fields.set(name, { definition, mapper: undefined })
    this.#learned = true
  }

  /** Adds an object under the one at `parentPath`; `definition` has its settings. */
  addObject(parentPath: string, name: string, definition: Definition): void {
    const parent = this.#node(parentPath)
    const path = joinPath(parentPath, name)
    const field = parent.fields.get(name)
    if (field !== undefined) {
      const reason = `mapper [${path}] cannot be changed from type [${field.mapper?.type}] to [ObjectMapper]`
      this.#fail(path, illegalArgument(reason))
    }
    if (parent.objects.get(name)?.isAdded) return
    const limit = this.#mapping.context.limits.depth
    if (path.split('.').length + 1 > limit) {
      throw mappingTooDeep(limit, path)
    }
    this.#count(1)
    this.#paths.push(path)
    parent.objects.set(name, { definition, isAdded: true, fields: new Map(), objects: new Map() })
  }

  knowsObject(parentPath: string, name: string): boolean {
    return this.#node(parentPath).objects.get(name)?.isAdded === true
  }

  /**
   * Whether the document has already added a leaf field at that path. An object of the same path would be a conflict.
   */
  knowsField(parentPath: string, name: string): boolean {
    return this.#node(parentPath).fields.has(name)
  }

  /** The update as JSON. Throws if two values of one field disagree. */
  toJson(): MappingJson {
    for (const path of this.#conflicts.size === 0 ? [] : hashOrder(this.#paths)) {
      const conflict = this.#conflicts.get(path)
      if (conflict !== undefined) throw conflict
    }
    const json: MappingJson = nodeJson(this.#root)
    if (this.#runtime.size > 0) json['runtime'] = Object.fromEntries(this.#runtime)
    return json
  }

  /** With `dynamic: runtime` objects are not added, so a field mapped by a template may have no parent. */
  #checkParents(parentPath: string, path: string): void {
    let node = this.#root
    let at = ''
    for (const name of parentPath === '' ? [] : parentPath.split('.')) {
      at = joinPath(at, name)
      const isField = node.fields.has(name)
      const next = node.objects.get(name)
      if (isField) this.#fail(path, objectOverField(at))
      if (isField || next === undefined) return
      if (!next.isAdded && !this.#mapping.layout.objects.has(at)) {
        this.#fail(path, illegalState(`Missing intermediate object ${at}`))
        return
      }
      node = next
    }
  }

  #fail(path: string, error: Error): void {
    if (!this.#conflicts.has(path)) this.#conflicts.set(path, error)
  }

  #count(more: number): void {
    this.#added += more
    const limit = this.#mapping.context.limits.totalFields
    if (fieldCount(this.#mapping.definition) + this.#added > limit) {
      throw illegalArgument(
        `Limit of total fields [${limit}] has been exceeded while adding new fields [${this.#added}]`,
      )
    }
  }

  /** The node of an object, with those of its parents. */
  #node(path: string): UpdateNode {
    let node = this.#root
    let mapper: ObjectMapper | undefined = this.#mapping.definition.object
    let rest = path
    while (rest !== '') {
      const child: ObjectMapper | undefined = mapper && childObject(mapper, path, rest)
      const name = child?.name ?? rest.split('.')[0]!
      let next = node.objects.get(name)
      if (next === undefined) {
        next = { definition: objectUpdate(child), isAdded: false, fields: new Map(), objects: new Map() }
        node.objects.set(name, next)
      }
      node = next
      mapper = child
      rest = rest.slice(name.length + 1)
    }
    return node
  }
}

/** The object inside `mapper` that `path` passes through. Names may contain dots under `subobjects: false`. */
function childObject(mapper: ObjectMapper, path: string, rest: string): ObjectMapper | undefined {
  const first = mapper.children.get(rest.split('.')[0]!)
  if (first?.kind === 'object') return first
  for (const child of mapper.children.values()) {
    if (child.kind === 'object' && (path === child.path || path.startsWith(`${child.path}.`))) return child
  }
  return undefined
}

function nodeJson(node: UpdateNode): MappingJson {
  const members: [string, unknown][] = []
  for (const [name, field] of node.fields) members.push([name, field.definition])
  for (const [name, object] of node.objects) {
    const json = nodeJson(object)
    // An object without fields must be declared as one.
    members.push([name, json['properties'] === undefined ? { type: 'object', ...json } : json])
  }
  // Not by assignment, because a field may be named __proto__.
  const properties = Object.fromEntries(members)
  return { ...node.definition, ...(Object.keys(properties).length === 0 ? {} : { properties }) }
}

/** Joins two updates of one document, the second found while trying the first. */
export function joinUpdates(first: MappingJson, second: MappingJson): MappingJson {
  const joined = new Map(Object.entries(first))
  for (const [key, value] of Object.entries(second)) {
    const present = joined.get(key)
    joined.set(key, isObject(present) && isObject(value) ? joinUpdates(present, value) : value)
  }
  return Object.fromEntries(joined)
}

const isObject = (value: unknown): value is MappingJson =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
