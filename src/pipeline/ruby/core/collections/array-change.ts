/** Array methods that change the array itself. */
import { ANY, ArrayClass, atLeast, define } from '../../runtime/classes.ts'
import { toArray, toInt } from '../../runtime/convert.ts'
import { equals, truthy, yield1 } from '../../runtime/dispatch.ts'
import { raise } from '../../runtime/errors.ts'
import { charge } from '../../runtime/limits.ts'
import { RRange, type Value } from '../../runtime/model.ts'
import { changing } from '../frozen.ts'
import { rangeBounds } from '../strings/range-bounds.ts'
import { checkedCount, flattened, itemsAt, rotated, shuffled, uniqueBy } from './array.ts'
import { enumerator } from './iterate.ts'
import { sorted, sortedBy } from './sort.ts'

type List = Value[]

function grow(self: List, count: number): void {
  changing(self)
  if (((self.length + count) & ~1023) !== (self.length & ~1023)) charge(1024 + count)
}

define<List>(ArrayClass, '<<', 1, (self, [item]) => {
  grow(self, 1)
  self.push(item!)
  return self
})
define<List>(ArrayClass, 'push append', ANY, (self, items) => {
  grow(self, items.length)
  for (const item of items) self.push(item)
  return self
})
define<List>(ArrayClass, 'pop', [0, 1], (self, [count]) =>
  count === undefined
    ? (changing(self).pop() ?? null)
    : changing(self).splice(Math.max(0, self.length - checkedCount(count))),
)
define<List>(ArrayClass, 'shift', [0, 1], (self, [count]) =>
  count === undefined ? (changing(self).shift() ?? null) : changing(self).splice(0, checkedCount(count)),
)
define<List>(ArrayClass, 'unshift prepend', ANY, (self, items) => {
  grow(self, items.length)
  self.unshift(...items)
  return self
})
define<List>(ArrayClass, 'insert', atLeast(1), (self, [at, ...items]) => {
  let index = toInt(at!)
  if (items.length === 0) return self
  grow(self, items.length)
  if (index < 0) index += self.length + 1
  if (index < 0) throw raise('IndexError', `index ${toInt(at!)} too small for array; minimum: -${self.length + 1}`)
  pad(self, index)
  self.splice(index, 0, ...items)
  return self
})

function pad(self: List, length: number): void {
  if (length > self.length) charge(length)
  while (self.length < length) self.push(null)
}

define<List>(ArrayClass, 'concat', ANY, (self, lists) => {
  const more = lists.flatMap((list) => toArray(list))
  grow(self, more.length)
  for (const item of more) self.push(item)
  return self
})
define<List>(ArrayClass, 'replace initialize_copy', 1, (self, [other]) => replaceAll(self, [...toArray(other!)]))

export function replaceAll(self: List, items: List): List {
  changing(self)
  self.length = 0
  for (const item of items) self.push(item)
  return self
}
define<List>(ArrayClass, 'clear', 0, (self) => replaceAll(self, []))
define<List>(ArrayClass, '[]=', [2, 3], (self, args) => {
  changing(self)
  const value = args[args.length - 1]!
  const first = args[0]!
  if (args.length === 2 && !(first instanceof RRange)) {
    let index = toInt(first)
    if (index < 0) {
      index += self.length
      if (index < 0)
        throw raise('IndexError', `index ${toInt(first)} too small for array; minimum: ${-self.length || 0}`)
    }
    pad(self, index)
    self[index] = value
    return value
  }
  let start: number
  let count: number
  if (first instanceof RRange) {
    start = first.from === null ? 0 : toInt(first.from)
    if (start < 0) start += self.length
    if (start < 0)
      throw raise('RangeError', `${toInt(first.from)}..${first.to === null ? '' : toInt(first.to)} out of range`)
    const bounds = rangeBounds(new RRange(start, first.to, first.isExclusive), Math.max(self.length, start))
    count = bounds?.length ?? 0
  } else {
    start = toInt(first)
    count = toInt(args[1]!)
    if (count < 0) throw raise('IndexError', `negative length (${count})`)
    if (start < 0) start += self.length
    if (start < 0) throw raise('IndexError', `index ${toInt(first)} too small for array; minimum: ${-self.length || 0}`)
  }
  pad(self, start)
  self.splice(start, count, ...(Array.isArray(value) ? value : [value]))
  return value
})
define<List>(ArrayClass, 'fill', [0, 3], (self, args, block) => {
  changing(self)
  const value = block === null ? args[0]! : null
  const [first, second] = block === null ? args.slice(1) : args
  let start = 0
  let end = self.length
  if (first instanceof RRange) {
    const bounds = rangeBounds(first, self.length)!
    start = bounds.start
    end = start + bounds.length
  } else if (first !== undefined && first !== null) {
    start = toInt(first) < 0 ? toInt(first) + self.length : toInt(first)
    if (second !== undefined && second !== null) end = start + toInt(second)
  }
  pad(self, end)
  for (let i = start; i < end; i++) self[i] = block === null ? value : yield1(block, i)
  return self
})
define<List>(ArrayClass, 'delete', 1, (self, [item], block) => {
  let found: Value | undefined
  const kept = self.filter((one) => {
    if (!equals(one, item!)) return true
    found = one
    return false
  })
  if (found === undefined) return block === null ? null : yield1(block, item!)
  replaceAll(self, kept)
  return found
})
define<List>(ArrayClass, 'delete_at', 1, (self, [at]) => {
  let index = toInt(at!)
  if (index < 0) index += self.length
  return index < 0 || index >= self.length ? null : changing(self).splice(index, 1)[0]!
})
define<List>(ArrayClass, 'slice!', [1, 2], (self, args) => {
  changing(self)
  const part = itemsAt(self, args)
  if (args.length === 1 && !(args[0] instanceof RRange)) {
    let index = toInt(args[0]!)
    if (index < 0) index += self.length
    if (index >= 0 && index < self.length) self.splice(index, 1)
    return part
  }
  if (Array.isArray(part)) {
    const start =
      args[0] instanceof RRange
        ? rangeBounds(args[0], self.length)!.start
        : toInt(args[0]!) < 0
          ? toInt(args[0]!) + self.length
          : toInt(args[0]!)
    self.splice(start, part.length)
  }
  return part
})

/** Defines a method with `!` that returns nil if nothing changed. */
function changed(
  name: string,
  arity: Parameters<typeof define>[2],
  compute: (self: List, args: Value[]) => List,
): void {
  define<List>(ArrayClass, name, arity, (self, args) => {
    changing(self)
    const next = compute(self, args)
    if (next.length === self.length && next.every((item, i) => item === self[i])) return null
    return replaceAll(self, next)
  })
}
changed('compact!', 0, (self) => self.filter((item) => item !== null))
changed('flatten!', [0, 1], (self, [depth]) =>
  flattened(self, depth === undefined || depth === null ? -1 : toInt(depth)),
)
define<List>(ArrayClass, 'uniq!', 0, (self, _args, block) => {
  changing(self)
  const next = uniqueBy(self, (item) => (block === null ? item : yield1(block, item)))
  return next.length === self.length ? null : replaceAll(self, next)
})
define<List>(ArrayClass, 'reverse!', 0, (self) => changing(self).reverse())
define<List>(ArrayClass, 'rotate!', [0, 1], (self, [by]) =>
  replaceAll(self, rotated(self, by === undefined ? 1 : toInt(by))),
)
define<List>(ArrayClass, 'shuffle!', ANY, (self) => replaceAll(self, shuffled(self)))
define<List>(ArrayClass, 'sort!', 0, (self, _args, block) => replaceAll(self, sorted(self, block)))
define<List>(ArrayClass, 'sort_by!', 0, (self, _args, block) =>
  block === null ? enumerator(self, 'sort_by!') : replaceAll(self, sortedBy(self, block)),
)
define<List>(ArrayClass, 'map! collect!', 0, (self, _args, block) => {
  if (block === null) return enumerator(self, 'map!')
  changing(self)
  for (let i = 0; i < self.length; i++) self[i] = yield1(block, self[i]!)
  return self
})

/** `select!` returns nil if nothing changed; `keep_if` never does. */
function keeping(name: string, keeps: boolean, givesNil: boolean): void {
  define<List>(ArrayClass, name, 0, (self, _args, block) => {
    if (block === null) return enumerator(self, name)
    changing(self)
    const next = self.filter((item) => truthy(yield1(block, item)) === keeps)
    if (givesNil && next.length === self.length) return null
    return replaceAll(self, next)
  })
}
keeping('select!', true, true)
keeping('filter!', true, true)
keeping('keep_if', true, false)
keeping('reject!', false, true)
keeping('delete_if', false, false)
