/** Methods of all numbers. */
import { Comparable, define, NumericClass, nameOf, realClassOf } from '../../runtime/classes.ts'
import { optionsOf, toFloat } from '../../runtime/convert.ts'
import {
  compare,
  comparedWith,
  equals,
  inspect,
  isNumber,
  kindOf,
  order,
  respondsTo,
  send,
  yield1,
} from '../../runtime/dispatch.ts'
import { argumentError, typeError } from '../../runtime/errors.ts'
import { RHash } from '../../runtime/hash.ts'
import { step } from '../../runtime/limits.ts'
import { RFloat, RRange, RSymbol, symbol, type Value } from '../../runtime/model.ts'
import { enumerator } from '../collections/iterate.ts'
import { add, type Int } from './integer-math.ts'

/** Evaluates an operator whose right operand is not a built-in number, through its `coerce`. */
export function coerceBinary(self: Value, op: string, other: Value): Value {
  if (other !== null && typeof other === 'object' && !Array.isArray(other) && respondsTo(other, 'coerce')) {
    const pair = send(other, 'coerce', [self])
    if (Array.isArray(pair) && pair.length === 2) return send(pair[0]!, op, [pair[1]!])
  }
  throw typeError(
    `${other instanceof RSymbol ? inspect(other) : kindOf(other)} can't be coerced into ${nameOf(realClassOf(self))}`,
  )
}

define(NumericClass, '+@', 0, (self) => self)
define(NumericClass, 'integer?', 0, () => false)
define(NumericClass, 'real?', 0, () => true)
define(NumericClass, 'dup clone', [0, 1], (self) => self)
define(NumericClass, 'step', [0, 3], (self, args, block) => stepping(self, args, block))

function stepping(self: Value, args: Value[], block: Parameters<Parameters<typeof define>[3]>[2]): Value {
  if (block === null) return enumerator(self, 'step', args)
  const options = optionsOf(args)
  const plain = args.filter((arg) => !(arg instanceof RHash))
  const limit = options?.get(symbol('to')) ?? plain[0] ?? null
  const by = options?.get(symbol('by')) ?? plain[1] ?? 1
  if (equals(by, 0)) throw argumentError("step can't be 0")
  if (limit !== null && !isNumber(limit))
    throw argumentError(`comparison of ${nameOf(realClassOf(self))} with ${comparedWith(limit)} failed`)
  if ([self, limit, by].some((value) => value instanceof RFloat)) {
    const [start, width] = [toFloat(self), toFloat(by)]
    const end = limit === null ? (width > 0 ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY) : toFloat(limit)
    const count = Math.floor((end - start) / width + 1e-9)
    for (let i = 0; i <= count; i++) yield1(block, new RFloat(start + i * width))
    return self
  }
  if (!isNumber(by)) throw argumentError(`comparison of Integer with ${comparedWith(by)} failed`)
  for (
    let i = self as Int;
    limit === null || ((by as Int) > 0 ? i <= (limit as Int) : i >= (limit as Int));
    i = add(i, by as Int)
  ) {
    step()
    yield1(block, i)
  }
  return self
}

define(Comparable, 'between?', 2, (self, [low, high]) => order(self, low!) >= 0 && order(self, high!) <= 0)
define(Comparable, 'clamp', [1, 2], (self, [low, high]) => {
  const [min, max] = low instanceof RRange ? [low.from, low.to] : [low!, high!]
  if (low instanceof RRange && low.isExclusive && low.to !== null)
    throw argumentError('cannot clamp with an exclusive range')
  if (min !== null && max !== null && order(min, max) > 0)
    throw argumentError('min argument must be smaller than max argument')
  if (min !== null && order(self, min) < 0) return min
  return max !== null && order(self, max) > 0 ? max : self
})
for (const [op, test] of [
  ['<', (n: number) => n < 0],
  ['>', (n: number) => n > 0],
  ['<=', (n: number) => n <= 0],
  ['>=', (n: number) => n >= 0],
] as const) {
  define(Comparable, op, 1, (self, [other]) => test(order(self, other!)))
}
define(Comparable, '==', 1, (self, [other]) => self === other || compare(self, other!) === 0)
