/** Deep copies of document values. */
import { JArrayList, JHashMap, JList, JMap } from '../../../engine/painless/index.ts'

export function deepCopy(value: unknown): unknown {
  if (value instanceof JMap) {
    const copy = new JHashMap()
    for (const { key, value: member } of value.entries()) copy.put_2(key, deepCopy(member))
    return copy
  }
  if (value instanceof JList) return new JArrayList(value.items.map(deepCopy))
  return value
}
