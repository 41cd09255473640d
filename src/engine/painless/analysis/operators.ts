/** Analyses operators: arithmetic, comparison, logic, conditionals and assignment. */
import { isPrimitive } from '../api/lookup.ts'
import { classCast } from '../errors/java-throwable.ts'
import type { Expression } from '../parser/tree.ts'
import { type AnalyzerBase, checkUse, fail, located, READ, type Use } from './analyzer-base.ts'
import { castTo, checkCast } from './casts.ts'
import type { Ir, Place } from './ir.ts'
import { OPERATION_NAMES } from './operation-names.ts'
import type { Scope } from './scope.ts'
import {
  promoteAdd,
  promoteConditional,
  promoteEquality,
  promoteNumeric,
  promoteUnary,
  promoteXor,
  STRING,
} from './types.ts'

type Node<K extends Expression['kind']> = Extract<Expression, { kind: K }>

const PATTERN = 'java.util.regex.Pattern'

const cannotApply = (op: string, types: string, at: number) =>
  located(classCast(`cannot apply the ${OPERATION_NAMES[op]} operator [${op}] to the ${types}`), at)

const both = (left: string, right: string) => `types [${left}] and [${right}]`

/** The type of a binary operation, and the type of the count of a shift. */
function promote(op: string, left: string, right: string): { type: string | undefined; shift?: string | undefined } {
  switch (op) {
    case '+':
      return { type: promoteAdd(left, right) }
    case '^':
      return { type: promoteXor(left, right) }
    case '&':
    case '|':
      return { type: promoteNumeric(left, right, false) }
    case '<<':
    case '>>':
    case '>>>': {
      const type = promoteUnary(left, false)
      const shift = promoteUnary(right, false)
      return { type: shift === undefined ? undefined : type, shift }
    }
    default:
      return { type: promoteNumeric(left, right, true) }
  }
}

export function analyzeBinary(a: AnalyzerBase, node: Node<'binary'>, scope: Scope, use: Use): Ir {
  const { op, at } = node
  checkUse(use, at, `${OPERATION_NAMES[op]} operation [${op}]`)
  const left = a.visit(node.left, scope, READ)
  if (op === '=~' || op === '==~') {
    const right = a.visit(node.right, scope, READ)
    return {
      op: 'regexTest',
      operator: op,
      left: castTo(a.lookup, left, STRING),
      right: castTo(a.lookup, right, PATTERN),
      type: 'boolean',
      at,
    }
  }
  const right = a.visit(node.right, scope, READ)
  const { type, shift } = promote(op, left.type, right.type)
  if (type === undefined) throw cannotApply(op, both(left.type, right.type), at)
  if (type === STRING) return concat(left, right, at)
  if (type === 'def' || shift === 'def') {
    const result = shift !== undefined && type !== 'def' ? 'def' : type
    return { op: 'binary', operator: op, operandType: 'def', left, right, type: result, at }
  }
  return {
    op: 'binary',
    operator: op,
    operandType: type,
    left: castTo(a.lookup, left, type),
    right: castTo(a.lookup, right, shift === undefined ? type : shift, { explicit: shift === 'long' }),
    ...(shift === undefined ? {} : { shiftType: shift }),
    type,
    at,
  }
}

function concat(left: Ir, right: Ir, at: number): Ir {
  if (left.type === 'void' || right.type === 'void')
    throw located(classCast(`Cannot cast from [void] to [${STRING}].`), at)
  const parts = left.op === 'concat' ? [...left.parts, right] : [left, right]
  return { op: 'concat', parts, type: STRING, at }
}

export function analyzeComparison(a: AnalyzerBase, node: Node<'comparison'>, scope: Scope, use: Use): Ir {
  const { op, at } = node
  checkUse(use, at, `${OPERATION_NAMES[op]} operation [${op}]`)
  const left = a.visit(node.left, scope, READ)
  const right = a.visit(node.right, scope, READ)
  const equality = op.startsWith('==') || op.startsWith('!=')
  const type = equality ? promoteEquality(left.type, right.type) : promoteNumeric(left.type, right.type, true)
  if (type === undefined) throw cannotApply(op, both(left.type, right.type), at)
  if (equality && node.left.kind === 'null' && node.right.kind === 'null')
    throw fail(at, 'extraneous comparison of [null] constants')
  return {
    op: 'comparison',
    operator: op,
    operandType: type,
    left: type === 'def' ? left : castTo(a.lookup, left, type),
    right: type === 'def' ? right : castTo(a.lookup, right, type),
    type: 'boolean',
    at,
  }
}

export function analyzeLogical(a: AnalyzerBase, node: Node<'boolean'>, scope: Scope, use: Use): Ir {
  const { op, at } = node
  checkUse(use, at, `${OPERATION_NAMES[op]} operation [${op}]`)
  const left = a.visitAs(node.left, scope, 'boolean')
  return { op: 'logical', operator: op, left, right: a.visitAs(node.right, scope, 'boolean'), type: 'boolean', at }
}

export function analyzeUnary(a: AnalyzerBase, node: Node<'unary'>, scope: Scope, use: Use): Ir {
  const { op, at } = node
  checkUse(use, at, `${OPERATION_NAMES[op]} operation [${op}]`)
  if (op === '!')
    return { op: 'unary', operator: op, child: a.visitAs(node.child, scope, 'boolean'), type: 'boolean', at }
  const child = a.visit(node.child, scope, READ)
  const type = promoteUnary(child.type, op !== '~')
  if (type === undefined) throw cannotApply(op, `type [${child.type}]`, at)
  return { op: 'unary', operator: op, child: castTo(a.lookup, child, type), type, at }
}

export function analyzeConditional(a: AnalyzerBase, node: Node<'conditional'>, scope: Scope, use: Use): Ir {
  const { at } = node
  checkUse(use, at, 'conditional operation [?:]')
  const condition = a.visitAs(node.condition, scope, 'boolean')
  const { left, right, type } = branches(a, node.left, node.right, scope, use, at)
  return { op: 'conditional', condition, left, right, type, at }
}

/**
 * Analyses two alternatives of which one is the result. Both are converted to the expected type, or to the common type.
 */
function branches(a: AnalyzerBase, first: Expression, second: Expression, scope: Scope, use: Use, at: number) {
  const mode = { ...use, read: true, write: false }
  const left = a.visit(first, scope, mode)
  const right = a.visit(second, scope, mode)
  const type = commonType(left, right, use, at)
  return { left: castTo(a.lookup, left, type, use), right: castTo(a.lookup, right, type, use), type }
}

function commonType(left: Ir, right: Ir, { target }: Use, at: number): string {
  const type = target ?? promoteConditional(left.type, right.type)
  if (type !== undefined) return type
  throw cannotApply('?:', both(left.type, right.type), at)
}

export function analyzeElvis(a: AnalyzerBase, node: Node<'elvis'>, scope: Scope, use: Use): Ir {
  const { at } = node
  checkUse(use, at, 'elvis operation [?:]')
  if (use.target !== undefined && isPrimitive(use.target)) throw fail(at, 'Elvis operator cannot return primitives')
  const mode = { ...use, read: true, write: false }
  const left = a.visit(node.left, scope, mode)
  const right = a.visit(node.right, scope, mode)
  if (node.left.kind === 'null') throw fail(at, 'Extraneous elvis operator. LHS is null.')
  if (['booleanConstant', 'numeric', 'string'].includes(node.left.kind))
    throw fail(at, 'Extraneous elvis operator. LHS is a constant.')
  if (/^[a-z]+$/.test(left.type) && left.type !== 'def')
    throw fail(at, 'Extraneous elvis operator. LHS is a primitive.')
  if (node.right.kind === 'null') throw fail(at, 'Extraneous elvis operator. RHS is null.')
  const type = commonType(left, right, use, at)
  return {
    op: 'elvis',
    left: castTo(a.lookup, left, type, use),
    right: castTo(a.lookup, right, type, use),
    type,
    at,
  }
}

export function analyzeAssignment(a: AnalyzerBase, node: Node<'assignment'>, scope: Scope, use: Use): Ir {
  const { at } = node
  if (use.write === true)
    throw fail(at, `invalid assignment: cannot assign a value to assignment operation [${node.op}]`)
  if (node.op !== '=') {
    const place = placeOf(a, node.left, scope, { read: true, write: true })
    const value = a.visit(node.right, scope, READ)
    return compound(a, { place, operator: node.op.slice(0, -1), value, read: use.read, postfix: false, at })
  }
  const place = placeOf(a, node.left, scope, { read: use.read, write: true })
  // A value that is written through def keeps its own type.
  const dynamic = place.op === 'defItem' || place.op === 'defField'
  const value = dynamic ? a.visit(node.right, scope, READ) : a.visitAs(node.right, scope, place.type)
  return { op: 'store', place, value, read: use.read, type: use.read ? place.type : 'void', at }
}

export function analyzeIncrement(a: AnalyzerBase, node: Node<'increment'>, scope: Scope, use: Use): Ir {
  const { at } = node
  const place = placeOf(a, node.child, scope, { read: true, write: true })
  const type = ['long', 'float', 'double'].includes(place.type) ? place.type : 'int'
  const value: Ir = { op: 'constant', value: type === 'long' ? 1n : 1, type, at }
  return compound(a, {
    place,
    operator: node.op === '++' ? '+' : '-',
    value,
    read: use.read,
    postfix: node.postfix,
    at,
  })
}

interface Compound {
  place: Place
  operator: string
  value: Ir
  read: boolean
  postfix: boolean
  at: number
}

function compound(a: AnalyzerBase, c: Compound): Ir {
  const { place, operator, at } = c
  const logical = (operator === '&' || operator === '|') && place.type === 'boolean' && c.value.type === 'boolean'
  const { type, shift } = logical ? { type: 'boolean', shift: undefined } : promote(operator, place.type, c.value.type)
  if (type === undefined)
    throw located(
      classCast(`Cannot apply [${operator}=] operation to types [${place.type}] and [${c.value.type}].`),
      at,
    )
  const base = { op: 'compound' as const, place, operator, read: c.read, postfix: c.postfix, at }
  const result = c.read ? place.type : 'void'
  if (type === STRING) {
    checkCast(a.lookup, place.type, STRING, {}, place.at)
    return { ...base, compoundType: STRING, value: c.value, type: result }
  }
  if (type === 'def' || shift === 'def')
    return { ...base, compoundType: 'def', value: castTo(a.lookup, c.value, 'def'), type: result }
  checkCast(a.lookup, place.type, type, {}, place.at)
  const value = castTo(a.lookup, c.value, shift ?? type, { explicit: shift === 'long' })
  checkCast(a.lookup, type, place.type, { explicit: true }, at)
  return { ...base, compoundType: type, ...(shift === undefined ? {} : { shiftType: shift }), value, type: result }
}

const PLACES = new Set(['local', 'element', 'listItem', 'mapItem', 'defItem', 'defField', 'accessor', 'field'])

function placeOf(a: AnalyzerBase, node: Expression, scope: Scope, use: Use): Place {
  const place = a.visit(node, scope, use)
  if (!PLACES.has(place.op)) throw fail(place.at, 'invalid assignment')
  return place as Place
}
