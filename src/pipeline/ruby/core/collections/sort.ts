/** Sorting by `<=>`, by a block, and by keys. */
import { order, orderOf, yield1, yield2 } from '../../runtime/dispatch.ts'
import { spend } from '../../runtime/limits.ts'
import type { RProc, Value } from '../../runtime/model.ts'

export function sorted(list: readonly Value[], block: RProc | null): Value[] {
  spend(list.length * 2)
  if (block !== null) return [...list].sort((a, b) => orderOf(yield2(block, a, b), a, b))
  if (list.every((item) => typeof item === 'number')) return ([...list] as number[]).sort((a, b) => a - b)
  if (list.length < 2) return [...list]
  return [...list].sort(order)
}

export function sortedBy(list: readonly Value[], block: RProc): Value[] {
  const keyed = list.map((item) => ({ item, key: yield1(block, item) }))
  spend(list.length * 2)
  return keyed.sort((a, b) => order(a.key, b.key)).map(({ item }) => item)
}
