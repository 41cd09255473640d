/** Implicit conversions of arguments, and the errors they raise. */
import { nameOf, realClassOf } from './classes.ts'
import { noConversion, respondsTo, send, toS } from './dispatch.ts'
import { raise, typeError } from './errors.ts'
import { RHash } from './hash.ts'
import { RFloat, RSymbol, type Value } from './model.ts'
import { RString } from './string.ts'

/** Converts an integer argument (a length, index or count) to a JavaScript number. */
export function toInt(value: Value): number {
  if (typeof value === 'number') return value
  if (value instanceof RFloat) {
    if (!Number.isFinite(value.value))
      throw raise('FloatDomainError', Number.isNaN(value.value) ? 'NaN' : value.value > 0 ? 'Infinity' : '-Infinity')
    return Math.trunc(value.value)
  }
  if (typeof value === 'bigint') throw raise('RangeError', `bignum too big to convert into \`long'`)
  if (
    value !== null &&
    typeof value === 'object' &&
    !Array.isArray(value) &&
    !(value instanceof RString) &&
    respondsTo(value, 'to_int')
  )
    return toInt(send(value, 'to_int'))
  throw noConversion(value, 'Integer')
}

/** The characters of a String argument. */
export function toText(value: Value): string {
  if (value instanceof RString) return value.text
  if (value !== null && typeof value === 'object' && !Array.isArray(value) && respondsTo(value, 'to_str'))
    return toText(send(value, 'to_str'))
  throw noConversion(value, 'String')
}

/** A name: a String or a Symbol. */
export function toName(value: Value): string {
  if (value instanceof RSymbol) return value.name
  if (value instanceof RString) return value.text
  throw typeError(`${toS(value) === '' ? 'nil' : toS(value)} is not a symbol nor a string`)
}

/** The value of a Float, or of an Integer converted to one. */
export function toFloat(value: Value): number {
  if (value instanceof RFloat) return value.value
  if (typeof value === 'number') return value
  if (typeof value === 'bigint') return Number(value)
  if (value === null) throw typeError("can't convert nil into Float")
  if (typeof value === 'boolean' || value instanceof RString || Array.isArray(value) || !respondsTo(value, 'to_f'))
    throw typeError(
      `can't convert ${nameOf(realClassOf(value)).replace(/^(True|False)Class$/, (_, word: string) => word.toLowerCase())} into Float`,
    )
  return toFloat(send(value, 'to_f'))
}

export function toArray(value: Value): Value[] {
  if (Array.isArray(value)) return value
  if (value !== null && typeof value === 'object' && !(value instanceof RString) && respondsTo(value, 'to_ary'))
    return toArray(send(value, 'to_ary'))
  throw noConversion(value, 'Array')
}

export function toHash(value: Value): RHash {
  if (value instanceof RHash) return value
  if (value !== null && typeof value === 'object' && !Array.isArray(value) && respondsTo(value, 'to_hash'))
    return toHash(send(value, 'to_hash'))
  throw noConversion(value, 'Hash')
}

/** The values that `*value` expands to. */
export function splat(value: Value): Value[] {
  if (Array.isArray(value)) return value
  if (value === null) return []
  if (value instanceof RHash) return value.list().map(({ key, value: item }) => [key, item])
  if (typeof value === 'object' && !(value instanceof RString) && respondsTo(value, 'to_a')) {
    const list = send(value, 'to_a')
    if (Array.isArray(list)) return list
  }
  return [value]
}

/** The options hash that was passed as the last argument. */
export function optionsOf(args: Value[]): RHash | undefined {
  const last = args[args.length - 1]
  return last instanceof RHash ? last : undefined
}
