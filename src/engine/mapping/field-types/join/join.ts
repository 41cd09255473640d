/**
 * `join`: relations between the documents of an index. A document names its side of a relation (`j`); parents and their children share
 * the parent's id in a second physical field, `j#parent`, by which queries and aggregations bring them together.
 */

import { type ApiError, illegalArgument, parseFailure } from '../../../../base/api-error.ts'
import { illegalState, nullValueInMapping } from '../../../../base/errors/mapping-errors.ts'
import {
  DECIMAL,
  END_OBJECT,
  FALSE,
  INTEGER,
  type JsonReader,
  NULL,
  START_ARRAY,
  START_OBJECT,
  STRING,
  TRUE,
} from '../../../../base/json/json-reader.ts'
import { newMembers } from '../../../../base/json/members.ts'
import type { FieldSchema } from '../../../document/field-schema.ts'
import { TERM } from '../../../document/parsed-document.ts'
import { hashOrder, javaClass, javaText } from '../../../values/java-text.ts'
import { flag, meta, type Parameter, parameter } from '../../definition/parameter.ts'
import { type EntrySink, FieldPlan, OP_VALUE } from '../../documents/field-plan.ts'
import { type BuildSite, type LeafDefinition, LeafMapper } from '../../leaf-mapper.ts'
import { PlainTermType } from '../base-field-type.ts'

/** Children by parent, as the mapping has them. */
type Relations = Readonly<Record<string, readonly string[]>>

const SHAPE = { inverted: 'docs', docValues: 'term' } as const

const relations: Parameter = parameter('relations', {}, readRelations, {
  alwaysPrinted: true,
  updatable: (from, to) => relationConflicts(from as Relations, to as Relations).length === 0,
  conflicts: (from, to) => relationConflicts(from as Relations, to as Relations),
  describe: (value) => describeRelations(value as Relations),
  print: (value) => printRelations(value as Relations),
})

/** Checked like that of other fields, but not kept. */
const checkedMeta: Parameter = {
  ...meta(),
  read(value, site) {
    meta().read(value, site)
    return {}
  },
}

export const join: LeafDefinition = {
  type: 'join',
  traits: { family: 'keyword' },
  mayHaveSubFields: false,
  dropsSubFields: true,
  parameters: [flag('eager_global_ordinals', true, { updatable: true, alwaysPrinted: true }), relations, checkedMeta],
  check(leaf) {
    if (leaf.path.includes('.')) {
      throw illegalArgument(`join field [${leaf.path}] cannot be added inside an object or in a multi-field`)
    }
  },
  implied: (leaf) => Object.keys(relationsOf(leaf)).map((parent) => idField(leaf, parent)),
  build(leaf, site) {
    const schema = site.schema(SHAPE)
    const writer = new JoinWriter(site.path, relationsOf(leaf), (parent) => site.schema(SHAPE, `#${parent}`))
    return {
      type: new JoinType(leaf, site, schema, relationsOf(leaf)),
      plan: new FieldPlan({
        path: site.path,
        type: 'join',
        op: OP_VALUE,
        schema,
        takesObjects: true,
        errorForm: 'bare',
        writeValue: (plan, sink) => writer.write(plan, sink),
      }),
    }
  },
}

const relationsOf = (leaf: LeafMapper) => leaf.value('relations') as Relations

/** The field with the ids of parents, which no document names itself. */
function idField(leaf: LeafMapper, parent: string): LeafMapper {
  return new LeafMapper({
    definition: {
      type: 'parent',
      traits: { family: 'keyword' },
      mayHaveSubFields: false,
      parameters: [],
      build: (own, site) => ({
        type: new ParentIdType(own, site, site.schema(SHAPE)),
        plan: new FieldPlan({ path: site.path, type: 'parent', op: OP_VALUE, schema: undefined, writeValue: () => {} }),
      }),
    },
    name: `${leaf.name}#${parent}`,
    path: `${leaf.path}#${parent}`,
    given: new Map(),
    subFields: new Map(),
    copyTo: [],
  })
}

export class JoinType extends PlainTermType {
  readonly #relations: Relations

  constructor(leaf: LeafMapper, site: BuildSite, schema: FieldSchema, relations: Relations) {
    super({ leaf, site, shape: 'term', schema, indexed: true, hasDocValues: true })
    this.#relations = relations
  }

  isParent(name: string): boolean {
    return Object.hasOwn(this.#relations, name)
  }

  /** The parent of a kind of child; undefined where there is no such child. */
  parentOf(child: string): string | undefined {
    return parentOf(this.#relations, child)
  }

  childrenOf(parent: string): readonly string[] {
    return this.#relations[parent] ?? []
  }

  /** The physical field with the id of the parent. A parent and its children have the same value in it. */
  idField(parent: string): string {
    return `${this.name}#${parent}`
  }

  override formatSourceValue(value: unknown, format: string | undefined): unknown {
    this.refuseFormat(format)
    return value === null ? undefined : value
  }
}

class ParentIdType extends PlainTermType {
  constructor(leaf: LeafMapper, site: BuildSite, schema: FieldSchema) {
    super({ leaf, site, shape: 'term', schema, indexed: true, hasDocValues: true })
  }

  override formatSourceValue(): undefined {
    return undefined
  }

  override get isInternal(): boolean {
    return true
  }
}

class JoinWriter {
  readonly #field: string
  readonly #relations: Relations
  readonly #idSchemas: ReadonlyMap<string, FieldSchema>

  constructor(field: string, relations: Relations, schemaOf: (parent: string) => FieldSchema) {
    this.#field = field
    this.#relations = relations
    this.#idSchemas = new Map(Object.keys(relations).map((parent) => [parent, schemaOf(parent)]))
  }

  write(plan: FieldPlan, sink: EntrySink): void {
    const { name, parent } = this.#read(sink.reader)
    const field = this.#field
    if (name === undefined) throw illegalArgument(`null join name in field [${field}]`)
    const parentKind = parentOf(this.#relations, name)
    const isParent = this.#idSchemas.has(name)
    if (parentKind !== undefined) {
      if (parent === undefined) throw illegalArgument(`[parent] is missing for join field [${field}]`)
      if (sink.context.routing === undefined) throw illegalArgument(`[routing] is missing for join field [${field}]`)
      put(sink, this.#idSchemas.get(parentKind)!, parent)
    }
    if (isParent && parentKind !== name) put(sink, this.#idSchemas.get(name)!, sink.context.id)
    if (!isParent && parentKind === undefined) {
      throw illegalArgument(`unknown join name [${name}] for field [${field}]`)
    }
    put(sink, plan.schema!, name)
  }

  #read(reader: JsonReader): { name: string | undefined; parent: string | undefined } {
    if (reader.token === STRING) return { name: reader.text(), parent: undefined }
    if (reader.token !== START_OBJECT) {
      throw illegalState(`[${this.#field}] expected START_OBJECT or VALUE_STRING but was: ${tokenKind(reader)}`)
    }
    let name: string | undefined
    let parent: string | undefined
    while (reader.next() !== END_OBJECT) {
      const member = reader.text()
      reader.next()
      if (member === 'name' && reader.token === (STRING as number)) name = reader.text()
      else if (member === 'parent' && isText(reader)) parent = reader.text()
      else throw illegalArgument(`unknown field name [${member}] in join field [${this.#field}]`)
    }
    return { name, parent }
  }
}

const isText = ({ token }: JsonReader) => token === STRING || token === INTEGER || token === DECIMAL

function put(sink: EntrySink, schema: FieldSchema, text: string): void {
  const { out, doc } = sink
  for (let i = 0; i < out.entryCount; i++) {
    if (out.field[i] !== schema.id || out.doc[i] !== doc) continue
    throw illegalArgument(
      `DocValuesField "${schema.name}" appears more than once in this document (only one value is allowed per field)`,
    )
  }
  const bytes = Buffer.from(text)
  const start = sink.put(bytes)
  sink.out.add(schema, TERM, start, start + bytes.length, sink.doc)
}

function tokenKind({ token }: JsonReader): string {
  if (token === INTEGER || token === DECIMAL) return 'VALUE_NUMBER'
  if (token === TRUE || token === FALSE) return 'VALUE_BOOLEAN'
  if (token === START_ARRAY) return 'START_ARRAY'
  return token === NULL ? 'VALUE_NULL' : 'VALUE_STRING'
}

function parentOf(relations: Relations, child: string): string | undefined {
  return Object.keys(relations).find((parent) => relations[parent]!.includes(child))
}

function readRelations(value: unknown): Relations {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw parseFailure(`relations should be a map but was of type: class ${javaClass(value)}`)
  }
  const relations: Record<string, string[]> = newMembers()
  const known = new Set<string>()
  for (const [parent, given] of Object.entries(value)) {
    const list = Array.isArray(given) ? given : [given]
    if (list.includes(null)) throw nullValueInMapping()
    const children = list.map((child) => javaText(child))
    for (const child of children) {
      if (known.has(child)) throw illegalArgument(`[${child}] cannot have multiple parents`)
      known.add(child)
    }
    relations[parent] = children
  }
  return { ...relations }
}

function printRelations(relations: Relations): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(relations).map(([parent, children]) => [parent, children.length === 1 ? children[0] : children]),
  )
}

function describeRelations(relations: Relations): string {
  const shown = hashOrder(Object.keys(relations)).map(
    (parent) => `Relations[parent=${parent}, children=[${relations[parent]!.join(', ')}]]`,
  )
  return `[${shown.join(', ')}]`
}

/**
 * The conflicts of an update of the relations: it may add relations, but stored documents depend on the existing ones.
 */
function relationConflicts(from: Relations, to: Relations): string[] {
  const conflicts: string[] = []
  for (const parent of Object.keys(from)) {
    if (!Object.hasOwn(to, parent)) conflicts.push(`Cannot remove parent [${parent}]`)
  }
  for (const child of Object.values(from).flat()) {
    const parent = parentOf(to, child)
    if (parent === undefined) conflicts.push(`Cannot remove child [${child}]`)
    else if (parent !== parentOf(from, child)) conflicts.push(`Cannot change parent of [${child}]`)
  }
  for (const parent of Object.keys(to)) {
    if (!Object.hasOwn(from, parent) && parentOf(from, parent) !== undefined) {
      conflicts.push(`Cannot create parent [${parent}] from an existing child`)
    }
  }
  for (const child of Object.values(to).flat()) {
    if (parentOf(from, child) === undefined && Object.hasOwn(from, child)) {
      conflicts.push(`Cannot create child [${child}] from an existing root`)
    }
  }
  return conflicts
}

/** The error for an index with several join fields. */
export function severalJoins(names: readonly string[]): ApiError {
  return illegalArgument(`Only one [parent-join] field can be defined per index, got [${names.join(', ')}]`)
}
