/** Kernel functions: `puts`, `raise`, `format`, `Integer()`, `loop` and others. */

import { isLibrary } from '../compile/excluded.ts'
import { ANY, atLeast, define, defineStatic, isA, Kernel, metaOf, ObjectClass } from '../runtime/classes.ts'
import { optionsOf, splat, toFloat, toInt, toName, toText } from '../runtime/convert.ts'
import { inspect, kindOf, respondsTo, send, toS } from '../runtime/dispatch.ts'
import { argumentError, RException, RubyError, raise, ThrowJump, typeError } from '../runtime/errors.ts'
import { globals } from '../runtime/globals.ts'
import { RHash } from '../runtime/hash.ts'
import { step } from '../runtime/limits.ts'
import { type NativeMethod, RClass, RFloat, RObject, RRange, symbol, type Value } from '../runtime/model.ts'
import { RString, str } from '../runtime/string.ts'
import { enumerator } from './collections/iterate.ts'
import { ExceptionClass } from './exception.ts'
import { parseFloatStrictly } from './numbers/number-text.ts'
import { toInteger } from './numbers/to-integer.ts'
import { formatText } from './strings/format.ts'

/** The output of `puts`, set by the filter. */
export const output: { write: (text: string) => void } = { write: () => undefined }

function kernel(names: string, arity: Parameters<typeof define>[2], call: NativeMethod): void {
  define(Kernel, names, arity, call, 'private')
  define(metaOf(Kernel), names, arity, call)
}

kernel('puts', ANY, (_self, args) => {
  if (args.length === 0) output.write('\n')
  for (const arg of args) putLine(arg)
  return null
})

function putLine(value: Value): void {
  if (Array.isArray(value)) {
    for (const item of value) putLine(item)
    return
  }
  const text = toS(value)
  output.write(text.endsWith('\n') ? text : `${text}\n`)
}

kernel('print', ANY, (_self, args) => {
  for (const arg of args) output.write(toS(arg))
  return null
})
kernel('p', ANY, (_self, args) => {
  for (const arg of args) output.write(`${inspect(arg)}\n`)
  return args.length === 0 ? null : args.length === 1 ? args[0]! : args
})
kernel('pp', ANY, (_self, args) => {
  for (const arg of args) output.write(`${inspect(arg)}\n`)
  return args.length === 1 ? args[0]! : args
})
kernel('warn', ANY, () => null)
kernel('printf', ANY, (_self, args) => {
  if (args.length > 0) output.write(formatText(toText(args[0]!), args.slice(1)))
  return null
})
kernel('format sprintf', atLeast(1), (_self, args) => str(formatText(toText(args[0]!), args.slice(1))))

kernel('raise fail', ANY, (_self, args): Value => {
  const options = args.length > 1 ? optionsOf(args) : undefined
  const cause = options?.get(symbol('cause'))
  const given = cause === undefined ? args : args.slice(0, -1)
  const error = errorOf(given)
  if (cause !== undefined) error.exception.cause = cause
  else if (error.exception.cause === null) {
    const current = globals.get('$!') ?? null
    if (current !== error.exception) error.exception.cause = current
  }
  throw error
})

function errorOf([first, message, backtrace]: Value[]): RubyError {
  if (first === undefined) {
    const current = globals.get('$!')
    return current instanceof RException ? new RubyError(current) : raise('RuntimeError', 'unhandled exception')
  }
  if (first instanceof RString) return raise('RuntimeError', first.text)
  let exception: Value = null
  if (first instanceof RClass && first.isSubclassOf(ExceptionClass))
    exception = send(first, 'new', message === undefined ? [] : [message])
  else if (first instanceof RException) exception = message === undefined ? first : send(first, 'exception', [message])
  else if (first !== null && respondsTo(first, 'exception'))
    exception = send(first, 'exception', message === undefined ? [] : [message])
  if (!(exception instanceof RException)) throw typeError('exception class/object expected')
  if (backtrace !== undefined) exception.backtrace = backtrace
  return new RubyError(exception)
}

kernel('require', 1, (_self, [name]) => {
  if (isLibrary(toText(name!))) return false
  throw raise('LoadError', `cannot load such file -- ${toText(name!)}`)
})
kernel('loop', 0, (self, _args, block) => {
  if (block === null) return enumerator(self, 'loop')
  try {
    for (;;) {
      step()
      block.call([], null)
    }
  } catch (error) {
    if (error instanceof RubyError && isA(error.exception, stopIteration()))
      return error.exception.ivars.get('@result') ?? null
    throw error
  }
})
function stopIteration(): RClass {
  return ObjectClass.constants.get('StopIteration') as RClass
}

kernel('lambda', 0, (_self, _args, block) => {
  if (block === null) throw argumentError('tried to create Proc object without a block')
  return block
})
kernel('proc', 0, (_self, _args, block) => {
  if (block === null) throw argumentError('tried to create Proc object without a block')
  return block
})
const tags: Value[] = []
define(
  Kernel,
  'catch',
  [0, 1],
  (_self, args, block) => {
    const tag = args[0] ?? new RObject(ObjectClass)
    tags.push(tag)
    try {
      return block!.call([tag], null)
    } catch (error) {
      if (error instanceof ThrowJump && error.tag === tag) return error.value
      throw error
    } finally {
      tags.splice(tags.lastIndexOf(tag), 1)
    }
  },
  'private',
)
kernel('throw', [1, 2], (_self, [tag, value]) => {
  if (!tags.some((known) => known === tag))
    throw raise('UncaughtThrowError', `uncaught throw ${inspect(tag!)}`, { tag: tag! })
  throw new ThrowJump(tag!, value ?? null)
})
kernel('exit exit! abort', ANY, () => {
  throw raise('SystemExit', 'exit')
})
kernel('sleep', ANY, () => {
  throw raise('NotImplementedError', 'sleep: code of the ruby filter cannot wait; use the sleep filter')
})
kernel('at_exit', 0, () => {
  throw raise('NotImplementedError', 'at_exit is not available in the ruby filter')
})
kernel('rand', [0, 1], (_self, [limit]) => randomOf(limit))
kernel('srand', ANY, () => 0)
kernel('caller', ANY, () => [])
kernel('binding', 0, () => null)
kernel('gets', ANY, () => null)

export function randomOf(limit: Value | undefined): Value {
  if (limit === undefined || limit === null || limit === 0) return new RFloat(Math.random())
  if (limit instanceof RFloat) return new RFloat(Math.random() * limit.value)
  if (limit instanceof RRange) {
    const { from, to, isExclusive } = limit
    if (from instanceof RFloat || to instanceof RFloat)
      return new RFloat(toFloat(from) + Math.random() * (toFloat(to) - toFloat(from)))
    const low = toInt(from)
    const count = toInt(to) - low + (isExclusive ? 0 : 1)
    return count <= 0 ? null : low + Math.floor(Math.random() * count)
  }
  const max = Math.abs(toInt(limit))
  return Math.floor(Math.random() * max)
}

function wantsException(args: Value[]): boolean {
  return optionsOf(args)?.get(symbol('exception')) !== false
}

/** Conversions that return nil on errors with `exception: false`. */
function converting(args: Value[], convert: (args: Value[]) => Value): Value {
  const quiet = !wantsException(args)
  const plain = args[args.length - 1] instanceof RHash && args.length > 1 ? args.slice(0, -1) : args
  try {
    return convert(plain)
  } catch (error) {
    if (quiet && error instanceof RubyError) return null
    throw error
  }
}

kernel('Integer', [1, 3], (_self, given) => converting(given, ([value, base]) => toInteger(value!, base)))

kernel('Float', [1, 2], (_self, given) =>
  converting(given, ([value]) => {
    if (value instanceof RString) return new RFloat(parseFloatStrictly(value.text))
    return new RFloat(toFloat(value!))
  }),
)
kernel('String', 1, (_self, [value]) => str(toS(value!)))
kernel('Array', 1, (_self, [value]) => (Array.isArray(value) ? value : splat(value!)))
kernel('Hash', 1, (_self, [value]) => {
  if (value instanceof RHash) return value
  if (value === null || (Array.isArray(value) && value.length === 0)) return new RHash()
  throw typeError(`can't convert ${kindOf(value!)} into Hash`)
})
defineStatic(Kernel, 'const_missing', 1, (_self, [name]) => {
  throw raise('NameError', `uninitialized constant ${toName(name!)}`)
})
