/** Deep copies of document values. */
import { JArrayList, JHashMap, JList, JMap } from '../../../engine/painless/index.ts'
import type { IngestBudget } from './ingest-budget.ts'

export function deepCopy(value: unknown, budget: IngestBudget): unknown {
  budget.elements(1)
  if (value instanceof JMap) {
    const copy = new JHashMap()
    for (const { key, value: member } of value.entries()) copy.put_2(key, deepCopy(member, budget))
    return copy
  }
  if (value instanceof JList) return new JArrayList(value.items.map((item) => deepCopy(item, budget)))
  return value
}
