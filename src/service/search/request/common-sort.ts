/**
 * Sorts over several indices: if a field has single precision in one and double precision in another, all its values are
 * sorted and shown in double precision. So a value that is sent back has the same place in every index.
 */
import type { Mapping } from '../../../engine/mapping/mapping-api.ts'
import type { SortSpec } from '../../../engine/request/sort/sort-spec.ts'
import type { IndexMetadata } from '../../metadata/metadata.ts'
import type { HitOrder } from '../hit-order.ts'

/** `runtime` are the names of fields that the request defines; these have one type in all indices. */
export function commonOrder(
  order: HitOrder,
  indices: readonly IndexMetadata[],
  mappingOf: (index: IndexMetadata) => Mapping,
  runtime: Readonly<Record<string, unknown>> | undefined,
): HitOrder {
  const { sort } = order
  const isOwn = (spec: SortSpec) =>
    spec.kind === 'field' && !(runtime !== undefined && Object.hasOwn(runtime, spec.field))
  const distinct = [...new Set(indices)]
  if (sort === undefined || distinct.length < 2 || !sort.some(isOwn)) return order
  const mappings = distinct.map(mappingOf)
  const widened = (spec: SortSpec) => isOwn(spec) && isMixed(spec, mappings)
  return { ...order, sort: sort.map((spec) => (widened(spec) ? { ...spec, widens: true } : spec)) }
}

function isMixed(spec: SortSpec, mappings: readonly Mapping[]): boolean {
  if (spec.kind !== 'field' || spec.numericType !== undefined) return false
  let hasSingle = false
  let hasDouble = false
  for (const mapping of mappings) {
    const sortsAs = mapping.field(spec.field)?.traits.number?.sortsAs
    if (sortsAs === 'FLOAT') hasSingle = true
    else if (sortsAs === 'DOUBLE') hasDouble = true
  }
  return hasSingle && hasDouble
}
