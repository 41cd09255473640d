/** The join field of an index, and the documents on one side of a relation. */
import { JoinType } from '../../mapping/field-types/join/join.ts'
import type { Mapping } from '../../mapping/mapping-api.ts'
import type { Query } from '../../scoring/query.ts'
import { BoolQuery } from '../compound/bool.ts'
import { TermQuery } from '../term-level/term.ts'

/** The join field of a mapping; undefined if there is none. */
export function joinField(mapping: Mapping): JoinType | undefined {
  for (const name of mapping.fieldNames()) {
    const field = mapping.field(name)
    if (field instanceof JoinType) return field
  }
  return undefined
}

/** The documents of the given kinds that match a query. */
export function ofKinds(field: JoinType, kinds: readonly string[], query: Query): Query {
  const isKind = kinds.map((kind) => new TermQuery(field.name, kind))
  const filter = isKind.length === 1 ? isKind[0]! : new BoolQuery({ should: isKind })
  return new BoolQuery({ must: [query], filter: [filter] })
}
