/** Objects of a mapping: the root, inner objects, and nested objects, whose values are separate documents. */
import type { AliasMapper, LeafMapper } from './leaf-mapper.ts'

export type Dynamic = 'true' | 'false' | 'strict' | 'runtime'

export type Mapper = ObjectMapper | LeafMapper | AliasMapper

export interface ObjectOptions {
  readonly name: string
  readonly path: string
  readonly nested?: NestedOptions | undefined
  readonly enabled?: boolean | undefined
  readonly dynamic?: Dynamic | undefined
  readonly subobjects?: boolean | undefined
  /** `synthetic_source_keep` */
  readonly sourceKeep?: string | undefined
  readonly children: ReadonlyMap<string, Mapper>
}

export interface NestedOptions {
  readonly includeInParent: boolean | undefined
  readonly includeInRoot: boolean | undefined
}

/** Immutable. Undefined options were not given and are not printed. */
export class ObjectMapper {
  readonly kind = 'object'
  readonly name: string
  readonly path: string
  readonly nested: NestedOptions | undefined
  readonly enabled: boolean | undefined
  readonly dynamic: Dynamic | undefined
  readonly subobjects: boolean | undefined
  readonly sourceKeep: string | undefined
  readonly children: ReadonlyMap<string, Mapper>

  constructor(options: ObjectOptions) {
    this.name = options.name
    this.path = options.path
    this.nested = options.nested
    this.enabled = options.enabled
    this.dynamic = options.dynamic
    this.subobjects = options.subobjects
    this.sourceKeep = options.sourceKeep
    this.children = options.children
  }

  /** A copy with changed members. */
  with(change: Partial<ObjectOptions>): ObjectMapper {
    return new ObjectMapper({ ...this, ...change })
  }
}

export const joinPath = (parent: string, name: string) => (parent === '' ? name : `${parent}.${name}`)
