/** Numeric types: boxing, promotion and implicit conversions. */

export const BOX: Readonly<Record<string, string>> = {
  boolean: 'java.lang.Boolean',
  byte: 'java.lang.Byte',
  short: 'java.lang.Short',
  char: 'java.lang.Character',
  int: 'java.lang.Integer',
  long: 'java.lang.Long',
  float: 'java.lang.Float',
  double: 'java.lang.Double',
}

export const UNBOX: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(BOX).map(([primitive, box]) => [box, primitive]),
)

export const STRING = 'java.lang.String'
export const OBJECT = 'java.lang.Object'
export const NUMBER = 'java.lang.Number'

const RANK: Readonly<Record<string, number>> = { byte: 1, short: 2, char: 2, int: 3, long: 4, float: 5, double: 6 }

export const isNumeric = (type: string): boolean => RANK[type] !== undefined

/** Whether every value of `from` can be represented in `to`. */
export function widens(from: string, to: string): boolean {
  const a = RANK[from]
  const b = RANK[to]
  if (a === undefined || b === undefined) return false
  if (from === 'char' || to === 'char') return from === to || (from === 'char' && b >= 3)
  return a <= b
}

export function promoteUnary(type: string, decimal: boolean): string | undefined {
  return promoteNumeric(type, type, decimal)
}

/** The common type of two operands. One numeric operand is enough; converting the other one may fail later. */
export function promoteNumeric(left: string, right: string, decimal: boolean): string | undefined {
  if (left === 'def' || right === 'def') return 'def'
  const either = (type: string) => left === type || right === type
  if (decimal && either('double')) return 'double'
  if (decimal && either('float')) return 'float'
  if (either('long')) return 'long'
  return either('int') || either('char') || either('short') || either('byte') ? 'int' : undefined
}

export function promoteAdd(left: string, right: string): string | undefined {
  if (left === STRING || right === STRING) return STRING
  return promoteNumeric(left, right, true)
}

export function promoteXor(left: string, right: string): string | undefined {
  if (left === 'def' || right === 'def') return 'def'
  if (left === 'boolean' || right === 'boolean') return 'boolean'
  return promoteNumeric(left, right, false)
}

/** The type in which two values are compared; undefined if two primitives cannot be compared. */
export function promoteEquality(left: string, right: string): string | undefined {
  if (left === 'def' || right === 'def') return 'def'
  if (BOX[left] === undefined || BOX[right] === undefined) return OBJECT
  if (left === 'boolean' && right === 'boolean') return 'boolean'
  return promoteNumeric(left, right, true)
}

/** The common type of two alternatives; undefined for a byte and a short, which Elasticsearch refuses. */
export function promoteConditional(left: string, right: string): string | undefined {
  if (left === right) return left
  if (left === 'def' || right === 'def') return 'def'
  if (isNumeric(left) && isNumeric(right)) {
    const rank = Math.max(RANK[left]!, RANK[right]!)
    if (rank >= 3) return ['int', 'long', 'float', 'double'][rank - 3]!
    return left === 'char' || right === 'char' ? 'int' : undefined
  }
  return OBJECT
}
