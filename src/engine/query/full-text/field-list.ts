/** The fields of a multi-field query: names with boosts (`title^2`), patterns, or everything. */
import { notANumber } from '../../../base/api-error.ts'
import { namePattern } from '../../../base/name-pattern.ts'
import { matchesFieldPatterns } from '../../mapping/field-traits.ts'
import type { FieldType } from '../../mapping/field-type.ts'
import { checkBoost, type SearchExecutionContext } from '../../scoring/query.ts'
import { negativeBoost } from '../clause.ts'
import { METADATA_FIELDS } from '../term-level/searchable-field.ts'

export interface BoostedField {
  readonly name: string
  readonly boost: number
}

export function parseFieldAndBoost(text: string): BoostedField {
  const at = text.lastIndexOf('^')
  if (at < 0) return { name: text, boost: 1 }
  const boost = Number(text.slice(at + 1))
  if (Number.isNaN(boost)) {
    throw notANumber(text.slice(at + 1))
  }
  if (boost < 0 || Object.is(boost, -0)) throw negativeBoost()
  return { name: text.slice(0, at), boost }
}

export interface ResolvedFields {
  readonly fields: readonly { readonly type: FieldType; readonly name: string; readonly boost: number }[]
  /** Whether some were matched by a pattern: then a value that does not suit a field is not an error. */
  readonly byPattern: boolean
  /** Metadata fields of the list. */
  readonly metadata: readonly BoostedField[]
}

/** The mapped fields of the list; unmapped names are dropped. */
export function resolveFields(context: SearchExecutionContext, list: readonly BoostedField[]): ResolvedFields {
  const found = new Map<string, { type: FieldType; name: string; boost: number }>()
  let byPattern = false
  const add = (name: string, boost: number) => {
    const type = context.mapping.field(name)
    const known = found.get(name)
    checkBoost(boost)
    if (type !== undefined) found.set(name, { type, name, boost: known === undefined ? boost : known.boost * boost })
  }
  for (const { name, boost } of list) {
    if (!name.includes('*')) {
      add(name, boost)
      continue
    }
    byPattern = true
    const matches = namePattern(name)
    for (const candidate of context.mapping.fieldNames()) {
      const type = context.mapping.field(candidate)
      if (!matches(candidate) || type === undefined || !type.searchable) continue
      if (!matchesFieldPatterns(type.traits) || type.nestedPath !== undefined) continue
      // A field that the pattern matches by its own name is not searched again through an alias.
      add(matches(type.name) ? type.name : candidate, boost)
    }
  }
  const metadata = list.filter(({ name }) => METADATA_FIELDS.has(name))
  return { fields: [...found.values()], byPattern, metadata }
}
