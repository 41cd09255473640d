/** Converts the arguments of def calls to the parameter types of the method found at run time. */
import { widens } from '../../analysis/types.ts'
import type { ApiMethod } from '../../api/api-lines.ts'
import { isPrimitive, type Lookup } from '../../api/lookup.ts'
import { classCast, nullPointer, wrongMethodType } from '../../errors/java-throwable.ts'
import { FROM_DEF, primitiveOf, toDef } from '../boxing.ts'
import { castFailure, classOf, isInstance } from '../class-of.ts'
import { Deferred } from '../functions/deferred.ts'

const simple = (type: string) => (type === 'def' ? 'Object' : type.slice(type.lastIndexOf('.') + 1))

/** Description of a method handle in messages: `(String,int)String`. */
export function handleText(receiver: string, params: readonly string[], returns: string): string {
  return `(${[receiver, ...params].map(simple).join(',')})${simple(returns)}`
}

/** Checks the static types of the arguments against the method. Throws WrongMethodTypeException. */
export function checkStaticTypes(
  method: ApiMethod,
  receiver: string,
  argTypes: readonly string[],
  lookup: Lookup,
): void {
  const fits = argTypes.every((given, i) => {
    const wanted = method.params[i]!
    if (given === 'def' || wanted === 'def' || given === wanted) return true
    if (isPrimitive(given)) return isPrimitive(wanted) ? widens(given, wanted) : boxFits(given, wanted)
    return (
      !isPrimitive(wanted) ||
      given === 'java.lang.Object' ||
      unboxFits(given, wanted) ||
      lookup.class(given)?.kind === undefined
    )
  })
  if (fits) return
  const from = handleText(receiver, method.params, method.returns)
  throw wrongMethodType(`cannot convert MethodHandle${from} to ${handleText('Object', argTypes, 'Object')}`)
}

const BOXES: Record<string, string> = {
  boolean: 'java.lang.Boolean', byte: 'java.lang.Byte', short: 'java.lang.Short', char: 'java.lang.Character',
  int: 'java.lang.Integer', long: 'java.lang.Long', float: 'java.lang.Float', double: 'java.lang.Double',
} // biome-ignore format: a list

function boxFits(given: string, wanted: string): boolean {
  const box = BOXES[given]!
  return (
    wanted === box ||
    wanted === 'java.lang.Object' ||
    wanted === 'java.lang.Comparable' ||
    (wanted === 'java.lang.Number' && given !== 'boolean' && given !== 'char')
  )
}

const unboxFits = (given: string, wanted: string) =>
  Object.entries(BOXES).some(([p, box]) => box === given && (p === wanted || widens(p, wanted)))

/** Converts a def value to the representation of a parameter's declared type. */
export function asParameter(value: unknown, type: string, lookup: Lookup): unknown {
  if (value instanceof Deferred) return value.bind(type, lookup)
  if (type === 'def' || type === 'java.lang.Object') return value
  if (isPrimitive(type)) return asPrimitive(value, type)
  if (value === null || isInstance(value, type)) return value
  throw classCast(`Cannot cast ${classOf(value)} to ${type}`)
}

/** Unboxes and widens a value like Java's method handles. */
export function asPrimitive(value: unknown, type: string): unknown {
  if (value === null || value === undefined) {
    throw nullPointer(
      `Cannot invoke "java.lang.Number.${type}Value()" because the return value of "sun.invoke.util.ValueConversions.primitiveConversion(sun.invoke.util.Wrapper, Object, boolean)" is null`,
    )
  }
  const own = primitiveOf(value)
  if (type === 'boolean') {
    if (own === 'boolean') return value
    throw castFailure(value, 'java.lang.Boolean')
  }
  if (own === undefined) throw castFailure(value, type === 'char' ? 'java.lang.Character' : 'java.lang.Number')
  if (own !== type && !widens(own, type)) throw classCast(`Cannot cast ${classOf(value)} to ${BOXES[type]}`)
  return FROM_DEF[type]!(value, true)
}

/** Converts a value from one declared type to another one, through def. */
export function adapt(value: unknown, from: string, to: string, lookup: Lookup): unknown {
  if (from === to || to === 'void') return value
  return asParameter(toDef(value, from), to, lookup)
}
