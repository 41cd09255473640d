/** Number literals. The type follows from the suffix, the form of the literal and the expected type. */

import { parseFloat32 } from '../../values/java-number.ts'
import { illegalArgument } from '../errors/java-throwable.ts'
import type { Expression } from '../parser/tree.ts'
import type { Ir } from './ir.ts'

type Numeric = Extract<Expression, { kind: 'numeric' }>

const NARROW: Readonly<Record<string, readonly [number, number]>> = {
  byte: [-128, 127],
  short: [-32768, 32767],
  char: [0, 65535],
}

export function numericText(node: Numeric): string {
  return (node.negated ? '-' : '') + node.text
}

export function numericConstant(node: Numeric, target: string | undefined): Ir {
  const { at } = node
  const text = numericText(node)
  const suffix = node.radix === 10 ? text.at(-1)!.toLowerCase() : ''
  if (suffix === 'f') return constant('float', parseFloat32(text.slice(0, -1)), at)
  if (suffix === 'd') return constant('double', Number(text.slice(0, -1)), at)
  if (node.decimal) return constant('double', Number(text), at)
  if (/[lL]$/.test(text)) {
    const value = parseInteger(text.slice(0, -1), node.radix)
    if (value !== BigInt.asIntN(64, value)) throw invalid(`Invalid long constant [${text}].`, at)
    return constant('long', value, at)
  }
  const value = parseInteger(text, node.radix)
  if (value !== BigInt.asIntN(32, value))
    throw invalid(`Invalid int constant [${text}]. If you want a long constant then change it to [${text}L].`, at)
  const number = Number(value)
  const range = target === undefined ? undefined : NARROW[target]
  const fits = range !== undefined && number >= range[0] && number <= range[1]
  return constant(fits ? target! : 'int', number, at)
}

function constant(type: string, value: number | bigint, at: number): Ir {
  return { op: 'constant', type, value, at }
}

function parseInteger(text: string, radix: number): bigint {
  const negative = text.startsWith('-')
  const digits = negative ? text.slice(1) : text
  const magnitude = BigInt(radix === 16 ? `0x${digits}` : radix === 8 ? `0o${digits}` : digits)
  return negative ? -magnitude : magnitude
}

function invalid(message: string, at: number) {
  const error = illegalArgument(message)
  error.offset = at
  return error
}
