/** Range */

import { makeRange } from '../../compile/literals.ts'
import { ANY, define, defineStatic, RangeClass } from '../../runtime/classes.ts'
import { toFloat, toInt } from '../../runtime/convert.ts'
import { compare, equals, inspect, isNumber, order, send, toS, yield1 } from '../../runtime/dispatch.ts'
import { argumentError, raise, typeError } from '../../runtime/errors.ts'
import { spend } from '../../runtime/limits.ts'
import { RFloat, RRange, type Value } from '../../runtime/model.ts'
import { RString, str } from '../../runtime/string.ts'
import { add, divide, type Int, multiply, subtract } from '../numbers/integer-math.ts'
import { enumerator, iterate, iterateRange, listOf } from './iterate.ts'

defineStatic(RangeClass, 'new', [2, 3], (_self, [from, to, exclusive]) =>
  makeRange(from!, to!, exclusive !== undefined && exclusive !== null && exclusive !== false),
)

/** Whether a value is within the bounds. */
export function covers({ from, to, isExclusive }: RRange, value: Value): boolean {
  const low = from === null ? -1 : comparable(from, value)
  if (low === null || low > 0) return false
  const high = to === null ? -1 : comparable(value, to)
  return high !== null && (isExclusive ? high < 0 : high <= 0)
}

function comparable(a: Value, b: Value): number | null {
  if (a === null || b === null || typeof a === 'boolean' || typeof b === 'boolean') return null
  if (isNumber(a) !== isNumber(b)) return null
  return compare(a, b)
}
define<RRange>(RangeClass, '===', 1, (self, [value]) => covers(self, value!))
define<RRange>(RangeClass, 'cover?', 1, (self, [value]) => {
  if (!(value instanceof RRange)) return covers(self, value!)
  return (
    value.from !== null &&
    value.to !== null &&
    covers(self, value.from) &&
    (covers(self, value.to) || (value.isExclusive && equals(value.to, self.to)))
  )
})
define<RRange>(RangeClass, 'include? member?', 1, (self, [value]) => {
  if (!(self.from instanceof RString)) return covers(self, value!)
  let found = false
  iterate(self, (item) => (found = equals(item, value!)))
  return found
})
define<RRange>(RangeClass, 'begin', 0, (self) => self.from)
define<RRange>(RangeClass, 'end', 0, (self) => self.to)
define<RRange>(RangeClass, 'first', [0, 1], (self, [count]) => {
  if (self.from === null) throw raise('RangeError', 'cannot get the first element of beginless range')
  if (count === undefined) return self.from
  const out: Value[] = []
  const wanted = toInt(count)
  if (wanted < 0) throw argumentError('negative array size (or size too big)')
  if (wanted > 0) {
    iterateRange(self, (item) => {
      out.push(item)
      return out.length >= wanted
    })
  }
  return out
})
define<RRange>(RangeClass, 'last', [0, 1], (self, [count]) => {
  if (self.to === null) throw raise('RangeError', 'cannot get the last element of endless range')
  return count === undefined ? self.to : listOf(self).slice(-toInt(count))
})
define<RRange>(RangeClass, 'min', [0, 1], (self, args, block) => extreme(self, 'min', args, block))
define<RRange>(RangeClass, 'max', [0, 1], (self, args, block) => extreme(self, 'max', args, block))

function extreme(
  self: RRange,
  name: 'min' | 'max',
  args: Value[],
  block: Parameters<Parameters<typeof define>[3]>[2],
): Value {
  const { from, to, isExclusive } = self
  if (args.length > 0 || block !== null) return send(listOf(self), name, args, block)
  if (name === 'max' && to === null) throw raise('RangeError', 'cannot get the maximum of endless range')
  if (name === 'min' && from === null) throw raise('RangeError', 'cannot get the minimum of beginless range')
  if (from !== null && to !== null && (order(from, to) > 0 || (isExclusive && equals(from, to)))) return null
  if (name === 'min') return from
  if (!isExclusive) return to
  if (typeof to === 'number') return to - 1
  throw typeError('cannot exclude non Integer end value')
}
define<RRange>(RangeClass, 'minmax', 0, (self, _args, block) => [
  extreme(self, 'min', [], block),
  extreme(self, 'max', [], block),
])
define<RRange>(RangeClass, 'exclude_end?', 0, (self) => self.isExclusive)
define<RRange>(RangeClass, 'size count length', [0, 1], (self, args, block) => {
  if (args.length > 0 || block !== null) return send(listOf(self), 'count', args, block)
  return sizeOf(self)
})
RangeClass.methods.delete('length')

function sizeOf(self: RRange): Value {
  const { from, to, isExclusive } = self
  if (from !== null && isNumber(from) && to === null) return new RFloat(Number.POSITIVE_INFINITY)
  if (isNumber(from) && isNumber(to)) {
    if (to instanceof RFloat && !Number.isFinite(to.value)) return new RFloat(Number.POSITIVE_INFINITY)
    const low = Math.ceil(toFloat(from))
    const high = toFloat(to)
    const last = isExclusive && Number.isInteger(high) ? high - 1 : Math.floor(high)
    return Math.max(0, last - low + 1)
  }
  return from instanceof RString ? listOf(self).length : null
}
define<RRange>(RangeClass, 'size', 0, (self) => (self.from instanceof RString ? null : sizeOf(self)))
define<RRange>(RangeClass, 'sum', [0, 1], (self, args, block) => {
  const { from, to, isExclusive } = self
  if (block !== null || typeof from !== 'number' || typeof to !== 'number')
    return send(listOf(self), 'sum', args, block)
  const last = isExclusive ? to - 1 : to
  const total = last < from ? 0 : divide(multiply(add(from, last), subtract(last + 1, from)), 2)
  return args.length === 0 ? total : send(args[0]!, '+', [total])
})
define<RRange>(RangeClass, 'each', 0, (self, _args, block) => {
  if (block === null) return enumerator(self, 'each')
  iterateRange(self, (item) => void yield1(block, item))
  return self
})
define<RRange>(RangeClass, 'reverse_each', 0, (self, _args, block) => {
  if (block === null) return enumerator(self, 'reverse_each')
  for (const item of listOf(self).reverse()) yield1(block, item)
  return self
})
define<RRange>(RangeClass, 'to_a to_ary entries', 0, (self) => {
  if (self.to === null) throw raise('RangeError', 'cannot convert endless range to an array')
  return listOf(self)
})
RangeClass.methods.delete('to_ary')
for (const name of ['step', '%'])
  define<RRange>(RangeClass, name, [0, 1], (self, [by], block) => {
    if (block === null) return enumerator(self, name, by === undefined ? [] : [by])
    const width = by ?? 1
    if (isNumber(self.from)) {
      if (!isNumber(width)) throw typeError('no implicit conversion to Integer')
      if (toFloat(width) === 0) throw argumentError("step can't be 0")
      if (toFloat(width) < 0) throw argumentError("step can't be negative")
      if ([self.from, self.to, width].some((value) => value instanceof RFloat)) {
        const [start, size] = [toFloat(self.from), toFloat(width)]
        const end = self.to === null ? Number.POSITIVE_INFINITY : toFloat(self.to)
        for (let i = 0; ; i++) {
          const value = start + i * size
          if (self.isExclusive ? value >= end - 1e-12 : value > end + 1e-9 * size) break
          yield1(block, new RFloat(value))
        }
        return self
      }
      for (
        let i = self.from as Int;
        self.to === null || (self.isExclusive ? i < (self.to as Int) : i <= (self.to as Int));
        i = add(i, width as Int)
      ) {
        spend(1)
        yield1(block, i)
      }
      return self
    }
    let i = 0
    iterateRange(self, (item) => {
      if (i++ % toInt(width) === 0) yield1(block, item)
    })
    return self
  })
define<RRange>(RangeClass, 'to_s', 0, (self) =>
  str(`${toS(self.from)}${self.isExclusive ? '...' : '..'}${toS(self.to)}`),
)
define<RRange>(RangeClass, 'inspect', 0, (self) =>
  str(
    `${self.from === null ? '' : inspect(self.from)}${self.isExclusive ? '...' : '..'}${self.to === null ? '' : inspect(self.to)}`,
  ),
)
define<RRange>(RangeClass, '== eql?', 1, (self, [other]) => equals(self, other!))
define<RRange>(RangeClass, 'hash', 0, (self) => inspect(self).length)
define<RRange>(RangeClass, 'dup clone', ANY, (self) => self)
