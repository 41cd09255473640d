/** Constructors of collections and the helper classes of java.util around them. */
import { nullPointer, unsupportedOperation } from '../../errors/java-throwable.ts'
import { checkInstance } from '../class-of.ts'
import { compareTo } from '../equality.ts'
import { comparator } from '../functions/function-object.ts'
import type { JFunction } from '../java-object.ts'
import { spendMemory } from '../limits.ts'
import { registerConstructors, registerStatics } from '../registry.ts'
import type { JCollection } from './collection.ts'
import { JArrayDeque, JLinkedList, JPriorityQueue, JStack, JVector } from './deques.ts'
import { copyOfMap, JHashMap } from './hash-map.ts'
import { JArrayList } from './list.ts'
import { JEntry, type JMap, ReadOnlyEntry } from './map.ts'
import { JTreeSet } from './navigable-map.ts'
import { hashSetOf, newHashSet, newLinkedHashSet } from './sets.ts'
import { JTreeMap } from './tree-map.ts'

function itemsOf(
  source: JCollection | null,
  message = 'Cannot invoke "java.util.Collection.toArray()" because "c" is null',
) {
  if (source === null) throw nullPointer(message)
  spendMemory(source.size_0())
  return [...source]
}

function mapOf(source: JMap | null): JMap {
  if (source === null) throw nullPointer('Cannot invoke "java.util.Map.size()" because "m" is null')
  return source
}

registerConstructors('java.util.ArrayList', { 0: () => new JArrayList(), 1: (c) => new JArrayList(itemsOf(c)) })
registerConstructors('java.util.LinkedList', { 0: () => new JLinkedList(), 1: (c) => new JLinkedList(itemsOf(c)) })
registerConstructors('java.util.ArrayDeque', { 0: () => new JArrayDeque(), 1: (c) => new JArrayDeque(itemsOf(c)) })
registerConstructors('java.util.Vector', { 0: () => new JVector(), 1: (c) => new JVector(itemsOf(c)) })
registerConstructors('java.util.Stack', { 0: () => new JStack() })
registerConstructors('java.util.PriorityQueue', {
  0: () => new JPriorityQueue(),
  1: (order: JFunction) => new JPriorityQueue(order),
})
registerConstructors('java.util.HashMap', { 0: () => new JHashMap(), 1: (m) => copyOfMap(mapOf(m)) })
registerConstructors('java.util.LinkedHashMap', { 0: () => new JHashMap(true), 1: (m) => copyOfMap(mapOf(m), true) })
registerConstructors('java.util.TreeMap', { 0: () => new JTreeMap(), 1: (order: JFunction) => new JTreeMap(order) })
registerConstructors('java.util.HashSet', {
  0: () => newHashSet(),
  1: (c) => hashSetOf(itemsOf(c, 'Cannot invoke "java.util.Collection.size()" because "c" is null')),
})
registerConstructors('java.util.LinkedHashSet', {
  0: () => newLinkedHashSet(),
  1: (c) => {
    const set = newLinkedHashSet()
    for (const value of itemsOf(c)) set.add_1(value)
    return set
  },
})
registerConstructors('java.util.TreeSet', {
  0: () => new JTreeSet(new JTreeMap()),
  1: (order: JFunction) => new JTreeSet(new JTreeMap(order)),
})
const ENTRY = 'java.util.AbstractMap$SimpleEntry'
const FIXED_ENTRY = 'java.util.AbstractMap$SimpleImmutableEntry'
registerConstructors('java.util.AbstractMap.SimpleImmutableEntry', {
  1: (entry: JEntry) => new ReadOnlyEntry(entry, unsupportedOperation, FIXED_ENTRY),
  2: (key: unknown, value: unknown) => new ReadOnlyEntry(new JEntry(key, value), unsupportedOperation, FIXED_ENTRY),
})
registerConstructors('java.util.AbstractMap.SimpleEntry', {
  1: (entry: JEntry) => new JEntry(entry.key, entry.value, ENTRY),
  2: (key: unknown, value: unknown) => new JEntry(key, value, ENTRY),
})
registerConstructors('java.util.IdentityHashMap', { 0: () => new JHashMap(false, 16, 'java.util.IdentityHashMap') })

const by = (part: (entry: JEntry) => unknown, order: JFunction | null) =>
  comparator((a, b) => {
    const x = part(checkInstance(a, 'java.util.Map.Entry') as JEntry)
    const y = part(checkInstance(b, 'java.util.Map.Entry') as JEntry)
    return order === null ? compareTo(x, y) : order.call(x, y)
  })

registerStatics('java.util.Map.Entry', {
  comparingByKey_0: () => by((e) => e.key, null),
  comparingByKey_1: (order: JFunction) => by((e) => e.key, order),
  comparingByValue_0: () => by((e) => e.value, null),
  comparingByValue_1: (order: JFunction) => by((e) => e.value, order),
})
