/**
 * Rejects sorting by a field whose values in one shard cannot be compared with those in another: texts with numbers, or
 * terms of different encodings.
 */
import { ApiError, illegalArgument } from '../../../base/api-error.ts'
import type { FieldSort } from '../../../engine/request/sort/sort-spec.ts'
import type { AnsweredShard } from '../shards/shard-search.ts'

export function checkSortTypes(answered: readonly AnsweredShard[]): void {
  const withHits = answered.filter(({ result }) => result.hits.length > 0)
  const sort = withHits[0]?.order.sort ?? []
  sort.forEach((spec, place) => {
    if (spec.kind !== 'field') return
    checkKinds(spec, withHits, ({ result }) => result.keys[place]?.valueType, isComparable)
    checkKinds(
      spec,
      withHits,
      (shard) => encodingOf(shard, spec),
      (a, b) => a === b,
    )
  })
}

function checkKinds(
  spec: FieldSort,
  shards: readonly AnsweredShard[],
  kindOf: (shard: AnsweredShard) => string | undefined,
  agree: (a: string, b: string) => boolean,
): void {
  let first: string | undefined
  for (const shard of shards) {
    const kind = kindOf(shard)
    first ??= kind
    if (kind === undefined || first === undefined || agree(kind, first)) continue
    // Elasticsearch's name of a field that the index lacks.
    const field = shard.context.mapping.field(spec.field) === undefined ? '__anonymous_' : spec.field
    const cause = illegalArgument(
      `Can't sort on field [${field}]; the field has incompatible sort types: [${first}] and [${kind}] across shards!`,
    )
    throw new ApiError(400, 'search_phase_execution_exception', '', {
      details: { phase: 'fetch', grouped: true, failed_shards: [] },
      causedBy: cause,
      rootCauses: [],
    })
  }
}

/** Numbers of all types compare with each other. */
const isComparable = (a: string, b: string) => (a === 'STRING') === (b === 'STRING')

/** The encoding of a field's terms; undefined if it has none, or none of its own in this index. */
function encodingOf({ context, result }: AnsweredShard, { field: name }: FieldSort): string | undefined {
  const field = context.mapping.field(name)
  if (field === undefined || result.keys.length === 0) return undefined
  if (field.traits.number !== undefined) return undefined
  return field.parseDocValue === undefined ? 'keyword' : field.type
}
