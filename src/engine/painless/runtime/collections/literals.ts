/** List and map literals, and iteration in for-each loops. */
import { illegalArgument, nullPointer } from '../../errors/java-throwable.ts'
import { toDef } from '../boxing.ts'
import { classOf } from '../class-of.ts'
import { JArray } from '../java-object.ts'
import { spendMemory } from '../limits.ts'
import { JHashMap } from './hash-map.ts'
import { iteratorFrom, JIterable, type JIterator } from './iterable.ts'
import { JArrayList } from './list.ts'

export function newList(items: unknown[]): JArrayList {
  spendMemory(items.length + 1)
  return new JArrayList(items)
}

/** Creates a map from alternating keys and values. */
export function newMap(items: readonly unknown[]): JHashMap {
  const map = new JHashMap()
  for (let i = 0; i < items.length; i += 2) map.put_2(items[i], items[i + 1])
  return map
}

export function iteratorOf(value: unknown): JIterator {
  if (value instanceof JIterable) return value.iterator_0()
  if (value instanceof JArray) return iteratorFrom(value.items.map((item) => toDef(item, value.element)))
  if (value === null || value === undefined)
    throw nullPointer('cannot access method/field [iterator] from a null def reference')
  throw illegalArgument(`Cannot iterate over [${classOf(value).replaceAll('$', '.')}]`)
}

/** Iterates an array. Elements keep the representation of the array. */
export function arrayIterator(array: JArray | null): JIterator {
  if (array === null) throw nullPointer('Cannot read the array length because "<local1>" is null')
  return iteratorFrom(array.items)
}
