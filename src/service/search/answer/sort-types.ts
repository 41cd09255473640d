/**
 * Rejects sorting if some shards sort a field as strings and others as numbers, because their hits cannot be compared.
 */
import { ApiError, illegalArgument } from '../../../base/api-error.ts'
import type { FieldSort } from '../../../engine/request/sort/sort-spec.ts'
import type { AnsweredShard } from '../shards/shard-search.ts'

export function checkSortTypes(answered: readonly AnsweredShard[]): void {
  const withHits = answered.filter(({ result }) => result.hits.length > 0)
  const sort = withHits[0]?.order.sort ?? []
  sort.forEach((spec, place) => {
    if (spec.kind !== 'field') return
    let first: string | undefined
    for (const shard of withHits) {
      const type = typeAt(shard, spec, place)
      first ??= type
      if (type === undefined || first === undefined || (type === 'STRING') === (first === 'STRING')) continue
      const cause = illegalArgument(
        `Can't sort on field [${spec.field}]; the field has incompatible sort types: [${first}] and [${type}] across shards!`,
      )
      throw new ApiError(400, 'search_phase_execution_exception', '', {
        details: { phase: 'fetch', grouped: true, failed_shards: [] },
        causedBy: cause,
        rootCauses: [],
      })
    }
  })
}

/** Undefined if no hit of the shard has a value for the sort. */
function typeAt({ result, context }: AnsweredShard, spec: FieldSort, place: number): string | undefined {
  const value = result.hits.find(({ sort }) => sort[place] !== null)?.sort[place]
  if (value === undefined) return undefined
  if (value instanceof Uint8Array) return 'STRING'
  if (spec.numericType !== undefined) return spec.numericType === 'double' ? 'DOUBLE' : 'LONG'
  return context.mapping.field(spec.field)?.traits.number?.sortsAs ?? 'LONG'
}
