/**
 * A mapping with the granted fields. Fields whose values are in segments, and keys of flattened fields, can still be
 * looked up, because the reader hides their values: a sort by such a field finds none, instead of failing. Fields whose
 * values come from the mapping or a script are not found.
 */
import type { FieldType } from '../mapping/field-type.ts'
import type { Mapping, MappingJson } from '../mapping/mapping-api.ts'
import { MappingView } from '../mapping/mapping-view.ts'
import { type FieldGrants, fieldGrants } from './field-grants.ts'
import { grantedMapping } from './granted-mapping.ts'
import type { IndexLimits } from './read-limits.ts'

export class FieldSubsetMapping extends MappingView {
  readonly #grants: FieldGrants
  /** Runtime fields of the request, which read granted fields only. */
  readonly #own: ReadonlySet<string>

  constructor(mapping: Mapping, grants: FieldGrants, own: ReadonlySet<string>) {
    super(mapping)
    this.#grants = grants
    this.#own = own
  }

  override toJson(): MappingJson {
    return grantedMapping(this.mapping.toJson(), this.#grants)
  }

  override field(name: string): FieldType | undefined {
    const type = this.mapping.field(name)
    if (type === undefined || this.#own.has(name) || this.#grants.has(type.name)) return type
    return type.schema === undefined || type.isRuntime ? undefined : type
  }

  override *fieldNames(): Iterable<string> {
    for (const name of this.mapping.fieldNames()) if (this.#own.has(name) || this.#grants.has(name)) yield name
  }
}

const known = new WeakMap<Mapping, WeakMap<FieldGrants, FieldSubsetMapping>>()
const NONE: ReadonlySet<string> = new Set()

/** The same object for the same grants, so that compiled scripts are used again. */
export function fieldSubsetMapping(mapping: Mapping, grants: FieldGrants): FieldSubsetMapping {
  let subsets = known.get(mapping)
  if (subsets === undefined) known.set(mapping, (subsets = new WeakMap()))
  let subset = subsets.get(grants)
  if (subset === undefined) subsets.set(grants, (subset = new FieldSubsetMapping(mapping, grants, NONE)))
  return subset
}

/** The mapping for a caller who may read only some of its fields. */
export function grantedFields(mapping: Mapping, limits: IndexLimits | undefined): Mapping {
  if (limits === undefined || limits.fields.length === 0) return mapping
  return fieldSubsetMapping(mapping, fieldGrants(limits.fields))
}
