/**
 * The layout of a mapping: field types for searches, physical fields for the storage, and the tables of the document
 * parser.
 *
 * Physical field ids and nested path numbers of the previous mapping stay unchanged, because documents in a write
 * buffer refer to them.
 */
import { DOC_COUNT_FIELD, type FieldSchema } from '../document/field-schema.ts'
import { METADATA_FIELDS, type RootDefinition } from './definition/root-settings.ts'
import type { FieldPlan } from './documents/field-plan.ts'
import {
  CHILD_ALIAS,
  CHILD_FIELD,
  CHILD_METADATA,
  CHILD_OBJECT,
  ChildPlan,
  ObjectPlan,
} from './documents/object-plan.ts'
import type { FieldType } from './field-type.ts'
import { type LeafMapper, PLAIN_SCHEMA, type SchemaShape } from './leaf-mapper.ts'
import type { MappingContext } from './mapping-context.ts'
import type { Dynamic, ObjectMapper } from './object-mapper.ts'
import { runtimeTypes } from './runtime-field-types.ts'

export interface MappingLayout {
  readonly schemas: readonly FieldSchema[]
  readonly nestedPaths: readonly string[]
  readonly types: ReadonlyMap<string, FieldType>
  readonly aliases: ReadonlyMap<string, string>
  /** Every leaf's plan by full path, for `copy_to`. */
  readonly plans: ReadonlyMap<string, FieldPlan>
  readonly objects: ReadonlyMap<string, ObjectMapper>
  readonly root: ObjectPlan
  /** Names of fields without doc values and norms, per document. */
  readonly fieldNames: FieldSchema
  /** Names of ignored fields. */
  readonly ignored: FieldSchema
  /** The number of documents that one represents (`_doc_count`). */
  readonly docCount: FieldSchema
}

/** Built from the mapping and the previous layout, if there is one. */
export function layOut(
  definition: RootDefinition,
  context: MappingContext,
  previous: MappingLayout | undefined,
): MappingLayout {
  return new LayoutBuilder(context, previous).build(definition)
}

class LayoutBuilder {
  readonly #context: MappingContext
  readonly #schemas: FieldSchema[]
  readonly #byName: Map<string, FieldSchema>
  readonly #nestedPaths: string[]
  readonly #types = new Map<string, FieldType>()
  readonly #aliases = new Map<string, string>()
  readonly #plans = new Map<string, FieldPlan>()
  readonly #objects = new Map<string, ObjectMapper>()
  readonly #copiedFrom = new Map<string, string[]>()

  constructor(context: MappingContext, previous: MappingLayout | undefined) {
    this.#context = context
    this.#schemas = [...(previous?.schemas ?? [])]
    this.#byName = new Map(this.#schemas.map((schema) => [schema.name, schema]))
    this.#nestedPaths = [...(previous?.nestedPaths ?? [])]
  }

  build(definition: RootDefinition): MappingLayout {
    const fieldNames = this.#schema('_field_names', { inverted: 'docs' })
    const ignored = this.#schema('_ignored', { inverted: 'docs', docValues: 'term' })
    const docCount = this.#schema(DOC_COUNT_FIELD, { docValues: 'number' })
    this.#collectCopies(definition.object)
    const root = this.#object(definition.object, 'true', undefined)
    const lookup = (name: string) => this.#types.get(name) ?? this.#types.get(this.#aliases.get(name) ?? '')
    for (const [name, type] of runtimeTypes(definition.settings.runtime, this.#context, lookup)) {
      this.#types.set(name, type)
    }
    return {
      schemas: this.#schemas,
      nestedPaths: this.#nestedPaths,
      types: this.#types,
      aliases: this.#aliases,
      plans: this.#plans,
      objects: this.#objects,
      root,
      fieldNames,
      ignored,
      docCount,
    }
  }

  #collectCopies(object: ObjectMapper): void {
    for (const child of object.children.values()) {
      if (child.kind === 'object') this.#collectCopies(child)
      if (child.kind !== 'leaf') continue
      for (const target of child.copyTo) {
        const sources = this.#copiedFrom.get(target)
        if (sources === undefined) this.#copiedFrom.set(target, [child.path])
        else sources.push(child.path)
      }
    }
  }

  #object(object: ObjectMapper, inherited: Dynamic, nestedPath: string | undefined): ObjectPlan {
    const dynamic = object.dynamic ?? inherited
    const within = object.nested === undefined ? nestedPath : object.path
    this.#objects.set(object.path, object)
    const children: ChildPlan[] = []
    for (const [name, child] of object.children) {
      if (child.kind === 'object') {
        children.push(new ChildPlan(name, CHILD_OBJECT, undefined, this.#object(child, dynamic, within)))
      } else if (child.kind === 'alias') {
        this.#aliases.set(child.path, child.target)
        children.push(new ChildPlan(name, CHILD_ALIAS, undefined, undefined))
      } else {
        children.push(new ChildPlan(name, CHILD_FIELD, this.#leaf(child, within, child.path), undefined))
      }
    }
    if (object.path === '') {
      for (const name of METADATA_FIELDS) children.push(new ChildPlan(name, CHILD_METADATA, undefined, undefined))
    }
    return new ObjectPlan({
      name: object.name,
      path: object.path,
      dynamic,
      enabled: object.enabled ?? true,
      subobjects: object.subobjects ?? true,
      nestedIndex: object.nested === undefined ? -1 : this.#nestedIndex(object.path),
      includeInParent: object.nested?.includeInParent ?? false,
      includeInRoot: object.nested?.includeInRoot ?? false,
      children,
    })
  }

  #leaf(leaf: LeafMapper, nestedPath: string | undefined, sourcePath: string): FieldPlan {
    const { type, plan } = leaf.definition.build(leaf, {
      path: leaf.path,
      nestedPath,
      sourcePath,
      copiedFrom: this.#copiedFrom.get(sourcePath) ?? [],
      context: this.#context,
      schema: (shape, suffix = '') => this.#schema(`${leaf.path}${suffix}`, shape),
    })
    this.#types.set(leaf.path, type)
    this.#plans.set(leaf.path, plan)
    const below = [...leaf.subFields.values(), ...(leaf.definition.implied?.(leaf) ?? [])]
    const subFields = below.map((sub) => this.#leaf(sub, nestedPath, sourcePath))
    plan.attach(subFields, leaf.copyTo)
    return plan
  }

  #nestedIndex(path: string): number {
    const known = this.#nestedPaths.indexOf(path)
    return known >= 0 ? known : this.#nestedPaths.push(path) - 1
  }

  #schema(name: string, shape: SchemaShape): FieldSchema {
    const known = this.#byName.get(name)
    const schema: FieldSchema = { ...PLAIN_SCHEMA, ...shape, id: known?.id ?? this.#schemas.length, name }
    if (known !== undefined && sameShape(known, schema)) return known
    this.#schemas[schema.id] = schema
    this.#byName.set(name, schema)
    return schema
  }
}

function sameShape(a: FieldSchema, b: FieldSchema): boolean {
  return (
    a.inverted === b.inverted &&
    a.norms === b.norms &&
    a.docValues === b.docValues &&
    a.ordered === b.ordered &&
    a.analyzer === b.analyzer &&
    a.positionGap === b.positionGap
  )
}
