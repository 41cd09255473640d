/** Code that converts a value between the representations of two types. */
import { BOX, isNumeric, NUMBER, OBJECT, STRING, UNBOX } from '../analysis/types.ts'
import { isPrimitive } from '../api/lookup.ts'
import { literal } from './generator-base.ts'

const BOXERS: Readonly<Record<string, string>> = {
  byte: 'R.boxByte',
  short: 'R.boxShort',
  char: 'R.boxChar',
  float: 'R.boxFloat',
  double: 'R.boxDouble',
}

/** Code that boxes a primitive. int, long and boolean have the same representation boxed and unboxed. */
export function boxed(code: string, type: string): string {
  const boxer = BOXERS[type]
  return boxer === undefined ? code : `${boxer}(${code})`
}

export function convert(code: string, from: string, to: string, explicit: boolean): string {
  if (from === to) return code
  if (isPrimitive(from)) return fromPrimitive(code, from, to)
  if (from === 'def') return fromDef(code, to, explicit)
  const unboxedFrom = UNBOX[from]
  if (unboxedFrom !== undefined && isPrimitive(to)) return convertPrimitive(`R.unbox(${code})`, unboxedFrom, to)
  if (from === STRING && to === 'char') return `R.stringToChar(${code})`
  if (isPrimitive(to)) return fromDef(code, to, explicit)
  if (to === 'def' || to === OBJECT) return code
  return explicit ? `R.checkInstance(${code},${literal(to)})` : code
}

function fromPrimitive(code: string, from: string, to: string): string {
  if (isPrimitive(to)) return convertPrimitive(code, from, to)
  if (to === STRING) return `R.charText(${code})`
  const unboxed = UNBOX[to]
  if (unboxed === undefined || to === OBJECT || to === NUMBER) return boxed(code, from)
  return boxed(convertPrimitive(code, from, unboxed), unboxed)
}

function fromDef(code: string, to: string, explicit: boolean): string {
  if (to === OBJECT) return code
  const unboxed = UNBOX[to]
  if (unboxed !== undefined) return `R.defToBoxed(${code},${literal(unboxed)},${explicit})`
  if (to === 'boolean') return `R.defToBoolean(${code})`
  if (isPrimitive(to)) return `R.defTo_${to}(${code},${explicit})`
  if (to === STRING) return `R.defToString(${code},${explicit})`
  return `R.checkInstance(${code},${literal(to)})`
}

export function convertPrimitive(code: string, from: string, to: string): string {
  if (from === to || !isNumeric(from)) return code
  const whole = from !== 'long' && from !== 'float' && from !== 'double'
  switch (to) {
    case 'double':
      return from === 'long' ? `R.longToDouble(${code})` : code
    case 'float':
      return from === 'long' ? `R.longToFloat(${code})` : `R.fround(${code})`
    case 'long':
      return whole ? `R.intToLong(${code})` : `R.doubleToLong(${code})`
    case 'int':
      return whole ? code : toInt(code, from)
    case 'byte':
      return `(${whole ? code : toInt(code, from)}<<24>>24)`
    case 'short':
      return from === 'byte' ? code : `(${whole ? code : toInt(code, from)}<<16>>16)`
    default:
      return `(${whole ? code : toInt(code, from)}&65535)`
  }
}

const toInt = (code: string, from: string) => (from === 'long' ? `R.longToInt(${code})` : `R.doubleToInt(${code})`)

/** The value of a variable before the first assignment. */
export function defaultValue(type: string): string {
  if (type === 'boolean') return 'false'
  if (type === 'long') return '0n'
  return BOX[type] === undefined ? 'null' : '0'
}
