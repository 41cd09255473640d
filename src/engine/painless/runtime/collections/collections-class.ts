/** java.util.Collections, Arrays and Objects. */
import { illegalArgument, indexOutOfBounds, noSuchElement, nullPointer } from '../../errors/java-throwable.ts'
import { toDef } from '../boxing.ts'
import { compareTo, equals, hashCode } from '../equality.ts'
import { comparator, REVERSE_ORDER } from '../functions/function-object.ts'
import { JArray, type JFunction } from '../java-object.ts'
import { textOf } from '../java-text.ts'
import { spendMemory, spendSteps } from '../limits.ts'
import { registerFields, registerStatics } from '../registry.ts'
import { sortInPlace } from '../sorting.ts'
import type { JCollection } from './collection.ts'
import { JEnumeration } from './enumeration.ts'
import { JFixedList, listOfArray } from './fixed-list.ts'
import { JHashMap } from './hash-map.ts'
import { JArrayList, type JList } from './list.ts'
import { type JMap, JReadOnlyMap } from './map.ts'
import { type JNavigableMap, JTreeSet, ReadOnlyView } from './navigable-map.ts'
import { JReadOnlyCollection } from './read-only-collection.ts'
import { JReadOnlySet, JSet } from './sets.ts'
import { JTreeMap } from './tree-map.ts'

const IMMUTABLE = 'java.util.Collections$'
const readOnly = (items: unknown[], name: string) => new JFixedList(items, IMMUTABLE + name, true)

function readOnlyMap(entries: readonly (readonly [unknown, unknown])[], name: string): JMap {
  const map = new JHashMap(true)
  for (const [key, value] of entries) map.put_2(key, value)
  return new JReadOnlyMap(map, IMMUTABLE + name)
}

function readOnlySet(values: readonly unknown[], name: string): JSet {
  const map = new JHashMap(true)
  for (const value of values) map.put_2(value, true)
  return new JReadOnlySet(map, IMMUTABLE + name)
}

const EMPTY_LIST = readOnly([], 'EmptyList')
const EMPTY_MAP = readOnlyMap([], 'EmptyMap')
const EMPTY_SET = readOnlySet([], 'EmptySet')
const EMPTY_TREE = new ReadOnlyView(new JTreeMap(), 'UnmodifiableNavigableMap$EmptyNavigableMap')

const readOnlyTree = (map: JNavigableMap) => new ReadOnlyView(map, 'UnmodifiableNavigableMap')
const readOnlyTreeSet = (set: JTreeSet) => new JTreeSet(readOnlyTree(set.tree))

function extreme(collection: JCollection, order: JFunction | null, sign: number): unknown {
  const values = [...collection]
  if (values.length === 0) throw noSuchElement()
  const compare = order === null ? compareTo : (a: unknown, b: unknown) => order.call(a, b)
  return values.reduce((best, value) => (sign * compare(value, best) > 0 ? value : best))
}

function binarySearch(list: JList, key: unknown, order: JFunction | null): number {
  const compare = order === null ? compareTo : (a: unknown, b: unknown) => order.call(a, b)
  let low = 0
  let high = list.items.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const c = compare(list.items[middle], key)
    if (c < 0) low = middle + 1
    else if (c > 0) high = middle - 1
    else return middle
  }
  return -(low + 1)
}

function indexOfSubList(list: JList, part: JList, last: boolean): number {
  const size = part.items.length
  const starts = Array.from({ length: Math.max(0, list.items.length - size + 1) }, (_, i) => i)
  for (const at of last ? starts.reverse() : starts)
    if (part.items.every((value, i) => equals(value, list.items[at + i]))) return at
  return -1
}

function edit(list: JList, change: (items: unknown[]) => unknown[]): void {
  const items = change([...list.items])
  items.forEach((value, i) => void list.set_2(i, value))
}

function rotate(items: unknown[], distance: number): unknown[] {
  const size = items.length
  if (size === 0) return items
  const by = ((distance % size) + size) % size
  return [...items.slice(size - by), ...items.slice(0, size - by)]
}

registerFields('java.util.Collections', { EMPTY_LIST, EMPTY_MAP, EMPTY_SET })
registerStatics('java.util.Collections', {
  emptyList_0: () => EMPTY_LIST,
  emptyMap_0: () => EMPTY_MAP,
  emptySet_0: () => EMPTY_SET,
  emptyIterator_0: () => EMPTY_LIST.iterator_0(),
  emptyListIterator_0: () => EMPTY_LIST.listIterator_0(),
  emptyEnumeration_0: () => new JEnumeration(EMPTY_LIST),
  enumeration_1: (c: JCollection) => new JEnumeration(c),
  list_1: (elements: JEnumeration) => {
    const list = new JArrayList()
    while (elements.hasMoreElements_0()) list.add_1(elements.nextElement_0())
    return list
  },
  emptySortedMap_0: () => EMPTY_TREE,
  emptyNavigableMap_0: () => EMPTY_TREE,
  emptySortedSet_0: () => new JTreeSet(EMPTY_TREE),
  emptyNavigableSet_0: () => new JTreeSet(EMPTY_TREE),
  singletonList_1: (value: unknown) => readOnly([value], 'SingletonList'),
  singleton_1: (value: unknown) => readOnlySet([value], 'SingletonSet'),
  singletonMap_2: (key: unknown, value: unknown) => readOnlyMap([[key, value]], 'SingletonMap'),
  nCopies_2: (count: number, value: unknown) => {
    if (count < 0) throw illegalArgument(`List length = ${count}`)
    spendMemory(count)
    return readOnly(new Array(count).fill(value), 'CopiesList')
  },
  unmodifiableList_1: (list: JList) => readOnly(list.items, 'UnmodifiableRandomAccessList'),
  unmodifiableCollection_1: (c: JCollection) => new JReadOnlyCollection(c),
  unmodifiableMap_1: (map: JMap) => new JReadOnlyMap(map),
  unmodifiableSortedMap_1: readOnlyTree,
  unmodifiableNavigableMap_1: readOnlyTree,
  unmodifiableSortedSet_1: readOnlyTreeSet,
  unmodifiableNavigableSet_1: readOnlyTreeSet,
  unmodifiableSet_1: (set: JCollection) =>
    set instanceof JSet ? new JReadOnlySet(set.map) : readOnlySet([...set], 'UnmodifiableSet'),
  sort_1: (list: JList) => list.sort_1(null),
  sort_2: (list: JList, order: JFunction | null) => list.sort_1(order),
  reverse_1: (list: JList) => edit(list, (items) => items.reverse()),
  reverseOrder_0: () => REVERSE_ORDER,
  reverseOrder_1: (order: JFunction | null) =>
    order === null ? REVERSE_ORDER : comparator((a, b) => order.call(b, a)),
  max_1: (c: JCollection) => extreme(c, null, 1),
  max_2: (c: JCollection, order: JFunction | null) => extreme(c, order, 1),
  min_1: (c: JCollection) => extreme(c, null, -1),
  min_2: (c: JCollection, order: JFunction | null) => extreme(c, order, -1),
  frequency_2: (c: JCollection, value: unknown) => [...c].filter((item) => equals(value, item)).length,
  addAll_2: (c: JCollection, values: JArray) => values.items.map((value) => c.add_1(value)).includes(true),
  disjoint_2: (a: JCollection, b: JCollection) => ![...a].some((value) => b.contains_1(value)),
  binarySearch_2: (list: JList, key: unknown) => binarySearch(list, key, null),
  binarySearch_3: binarySearch,
  fill_2: (list: JList, value: unknown) => edit(list, (items) => items.fill(value)),
  swap_3: (list: JList, i: number, j: number) => void list.set_2(i, list.set_2(j, list.get_1(i))),
  rotate_2: (list: JList, distance: number) => edit(list, (items) => rotate(items, distance)),
  replaceAll_3: (list: JList, old: unknown, value: unknown) => {
    const found = list.contains_1(old)
    edit(list, (items) => items.map((item) => (equals(old, item) ? value : item)))
    return found
  },
  copy_2: (to: JList, from: JList) => {
    if (from.items.length > to.items.length) throw indexOutOfBounds('Source does not fit in dest')
    from.items.forEach((value, i) => void to.set_2(i, value))
  },
  indexOfSubList_2: (list: JList, part: JList) => indexOfSubList(list, part, false),
  lastIndexOfSubList_2: (list: JList, part: JList) => indexOfSubList(list, part, true),
  shuffle_2: (list: JList, random: { nextInt_1(bound: number): number }) =>
    edit(list, (items) => {
      spendSteps(items.length)
      for (let i = items.length - 1; i > 0; i--) {
        const j = random.nextInt_1(i + 1)
        ;[items[i], items[j]] = [items[j], items[i]]
      }
      return items
    }),
  shuffle_1: (list: JList) =>
    edit(list, (items) => {
      for (let i = items.length - 1; i > 0; i--) {
        const j = Math.floor(Math.random() * (i + 1))
        ;[items[i], items[j]] = [items[j], items[i]]
      }
      return items
    }),
  newSetFromMap_1: (map: JMap) => {
    if (!map.isEmpty_0()) throw illegalArgument('Map is non-empty')
    return new JSet(map, `${IMMUTABLE}SetFromMap`)
  },
})

const boxedItems = (array: JArray): unknown[] => array.items.map((item) => toDef(item, array.element))

function deepText(value: unknown): string {
  return value instanceof JArray ? `[${boxedItems(value).map(deepText).join(', ')}]` : textOf(value)
}

function deepEquals(a: unknown, b: unknown): boolean {
  if (!(a instanceof JArray) || !(b instanceof JArray)) return equals(a, b)
  const y = boxedItems(b)
  return a.items.length === y.length && boxedItems(a).every((value, i) => deepEquals(value, y[i]))
}

const arrayHash = (values: readonly unknown[], of: (value: unknown) => number) =>
  values.reduce<number>((hash, value) => (Math.imul(31, hash) + of(value)) | 0, 1)

const deepHash = (value: unknown): number =>
  value instanceof JArray ? arrayHash(boxedItems(value), deepHash) : hashCode(value)

registerStatics('java.util.Arrays', {
  asList_1: (array: JArray | null) => {
    if (array === null) throw nullPointer()
    return listOfArray(array)
  },
  deepEquals_2: deepEquals,
  deepHashCode_1: deepHash,
  deepToString_1: deepText,
})

function requireNonNull(value: unknown, message: string | null = null): unknown {
  if (value === null) throw nullPointer(message)
  return value
}

registerStatics('java.util.Objects', {
  equals_2: equals,
  deepEquals_2: deepEquals,
  hashCode_1: hashCode,
  hash_1: (array: JArray) => arrayHash(array.items, hashCode),
  isNull_1: (value: unknown) => value === null,
  nonNull_1: (value: unknown) => value !== null,
  requireNonNull_1: (value: unknown) => requireNonNull(value),
  requireNonNull_2: requireNonNull,
  toString_1: textOf,
  toString_2: (value: unknown, fallback: string) => (value === null ? fallback : textOf(value)),
  compare_3: (a: unknown, b: unknown, order: JFunction) => (a === b ? 0 : order.call(a, b)),
})

export const sorted = (values: Iterable<unknown>, order: JFunction | null): JArrayList => {
  const items = [...values]
  sortInPlace(items, order)
  return new JArrayList(items)
}
