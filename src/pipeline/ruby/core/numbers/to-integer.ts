/** `Integer(value)` */
import { toInt } from '../../runtime/convert.ts'
import { kindOf, respondsTo, send } from '../../runtime/dispatch.ts'
import { argumentError, typeError } from '../../runtime/errors.ts'
import { RHash } from '../../runtime/hash.ts'
import { RFloat, type Value } from '../../runtime/model.ts'
import { RString } from '../../runtime/string.ts'
import { integerOf } from './integer-math.ts'
import { parseIntegerStrictly } from './number-text.ts'

export function toInteger(value: Value, base: Value | undefined): Value {
  if (value instanceof RString)
    return parseIntegerStrictly(value.text, base === undefined || base === null ? undefined : toInt(base))
  if (base !== undefined && base !== null) throw argumentError('base specified for non string value')
  if (typeof value === 'number' || typeof value === 'bigint') return value
  if (value instanceof RFloat) return integerOf(value.value)
  if (value === null) throw typeError("can't convert nil into Integer")
  if (typeof value === 'object' && !Array.isArray(value) && !(value instanceof RHash)) {
    for (const name of ['to_int', 'to_i']) if (respondsTo(value, name)) return send(value, name)
  }
  throw typeError(`can't convert ${kindOf(value)} into Integer`)
}
