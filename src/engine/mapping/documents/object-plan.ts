/** The structure of documents for the parser: per object a hash table from the bytes of a name to its meaning. */
import { hashBytes } from '../../../base/json/json-reader.ts'
import type { Dynamic, ObjectMapper } from '../object-mapper.ts'
import type { FieldPlan } from './field-plan.ts'

export const CHILD_FIELD = 0
export const CHILD_OBJECT = 1
export const CHILD_ALIAS = 2
/** `_id` and other metadata, which a document must not set. */
export const CHILD_METADATA = 3

export class ChildPlan {
  readonly name: string
  readonly bytes: Uint8Array
  readonly hash: number
  readonly kind: 0 | 1 | 2 | 3
  readonly field: FieldPlan | undefined
  readonly object: ObjectPlan | undefined

  constructor(name: string, kind: 0 | 1 | 2 | 3, field: FieldPlan | undefined, object: ObjectPlan | undefined) {
    this.name = name
    this.bytes = Buffer.from(name)
    this.hash = hashBytes(this.bytes, 0, this.bytes.length)
    this.kind = kind
    this.field = field
    this.object = object
  }
}

/** Open addressing over the reader's name hash. Filled once, then read-only. */
class ChildTable {
  readonly #slots: (ChildPlan | undefined)[]
  readonly #mask: number

  constructor(children: readonly ChildPlan[]) {
    let size = 4
    while (size < children.length * 2) size *= 2
    this.#mask = size - 1
    this.#slots = new Array<ChildPlan | undefined>(size).fill(undefined)
    for (const child of children) {
      let slot = child.hash & this.#mask
      while (this.#slots[slot] !== undefined) slot = (slot + 1) & this.#mask
      this.#slots[slot] = child
    }
  }

  find(hash: number, bytes: Uint8Array, start: number, end: number): ChildPlan | undefined {
    const slots = this.#slots
    const mask = this.#mask
    let slot = hash & mask
    for (;;) {
      const child = slots[slot]
      if (child === undefined) return undefined
      if (child.hash === hash && sameBytes(child.bytes, bytes, start, end)) return child
      slot = (slot + 1) & mask
    }
  }

  findText(name: string): ChildPlan | undefined {
    const bytes = Buffer.from(name)
    return this.find(hashBytes(bytes, 0, bytes.length), bytes, 0, bytes.length)
  }
}

function sameBytes(name: Uint8Array, bytes: Uint8Array, start: number, end: number): boolean {
  const length = name.length
  if (end - start !== length) return false
  for (let i = 0; i < length; i++) if (name[i] !== bytes[start + i]) return false
  return true
}

export interface ObjectPlanOptions {
  readonly name: string
  readonly path: string
  readonly dynamic: Dynamic
  readonly enabled: boolean
  /** False: dotted names are plain names, and inner objects are flattened to them. */
  readonly subobjects: boolean
  /** Index in the mapping's nested paths; -1 if the object is not nested. */
  readonly nestedIndex: number
  readonly includeInParent: boolean
  readonly includeInRoot: boolean
  readonly children: readonly ChildPlan[]
}

export class ObjectPlan {
  readonly name: string
  readonly path: string
  readonly dynamic: Dynamic
  readonly enabled: boolean
  readonly subobjects: boolean
  readonly nestedIndex: number
  readonly includeInParent: boolean
  readonly includeInRoot: boolean
  readonly table: ChildTable

  constructor(options: ObjectPlanOptions) {
    this.name = options.name
    this.path = options.path
    this.dynamic = options.dynamic
    this.enabled = options.enabled
    this.subobjects = options.subobjects
    this.nestedIndex = options.nestedIndex
    this.includeInParent = options.includeInParent
    this.includeInRoot = options.includeInRoot
    this.table = new ChildTable(options.children)
  }
}

/** An unmapped object of a document. */
export const unknownObject = (name: string, path: string, dynamic: Dynamic): ObjectPlan =>
  new ObjectPlan({
    name,
    path,
    dynamic,
    enabled: true,
    subobjects: true,
    nestedIndex: -1,
    includeInParent: false,
    includeInRoot: false,
    children: [],
  })

/** The settings of an object in a mapping update that passes through it. */
export function objectUpdate(mapper: ObjectMapper | undefined): Record<string, unknown> {
  if (mapper === undefined) return {}
  return {
    ...(mapper.nested === undefined ? {} : { type: 'nested' }),
    ...(mapper.subobjects === false ? { subobjects: false } : {}),
  }
}
