/** A field as defined in a mapping, and the definition of a mapping type. */

import type { FieldSchema } from '../document/field-schema.ts'
import type { Parameter, ParameterSite } from './definition/parameter.ts'
import type { FieldPlan } from './documents/field-plan.ts'
import type { FieldTraits } from './field-traits.ts'
import type { FieldType } from './field-type.ts'
import type { MappingContext } from './mapping-context.ts'

/** One mapping type: `keyword`, `half_float`, `date_range`. */
export interface LeafDefinition {
  readonly type: string
  readonly traits: FieldTraits
  /** In the order in which Elasticsearch prints them. */
  readonly parameters: readonly Parameter[]
  /** Whether `fields` and `copy_to` are allowed. */
  readonly mayHaveSubFields: boolean
  /** Whether it may not be one of the `fields` of another. */
  readonly refusesMultiFields?: boolean
  /** Whether `fields` and `copy_to` are checked and then dropped, as Elasticsearch does for some types. */
  readonly dropsSubFields?: boolean
  /** Rules between parameters, checked after all of them are parsed. */
  check?(leaf: LeafMapper, site: ParameterSite): void
  /** Adds index-dependent values for parameters that were not given. */
  complete?(given: Map<string, unknown>, site: ParameterSite): void
  /** Implied fields: they are built like multi-fields and never printed. */
  implied?(leaf: LeafMapper): readonly LeafMapper[]
  /** For parameters whose printed form depends on others; undefined leaves it to the parameter itself. */
  printed?(leaf: LeafMapper, name: string): { value: unknown; shown: boolean } | undefined
  build(leaf: LeafMapper, site: BuildSite): BuiltField
}

/** A schema without its identity. */
export type SchemaShape = Partial<Omit<FieldSchema, 'id' | 'name'>>

/** The environment of a field while the physical fields of a mapping are laid out. */
export interface BuildSite {
  readonly path: string
  readonly nestedPath: string | undefined
  readonly sourcePath: string
  readonly copiedFrom: readonly string[]
  readonly context: MappingContext
  /** Gets or creates the physical field; `suffix` is for types that need a second one. */
  schema(shape: SchemaShape, suffix?: string): FieldSchema
}

export interface BuiltField {
  readonly type: FieldType
  readonly plan: FieldPlan
}

export interface LeafMapperOptions {
  readonly definition: LeafDefinition
  /** Name inside the parent. */
  readonly name: string
  readonly path: string
  /** The given parameters. */
  readonly given: ReadonlyMap<string, unknown>
  readonly subFields: ReadonlyMap<string, LeafMapper>
  readonly copyTo: readonly string[]
}

export class LeafMapper {
  readonly kind = 'leaf'
  readonly definition: LeafDefinition
  readonly name: string
  readonly path: string
  readonly given: ReadonlyMap<string, unknown>
  readonly subFields: ReadonlyMap<string, LeafMapper>
  readonly copyTo: readonly string[]

  constructor(options: LeafMapperOptions) {
    this.definition = options.definition
    this.name = options.name
    this.path = options.path
    this.given = options.given
    this.subFields = options.subFields
    this.copyTo = options.copyTo
  }

  get type(): string {
    return this.definition.type
  }

  /** A parameter's value, or its default. The type must have such a parameter. */
  value(name: string): unknown {
    if (this.given.has(name)) return this.given.get(name)
    const parameter = this.definition.parameters.find((candidate) => candidate.name === name)
    if (parameter === undefined) throw new Error(`fields of type [${this.type}] have no parameter [${name}]`)
    return parameter.initial
  }

  flag(name: string): boolean {
    const value = this.value(name)
    if (typeof value !== 'boolean') throw this.#unexpected(name, value)
    return value
  }

  number(name: string): number {
    const value = this.value(name)
    if (typeof value !== 'number') throw this.#unexpected(name, value)
    return value
  }

  text(name: string): string {
    const value = this.value(name)
    if (typeof value !== 'string') throw this.#unexpected(name, value)
    return value
  }

  /** Null if the parameter is not set. */
  textOrNull(name: string): string | null {
    return this.value(name) === null ? null : this.text(name)
  }

  /** Whether fields of this type have the parameter. */
  hasParameter(name: string): boolean {
    return this.given.has(name) || this.definition.parameters.some((parameter) => parameter.name === name)
  }

  isGiven(name: string): boolean {
    return this.given.has(name)
  }

  #unexpected(name: string, value: unknown): Error {
    return new Error(`parameter [${name}] of the field [${this.path}] of type [${this.type}] has the value [${value}]`)
  }
}

/** An alias of a field. */
export class AliasMapper {
  readonly kind = 'alias'
  readonly name: string
  readonly path: string
  readonly target: string

  constructor(name: string, path: string, target: string) {
    this.name = name
    this.path = path
    this.target = target
  }
}

export const PLAIN_SCHEMA: Omit<FieldSchema, 'id' | 'name'> = {
  inverted: 'none',
  norms: false,
  docValues: 'none',
  ordered: false,
  analyzer: undefined,
  positionGap: 0,
}

/** For a field that is only used to validate or print values. */
export const NO_SCHEMA: FieldSchema = { ...PLAIN_SCHEMA, id: -1, name: '' }
