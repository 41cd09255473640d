/**
 * The layout of a mapping: field types for searches, physical fields for the storage, and the tables of the document
 * parser.
 *
 * Physical field ids and nested path numbers of the previous mapping stay unchanged, because documents in a write
 * buffer refer to them.
 */
import { illegalArgument } from '../../base/api-error.ts'
import { DOC_COUNT_FIELD, type FieldSchema } from '../document/field-schema.ts'
import { compileDateFormat } from '../time/format/date-format.ts'
import { METADATA_FIELDS, type RootDefinition } from './definition/root-settings.ts'
import { checkDistinct, type RuntimeFieldDefinition } from './definition/runtime-fields.ts'
import { FieldPlan, OP_DATE, OP_VALUE } from './documents/field-plan.ts'
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
import type { RuntimeFieldType } from './runtime-field-type.ts'
import { runtimeTypes } from './runtime-field-types.ts'

export interface MappingLayout {
  readonly schemas: readonly FieldSchema[]
  readonly nestedPaths: readonly string[]
  readonly types: ReadonlyMap<string, FieldType>
  readonly aliases: ReadonlyMap<string, string>
  /** Every leaf's plan by full path, for `copy_to`. */
  readonly plans: ReadonlyMap<string, FieldPlan>
  readonly objects: ReadonlyMap<string, ObjectMapper>
  /** Fields whose values a script computes when a document is indexed. */
  readonly scripted: readonly ScriptedLeaf[]
  readonly root: ObjectPlan
  /** Names of fields without doc values and norms, per document. */
  readonly fieldNames: FieldSchema
  /** Names of ignored fields. */
  readonly ignored: FieldSchema
  /** The number of documents that one represents (`_doc_count`). */
  readonly docCount: FieldSchema
}

export interface ScriptedLeaf {
  /** Writes the results of the script. The field's regular plan rejects values in documents. */
  readonly plan: FieldPlan
  /** The same script as a runtime field. */
  readonly values: RuntimeFieldType
}

/** Lays out a mapping. `previous` is the layout of the mapping that it replaces, whose ids stay valid. */
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
  readonly #scripts = new Map<string, { plan: FieldPlan; definition: RuntimeFieldDefinition }>()
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
    checkDistinct(definition.settings.runtime)
    for (const [name, type] of runtimeTypes(definition.settings.runtime, this.#context, lookup)) {
      this.#types.set(name, type)
    }
    const scripted = this.#scripted(lookup)
    return {
      scripted,
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

  /** Scripts may read each other's fields, which are runtime fields to them until the document is indexed. */
  #scripted(lookup: (name: string) => FieldType | undefined): ScriptedLeaf[] {
    if (this.#scripts.size === 0) return []
    const definitions = new Map([...this.#scripts].map(([path, { definition }]) => [path, definition]))
    const types: ReadonlyMap<string, FieldType> = runtimeTypes(
      definitions,
      this.#context,
      (name) => types.get(name) ?? lookup(name),
    )
    return [...this.#scripts].map(([path, { plan }]) => {
      const values = types.get(path) as RuntimeFieldType
      this.#types.get(path)!.scriptedAs = values
      return { plan, values }
    })
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
    if (leaf.isGiven('script')) return this.#scriptedLeaf(leaf, plan)
    this.#plans.set(leaf.path, plan)
    const below = [...leaf.subFields.values(), ...(leaf.definition.implied?.(leaf) ?? [])]
    const subFields = below.map((sub) => this.#leaf(sub, nestedPath, sourcePath))
    plan.attach(subFields, leaf.copyTo)
    return plan
  }

  #scriptedLeaf(leaf: LeafMapper, plan: FieldPlan): FieldPlan {
    const definition: Record<string, unknown> = { type: leaf.type, script: leaf.value('script') }
    for (const name of ['format', 'locale', 'on_script_error']) {
      if (leaf.isGiven(name)) definition[name] = leaf.value(name)
    }
    // The script returns dates in milliseconds, which the field's own format may not parse.
    const writing =
      plan.op === OP_DATE ? new FieldPlan({ ...plan, dateFormat: compileDateFormat('epoch_millis') }) : plan
    this.#scripts.set(leaf.path, { plan: writing, definition: definition as unknown as RuntimeFieldDefinition })
    const refusing = new FieldPlan({
      path: plan.path,
      type: plan.type,
      op: OP_VALUE,
      schema: plan.schema,
      writeValue: refuseValue,
    })
    this.#plans.set(leaf.path, refusing)
    return refusing
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

function refuseValue(): never {
  throw illegalArgument('Cannot index data directly into a field with a [script] parameter')
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
