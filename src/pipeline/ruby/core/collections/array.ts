/** Array: constructors, access and comparison. */
import { ANY, ArrayClass, define, defineStatic } from '../../runtime/classes.ts'
import { toArray, toInt, toText } from '../../runtime/convert.ts'
import { compare, eql, equals, inspect, kindOf, respondsTo, send, toS, yield1 } from '../../runtime/dispatch.ts'
import { argumentError, raise, typeError } from '../../runtime/errors.ts'
import { hashKey, RHash } from '../../runtime/hash.ts'
import { charge, spend } from '../../runtime/limits.ts'
import { RRange, type Value } from '../../runtime/model.ts'
import { RString, str } from '../../runtime/string.ts'
import { rangeBounds } from '../strings/range-bounds.ts'
import { enumerator } from './iterate.ts'

type List = Value[]

defineStatic(ArrayClass, 'new', [0, 2], (_self, [size, value], block) => {
  if (size === undefined) return []
  if (Array.isArray(size)) return [...size]
  const count = toInt(size)
  if (count < 0) throw argumentError('negative array size')
  charge(count)
  const list: Value[] = []
  for (let i = 0; i < count; i++) list.push(block === null ? (value ?? null) : yield1(block, i))
  return list
})
defineStatic(ArrayClass, '[]', ANY, (_self, args) => [...args])
defineStatic(ArrayClass, 'try_convert', 1, (_self, [value]) => (Array.isArray(value) ? value : null))

define<List>(ArrayClass, 'to_a entries to_ary', 0, (self) => self)
define<List>(ArrayClass, 'inspect to_s', 0, (self) => str(inspect(self)))
define<List>(ArrayClass, 'length size', 0, (self) => self.length)
define<List>(ArrayClass, 'empty?', 0, (self) => self.length === 0)
define<List>(ArrayClass, '==', 1, (self, [other]) => equals(self, other!))
define<List>(ArrayClass, 'eql?', 1, (self, [other]) => eql(self, other!))
define<List>(ArrayClass, '<=>', 1, (self, [other]) => (Array.isArray(other) ? compare(self, other) : null))
define<List>(ArrayClass, 'hash', 0, (self) => {
  let hash = 17
  for (const char of String(hashKey(self))) hash = (hash * 31 + char.charCodeAt(0)) % 2_147_483_647
  return hash
})
define<List>(ArrayClass, 'frozen?', 0, (self) => Object.isFrozen(self))

/** The items that an index, a range, or a start and a length select. */
export function itemsAt(self: List, [first, second]: Value[]): Value {
  if (first instanceof RRange) {
    const bounds = rangeBounds(first, self.length)
    return bounds === null ? null : self.slice(bounds.start, bounds.start + bounds.length)
  }
  let start = toInt(first!)
  if (start < 0) start += self.length
  if (second === undefined) return self[start] ?? null
  const count = toInt(second)
  if (start < 0 || start > self.length || count < 0) return null
  return self.slice(start, start + count)
}
define<List>(ArrayClass, '[] slice', [1, 2], (self, args) => itemsAt(self, args))
define<List>(ArrayClass, 'at', 1, (self, [index]) => self.at(toInt(index!)) ?? null)
define<List>(ArrayClass, 'dig', [1, Number.POSITIVE_INFINITY], (self, [index, ...rest]) =>
  digInto(self.at(toInt(index!)) ?? null, rest),
)

/** Continues `dig` in the value that was found. */
export function digInto(value: Value, rest: Value[]): Value {
  if (rest.length === 0 || value === null) return value
  if (!respondsTo(value, 'dig')) throw typeError(`${kindOf(value)} does not have #dig method`)
  return send(value, 'dig', rest)
}

define<List>(ArrayClass, 'fetch', [1, 2], (self, [index, fallback], block) => {
  const at = toInt(index!)
  const found = self.at(at)
  if (found !== undefined && at >= -self.length) return found
  if (block !== null) return yield1(block, index!)
  if (fallback !== undefined) return fallback
  throw raise('IndexError', `index ${at} outside of array bounds: ${-self.length}...${self.length}`)
})
define<List>(ArrayClass, 'values_at', ANY, (self, indexes) =>
  indexes.flatMap((index) => {
    if (!(index instanceof RRange)) return [self.at(toInt(index)) ?? null]
    const bounds = rangeBounds(index, self.length)
    if (bounds === null) return []
    const wanted =
      index.to === null
        ? bounds.length
        : Math.max(
            bounds.length,
            toInt(index.to) < 0 ? 0 : toInt(index.to) - bounds.start + (index.isExclusive ? 0 : 1),
          )
    return Array.from({ length: wanted }, (_, i) => self[bounds.start + i] ?? null)
  }),
)
define<List>(ArrayClass, 'first', [0, 1], (self, [count]) =>
  count === undefined ? (self[0] ?? null) : self.slice(0, checkedCount(count)),
)
define<List>(ArrayClass, 'last', [0, 1], (self, [count]) =>
  count === undefined ? (self[self.length - 1] ?? null) : self.slice(Math.max(0, self.length - checkedCount(count))),
)

export function checkedCount(value: Value): number {
  const count = toInt(value)
  if (count < 0) throw argumentError('negative array size (or size too big)')
  return count
}

define<List>(ArrayClass, '+', 1, (self, [other]) => {
  const more = toArray(other!)
  charge(self.length + more.length)
  return [...self, ...more]
})
define<List>(ArrayClass, 'difference', ANY, (self, others) =>
  others.reduce<Value[]>((list, other) => without(list, toArray(other)), self),
)
define<List>(ArrayClass, '-', 1, (self, [other]) => without(self, toArray(other!)))

function without(list: List, others: List): List {
  const keys = new Set(others.map(hashKey))
  spend(list.length + others.length)
  return list.filter((item) => !keys.has(hashKey(item)))
}

export function uniqueBy(list: List, keyOf: (item: Value) => Value): List {
  const seen = new Set<unknown>()
  spend(list.length)
  return list.filter((item) => {
    const key = hashKey(keyOf(item))
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}
define<List>(ArrayClass, 'uniq', 0, (self, _args, block) =>
  block === null ? unique(self) : uniqueBy(self, (item) => yield1(block, item)),
)

/** The items that are not equal to an earlier one. */
function unique(list: List): List {
  const seen = new Set<unknown>()
  const kept: Value[] = []
  spend(list.length)
  for (let i = 0; i < list.length; i++) {
    const item = list[i]!
    const before = seen.size
    if (seen.add(hashKey(item)).size > before) kept.push(item)
  }
  return kept
}
define<List>(ArrayClass, '&', 1, (self, [other]) => intersection(self, toArray(other!)))
define<List>(ArrayClass, 'intersection', ANY, (self, others) =>
  others.reduce<Value[]>((list, other) => intersection(list, toArray(other)), unique(self)),
)
define<List>(ArrayClass, 'intersect?', 1, (self, [other]) => intersection(self, toArray(other!)).length > 0)
define<List>(ArrayClass, '|', 1, (self, [other]) => unique([...self, ...toArray(other!)]))
define<List>(ArrayClass, 'union', ANY, (self, others) =>
  unique([...self, ...others.flatMap((other) => toArray(other))]),
)

function intersection(list: List, others: List): List {
  const keys = new Set(others.map(hashKey))
  return unique(list.filter((item) => keys.has(hashKey(item))))
}

define<List>(ArrayClass, '*', 1, (self, [times]) => {
  if (times instanceof RString) return str(joined(self, times.text))
  const count = toInt(times!)
  if (count < 0) throw argumentError('argument must be non-negative')
  charge(self.length * count)
  const list: Value[] = []
  for (let i = 0; i < count; i++) for (const item of self) list.push(item)
  return list
})
define<List>(ArrayClass, 'join', [0, 1], (self, [separator]) =>
  str(joined(self, separator === undefined || separator === null ? '' : toText(separator))),
)

export function joined(list: List, separator: string, above: readonly List[] = []): string {
  if (above.includes(list)) throw argumentError('recursive array join')
  spend(list.length)
  let text = ''
  for (let i = 0; i < list.length; i++) {
    const item = list[i]!
    if (i > 0) text += separator
    text += Array.isArray(item) ? joined(item, separator, [...above, list]) : toS(item)
  }
  return text
}

define<List>(ArrayClass, 'include? member?', 1, (self, [item]) => {
  spend(self.length >> 3)
  return self.some((one) => equals(one, item!))
})
define<List>(ArrayClass, 'index find_index', [0, 1], (self, [item], block) => {
  if (item === undefined && block === null) return enumerator(self, 'index')
  const at = self.findIndex((one) => (item !== undefined ? equals(one, item) : isTrue(yield1(block!, one))))
  return at < 0 ? null : at
})
define<List>(ArrayClass, 'rindex', [0, 1], (self, [item], block) => {
  const at = self.findLastIndex((one) => (item !== undefined ? equals(one, item) : isTrue(yield1(block!, one))))
  return at < 0 ? null : at
})

function isTrue(value: Value): boolean {
  return value !== null && value !== false
}

define<List>(ArrayClass, 'each', 0, (self, _args, block) => {
  if (block === null) return enumerator(self, 'each')
  for (let i = 0; i < self.length; i++) yield1(block, self[i]!)
  return self
})
define<List>(ArrayClass, 'each_index', 0, (self, _args, block) => {
  if (block === null) return enumerator(self, 'each_index')
  for (let i = 0; i < self.length; i++) yield1(block, i)
  return self
})
define<List>(ArrayClass, 'reverse_each', 0, (self, _args, block) => {
  if (block === null) return enumerator(self, 'reverse_each')
  for (let i = self.length - 1; i >= 0; i--) yield1(block, self[i] ?? null)
  return self
})
define<List>(ArrayClass, 'reverse', 0, (self) => [...self].reverse())
define<List>(ArrayClass, 'rotate', [0, 1], (self, [by]) => rotated(self, by === undefined ? 1 : toInt(by)))

export function rotated(list: List, by: number): List {
  if (list.length === 0) return []
  const shift = ((by % list.length) + list.length) % list.length
  return [...list.slice(shift), ...list.slice(0, shift)]
}
define<List>(ArrayClass, 'compact', 0, (self) => self.filter((item) => item !== null))
define<List>(ArrayClass, 'flatten', [0, 1], (self, [depth]) =>
  flattened(self, depth === undefined || depth === null ? -1 : toInt(depth)),
)

export function flattened(list: List, depth: number, above: readonly List[] = []): List {
  if (above.includes(list)) throw argumentError('tried to flatten recursive array')
  spend(list.length)
  if (depth === 0) return [...list]
  return list.flatMap((item) => (Array.isArray(item) ? flattened(item, depth - 1, [...above, list]) : [item]))
}
define<List>(ArrayClass, 'transpose', 0, (self) => {
  const rows = self.map(toArray)
  const width = rows[0]?.length ?? 0
  for (const row of rows)
    if (row.length !== width) throw raise('IndexError', `element size differs (${row.length} should be ${width})`)
  return Array.from({ length: width }, (_, i) => rows.map((row) => row[i]!))
})
define<List>(
  ArrayClass,
  'assoc',
  1,
  (self, [key]) => self.find((item) => Array.isArray(item) && equals(item[0] ?? null, key!)) ?? null,
)
define<List>(
  ArrayClass,
  'rassoc',
  1,
  (self, [value]) => self.find((item) => Array.isArray(item) && equals(item[1] ?? null, value!)) ?? null,
)
define<List>(ArrayClass, 'bsearch', 0, (self, _args, block) => {
  let [low, high] = [0, self.length]
  let found: Value = null
  while (low < high) {
    const middle = (low + high) >> 1
    const answer = yield1(block!, self[middle]!)
    if (answer === 0) return self[middle]!
    if (answer === true) {
      found = self[middle]!
      high = middle
    } else if (typeof answer === 'number') answer < 0 ? (high = middle) : (low = middle + 1)
    else if (answer === false || answer === null) low = middle + 1
    else throw typeError(`wrong argument type ${kindOf(answer)} (must be numeric, true, false or nil)`)
  }
  return found
})
define<List>(ArrayClass, 'sample', ANY, (self, [count]) => {
  if (count === undefined || count instanceof RHash) return self[Math.floor(Math.random() * self.length)] ?? null
  return shuffled(self).slice(0, toInt(count))
})
define<List>(ArrayClass, 'shuffle', ANY, (self) => shuffled(self))

export function shuffled(list: List): List {
  const copy = [...list]
  for (let i = copy.length - 1; i > 0; i--) {
    const j = Math.floor(Math.random() * (i + 1))
    ;[copy[i], copy[j]] = [copy[j]!, copy[i]!]
  }
  return copy
}
define<List>(ArrayClass, 'deconstruct', 0, (self) => self)
