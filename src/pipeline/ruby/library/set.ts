/** Set */

import { flattened } from '../core/collections/array.ts'
import { enumerator, iterate, listOf } from '../core/collections/iterate.ts'
import { ANY, define, defineStatic, Enumerable, makeClass, setClass } from '../runtime/classes.ts'
import { equals, inspect, toS, truthy, yield1 } from '../runtime/dispatch.ts'
import { argumentError, raise } from '../runtime/errors.ts'
import { hashKey, RHash } from '../runtime/hash.ts'
import { RBasic, type RProc, type Value } from '../runtime/model.ts'
import { str } from '../runtime/string.ts'

export class RSet extends RBasic {
  readonly hash = new RHash()

  static of(items: Iterable<Value>): RSet {
    const set = new RSet()
    for (const item of items) set.hash.set(item, true)
    return set
  }

  get items(): Value[] {
    return this.hash.list().map(({ key }) => key)
  }
}

const SetClass = makeClass('Set')
SetClass.included.push(Enumerable)
setClass(RSet, SetClass)
SetClass.allocate = (cls) => {
  const set = new RSet()
  if (cls !== SetClass) set.cls = cls
  return set
}
define<RSet>(SetClass, 'initialize', [0, 1], (self, [items], block) => {
  if (items === undefined || items === null) return null
  iterate(checked(items), (item) => self.hash.set(block === null ? item : yield1(block, item), true))
  return null
})
defineStatic(SetClass, '[]', ANY, (_self, items) => RSet.of(items))
define(Enumerable, 'to_set', 0, (self) => RSet.of(listOf(self)))

function checked(value: Value): Value {
  if (value === null || typeof value !== 'object' || (!Array.isArray(value) && value.cls.find('each') === undefined))
    throw argumentError('value must be enumerable')
  return value
}
function changing(self: RSet): RHash {
  if (self.hash.frozen) throw raise('FrozenError', `can't modify frozen Set: ${inspect(self)}`)
  return self.hash
}

define<RSet>(SetClass, 'add <<', 1, (self, [item]) => {
  changing(self).set(item!, true)
  return self
})
define<RSet>(SetClass, 'add?', 1, (self, [item]) => {
  if (self.hash.has(item!)) return null
  changing(self).set(item!, true)
  return self
})
define<RSet>(SetClass, 'delete', 1, (self, [item]) => {
  changing(self).delete(item!)
  return self
})
define<RSet>(SetClass, 'delete?', 1, (self, [item]) => (changing(self).delete(item!) === undefined ? null : self))
define<RSet>(SetClass, 'clear', 0, (self) => {
  changing(self).clear()
  return self
})
define<RSet>(SetClass, 'merge', ANY, (self, lists) => {
  for (const list of lists) for (const item of listOf(checked(list))) changing(self).set(item, true)
  return self
})
define<RSet>(SetClass, 'subtract', 1, (self, [list]) => {
  for (const item of listOf(checked(list!))) changing(self).delete(item)
  return self
})
define<RSet>(SetClass, 'include? member? === contain? includes?', 1, (self, [item]) => self.hash.has(item!))
define<RSet>(SetClass, 'size length count', [0, 1], (self, args, block) => {
  if (args.length > 0) return self.items.filter((item) => equals(item, args[0]!)).length
  return block === null ? self.hash.size : self.items.filter((item) => truthy(yield1(block, item))).length
})
define<RSet>(SetClass, 'empty?', 0, (self) => self.hash.size === 0)
define<RSet>(SetClass, 'each', 0, (self, _args, block) => {
  if (block === null) return enumerator(self, 'each')
  for (const item of self.items) yield1(block, item)
  return self
})
define<RSet>(SetClass, 'to_a', 0, (self) => self.items)
define<RSet>(SetClass, 'to_set', 0, (self) => self)
define<RSet>(SetClass, 'dup clone', ANY, (self) => RSet.of(self.items))
define<RSet>(SetClass, 'freeze', 0, (self) => {
  self.hash.frozen = true
  return self
})
define<RSet>(SetClass, 'frozen?', 0, (self) => self.hash.frozen)
define<RSet>(SetClass, '| + union', 1, (self, [other]) => RSet.of([...self.items, ...listOf(checked(other!))]))
define<RSet>(SetClass, '& intersection', 1, (self, [other]) =>
  RSet.of(listOf(checked(other!)).filter((item) => self.hash.has(item))),
)
define<RSet>(SetClass, '- difference', 1, (self, [other]) => {
  const gone = RSet.of(listOf(checked(other!)))
  return RSet.of(self.items.filter((item) => !gone.hash.has(item)))
})
define<RSet>(SetClass, '^', 1, (self, [other]) => {
  const right = RSet.of(listOf(checked(other!)))
  return RSet.of([
    ...right.items.filter((item) => !self.hash.has(item)),
    ...self.items.filter((item) => !right.hash.has(item)),
  ])
})

function setArgument(value: Value): RSet {
  if (value instanceof RSet) return value
  throw argumentError('value must be a set')
}
const isSubset = (a: RSet, b: RSet) => a.items.every((item) => b.hash.has(item))
define<RSet>(SetClass, 'subset? <=', 1, (self, [other]) => isSubset(self, setArgument(other!)))
define<RSet>(SetClass, 'superset? >=', 1, (self, [other]) => isSubset(setArgument(other!), self))
define<RSet>(
  SetClass,
  'proper_subset? <',
  1,
  (self, [other]) => isSubset(self, setArgument(other!)) && self.hash.size < setArgument(other!).hash.size,
)
define<RSet>(
  SetClass,
  'proper_superset? >',
  1,
  (self, [other]) => isSubset(setArgument(other!), self) && self.hash.size > setArgument(other!).hash.size,
)
define<RSet>(SetClass, 'disjoint?', 1, (self, [other]) => !listOf(other!).some((item) => self.hash.has(item)))
define<RSet>(SetClass, 'intersect?', 1, (self, [other]) => listOf(other!).some((item) => self.hash.has(item)))
define<RSet>(
  SetClass,
  '== eql?',
  1,
  (self, [other]) => other instanceof RSet && other.hash.size === self.hash.size && isSubset(self, other),
)
define<RSet>(SetClass, 'hash', 0, (self) => self.hash.size)
define<RSet>(SetClass, 'hash_key', 0, (self) => str(`\0S${String(hashKey(self.hash))}`))
define<RSet>(SetClass, 'inspect to_s', 0, (self) => str(`#<Set: {${self.items.map(inspect).join(', ')}}>`))

function filtering(names: string, keeps: boolean): void {
  define<RSet>(SetClass, names, 0, (self, _args, block: RProc | null) =>
    RSet.of(self.items.filter((item) => truthy(yield1(block!, item)) === keeps)),
  )
}
filtering('select filter', true)
filtering('reject', false)
for (const [name, keeps] of [
  ['select!', true],
  ['keep_if', true],
  ['reject!', false],
  ['delete_if', false],
] as const) {
  define<RSet>(SetClass, name, 0, (self, _args, block) => {
    for (const item of self.items) if (truthy(yield1(block!, item)) !== keeps) changing(self).delete(item)
    return self
  })
}
define<RSet>(SetClass, 'map! collect!', 0, (self, _args, block) => {
  const items = self.items.map((item) => yield1(block!, item))
  changing(self).clear()
  for (const item of items) self.hash.set(item, true)
  return self
})
define<RSet>(SetClass, 'flatten', 0, (self) =>
  RSet.of(
    flattened(
      self.items.map((item) => (item instanceof RSet ? item.items : item)),
      -1,
    ),
  ),
)
define<RSet>(SetClass, 'join', [0, 1], (self, args) => joinItems(self, args))
function joinItems(self: RSet, [separator]: Value[]): Value {
  return str(
    self.items
      .map((item) => (item === null ? '' : toS(item)))
      .join(separator === undefined || separator === null ? '' : toS(separator)),
  )
}
