/**
 * Unmapped fields of a document: their future mapping, and whether their values fit it.
 */
import { concreteValue } from '../../../base/errors/mapping-errors.ts'
import { DECIMAL, FALSE, INTEGER, START_ARRAY, START_OBJECT, TRUE } from '../../../base/json/json-reader.ts'
import { ROOT } from '../../document/parsed-document.ts'
import { readDynamic } from '../definition/mapping-parser.ts'
import type { ObjectPlan } from '../documents/object-plan.ts'
import type { ValueWriter } from '../documents/value-writer.ts'
import { leafDefinition } from '../field-type-registry.ts'
import { type LeafMapper, NO_SCHEMA } from '../leaf-mapper.ts'
import type { IndexMapping } from '../mapping.ts'
import type { MappingJson, ParseContext } from '../mapping-api.ts'
import { type Dynamic, joinPath } from '../object-mapper.ts'
import { dynamicField, type NewField, objectFromTemplate, textKind } from './dynamic-mapping.ts'
import type { JsonKind } from './dynamic-templates.ts'
import { DynamicUpdate } from './dynamic-update.ts'

type Definition = Record<string, unknown>

const OBJECT_MEMBERS = new Set([
  'type',
  'properties',
  'dynamic',
  'enabled',
  'subobjects',
  'include_in_parent',
  'include_in_root',
  'synthetic_source_keep',
  'store_array_source',
])

/** A template without a kind of values also has parameters of fields, which an object leaves out. */
const isObjectMember = ([name]: [string, unknown]) => OBJECT_MEMBERS.has(name)

const isOff = (value: unknown) => value === false || value === 'false'

export class NewFields {
  readonly #writer: ValueWriter
  #mapping!: IndexMapping
  #context!: ParseContext
  #update: DynamicUpdate | undefined

  constructor(writer: ValueWriter) {
    this.#writer = writer
  }

  begin(mapping: IndexMapping, context: ParseContext): void {
    this.#mapping = mapping
    this.#context = context
    this.#update = undefined
  }

  /** The document's mapping update; undefined if there is none. Throws if two values of a field disagree. */
  toJson(): MappingJson | undefined {
    return this.#update === undefined || this.#update.isEmpty ? undefined : this.#update.toJson()
  }

  /** Changes the definition of an existing field. */
  learn(path: string, definition: Definition): void {
    this.#changes().learn(path, definition)
  }

  /** The scalar at the reader's token, for an unmapped field. */
  addLeaf(object: ObjectPlan, name: string, shown: string | null = name): void {
    const path = joinPath(object.path, name)
    const { kind, format } = this.#kind()
    const field = dynamicField(this.#mapping.definition.settings, this.#newField(object, name, kind, format))
    const { enabled, type } = field.definition
    if ((type === 'object' || type === 'nested') && !isOff(enabled)) {
      throw concreteValue(this.#writer.places.ofToken(this.#writer.reader), path, shown)
    }
    if (field.isRuntime) this.#changes().addRuntime(path, field.definition)
    else this.#addField(object, name, field.definition)
  }

  /** An array as a whole, if a template maps it to a type that accepts arrays. */
  addArray(object: ObjectPlan, name: string): boolean {
    const template = this.#objectTemplate(object, name)
    if (template === undefined || template.isRuntime) return false
    if (leafDefinition(String(template.definition['type']))?.traits.takesArrays !== true) return false
    this.#addField(object, name, template.definition)
    return true
  }

  /**
   * An object. Returns what becomes of its new members; undefined if they are not to be read: if it is ignored, and if a template
   * maps it to something else, or to an object with fields or with flat names, which the next pass will read.
   */
  addObject(object: ObjectPlan, name: string): Dynamic | undefined {
    const definition = this.#objectTemplate(object, name)?.definition ?? {}
    const { type = 'object', ...rest } = definition
    if (type !== 'object' && type !== 'nested') {
      this.#addField(object, name, definition)
      return undefined
    }
    const known = Object.fromEntries(Object.entries(type === 'object' ? rest : definition).filter(isObjectMember))
    const changes = this.#changes()
    if (!changes.knowsObject(object.path, name) && this.#isBeyondLimit(1)) {
      this.#writer.ignore(joinPath(object.path, name))
      return undefined
    }
    changes.addObject(object.path, name, known)
    const { dynamic, enabled, properties, subobjects } = definition
    if (properties !== undefined || isOff(enabled) || isOff(subobjects)) return undefined
    return dynamic === undefined ? object.dynamic : readDynamic(dynamic)
  }

  /** An object on the path of a `copy_to` target. */
  addPlainObject(object: ObjectPlan, name: string): void {
    this.#changes().addObject(object.path, name, {})
  }

  #objectTemplate(object: ObjectPlan, name: string) {
    return objectFromTemplate(this.#mapping.definition.settings, this.#newField(object, name, 'object', undefined))
  }

  #newField(object: ObjectPlan, name: string, kind: JsonKind, format: string | undefined): NewField {
    const path = joinPath(object.path, name)
    return {
      path,
      name: name.slice(name.lastIndexOf('.') + 1),
      kind,
      format,
      templateName: this.#context.dynamicTemplates?.[path],
      asRuntime: object.dynamic === 'runtime',
    }
  }

  #addField(object: ObjectPlan, name: string, definition: Definition): void {
    const changes = this.#changes()
    const size = 1 + Object.keys((definition['fields'] as object | undefined) ?? {}).length
    if (!changes.knowsField(object.path, name) && this.#isBeyondLimit(size)) {
      this.#writer.ignore(joinPath(object.path, name))
      return
    }
    const leaf = changes.addField(object.path, name, definition)
    if (leaf !== undefined) this.#tryValue(leaf)
  }

  /**
   * Whether the field exceeds `total_fields.limit` in an index that ignores such fields instead of rejecting the
   * document.
   */
  #isBeyondLimit(more: number): boolean {
    return this.#mapping.context.limits.ignoreDynamicBeyondLimit && !this.#changes().fits(more)
  }

  /** Validates a value of a new field, so that an invalid one is rejected before the mapping changes. */
  #tryValue(leaf: LeafMapper): void {
    const { token } = this.#writer.reader
    if (token === START_OBJECT || token === START_ARRAY) return
    const { plan } = leaf.definition.build(leaf, {
      path: leaf.path,
      nestedPath: undefined,
      sourcePath: leaf.path,
      copiedFrom: [],
      context: this.#mapping.context,
      schema: () => NO_SCHEMA,
    })
    this.#writer.write(plan, ROOT)
  }

  #kind(): { kind: JsonKind; format?: string } {
    const { reader } = this.#writer
    switch (reader.token) {
      case TRUE:
      case FALSE:
        return { kind: 'boolean' }
      case INTEGER:
        return { kind: 'long' }
      case DECIMAL:
        return { kind: 'double' }
      default:
        return textKind(this.#mapping.definition.settings, reader.text())
    }
  }

  #changes(): DynamicUpdate {
    this.#update ??= new DynamicUpdate(this.#mapping)
    return this.#update
  }
}
