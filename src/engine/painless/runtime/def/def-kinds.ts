/** The primitive types of the values of def, in the order in which operators widen them. */
import { type Boxed, JByte, JChar, JDouble, JFloat, JShort } from '../boxed.ts'

export const NONE = 0
export const BOOLEAN = 1
export const INT = 2
export const LONG = 3
export const FLOAT = 4
export const DOUBLE = 5

export function kindOf(value: unknown): number {
  switch (typeof value) {
    case 'number':
      return INT
    case 'bigint':
      return LONG
    case 'boolean':
      return BOOLEAN
    case 'string':
      return NONE
  }
  if (value instanceof JDouble) return DOUBLE
  if (value instanceof JFloat) return FLOAT
  return value instanceof JChar || value instanceof JByte || value instanceof JShort ? INT : NONE
}

export const TYPE_NAMES = ['', 'boolean', 'int', 'long', 'float', 'double']
export const BOX_NAMES = [
  '',
  'java.lang.Boolean',
  'java.lang.Integer',
  'java.lang.Long',
  'java.lang.Float',
  'java.lang.Double',
]

export const asNumber = (value: unknown): number =>
  typeof value === 'number' ? value : typeof value === 'bigint' ? Number(value) : (value as Boxed).value

export const asLong = (value: unknown): bigint => (typeof value === 'bigint' ? value : BigInt(asNumber(value)))
