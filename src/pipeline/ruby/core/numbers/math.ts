/** Math, Random, and a few modules of functions. */

import { randomBytes } from 'node:crypto'
import { ANY, define, defineStatic, makeClass, makeModule, metaOf } from '../../runtime/classes.ts'
import { toFloat, toInt } from '../../runtime/convert.ts'
import { raise } from '../../runtime/errors.ts'
import { charge } from '../../runtime/limits.ts'
import { RFloat, type RObject, type Value } from '../../runtime/model.ts'
import { bytesString } from '../../runtime/string.ts'
import { errorClass } from '../exception.ts'
import { randomOf } from '../kernel.ts'

const MathModule = makeModule('Math')
errorClass('DomainError', 'ArgumentError', MathModule)
MathModule.constants.set('PI', new RFloat(Math.PI))
MathModule.constants.set('E', new RFloat(Math.E))

/** Defines a function with the minimum of its argument. */
function unary(name: string, compute: (x: number) => number, isAllowed: (x: number) => boolean = () => true): void {
  defineStatic(MathModule, name, 1, (_self, [value]) => {
    const x = toFloat(value!)
    if (!isAllowed(x)) throw raise('Math::DomainError', `Numerical argument is out of domain - ${name}`)
    return new RFloat(compute(x))
  })
}
unary('sqrt', Math.sqrt, (x) => !(x < 0))
unary('cbrt', Math.cbrt)
unary('exp', Math.exp)
unary('log2', Math.log2, (x) => !(x < 0))
unary('log10', Math.log10, (x) => !(x < 0))
unary('sin', Math.sin)
unary('cos', Math.cos)
unary('tan', Math.tan)
unary('asin', Math.asin, (x) => !(x < -1 || x > 1))
unary('acos', Math.acos, (x) => !(x < -1 || x > 1))
unary('atan', Math.atan)
unary('sinh', Math.sinh)
unary('cosh', Math.cosh)
unary('tanh', Math.tanh)
defineStatic(MathModule, 'log', [1, 2], (_self, [value, base]) => {
  const x = typeof value === 'bigint' ? undefined : toFloat(value!)
  if (x !== undefined && x < 0) throw raise('Math::DomainError', 'Numerical argument is out of domain - log')
  const natural = x === undefined ? bigLog(value as bigint) : Math.log(x)
  return new RFloat(base === undefined ? natural : natural / Math.log(toFloat(base)))
})
function bigLog(value: bigint): number {
  const digits = value.toString()
  return Math.log(Number(`0.${digits.slice(0, 17)}`)) + digits.length * Math.LN10
}
defineStatic(MathModule, 'pow', 2, (_self, [a, b]) => new RFloat(toFloat(a!) ** toFloat(b!)))
defineStatic(MathModule, 'atan2', 2, (_self, [a, b]) => new RFloat(Math.atan2(toFloat(a!), toFloat(b!))))
defineStatic(MathModule, 'hypot', 2, (_self, [a, b]) => new RFloat(Math.hypot(toFloat(a!), toFloat(b!))))
metaOf(MathModule).methods.delete('pow')

const RandomClass = makeClass('Random')
define<RObject>(RandomClass, 'initialize', ANY, () => null)
define(RandomClass, 'rand', [0, 1], (_self, [limit]) => randomOf(limit))
define(RandomClass, 'bytes', 1, (_self, [count]) => randomText(count!))
define(RandomClass, 'seed', 0, () => 0)
defineStatic(RandomClass, 'rand', [0, 1], (_self, [limit]) => randomOf(limit))
defineStatic(RandomClass, 'bytes', 1, (_self, [count]) => randomText(count!))
defineStatic(RandomClass, 'new_seed', 0, () => Math.floor(Math.random() * 2 ** 53))
defineStatic(RandomClass, 'random_number', [0, 1], (_self, [limit]) => randomOf(limit))

export function randomText(count: Value): Value {
  const length = toInt(count)
  charge(length)
  return bytesString(randomBytes(length))
}
