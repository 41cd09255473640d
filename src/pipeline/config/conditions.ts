/**
 * Compiles the conditions of `if` into functions of an event, once per configuration.
 *
 * The rules are Logstash's, including the surprising ones: a string never equals a number, `in` with a literal compares
 * strings, and a comparison of values without an order drops the event.
 */
import { Double } from '../../base/json/json-writer.ts'
import { SlowRegexpError, WatchedRegexp } from '../../text/regex/watched-regexp.ts'
import type { Event } from '../event/event.ts'
import { type FieldReference, fieldReference } from '../event/field-reference.ts'
import { type FieldValue, isFields, isNumeric, sameValue } from '../event/fields.ts'
import { textForm } from '../event/text-form.ts'
import { ConfigError } from './config-error.ts'
import type { BooleanOperator, ChainLink, CompareOperator, ConditionNode, Operand, ValueNode } from './syntax-tree.ts'

export type Condition = (event: Event) => boolean

/** Two values have no order. The event that contains them is dropped. */
export class ComparisonError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ComparisonError'
  }
}

/** `substitute` replaces environment variables in literals. */
export function compileCondition(node: ConditionNode, substitute: (text: string) => string): Condition {
  switch (node.type) {
    case 'chain':
      return compileChain(node.first, node.rest, substitute, node)
    case 'not': {
      const inner = compileCondition(node.inner, substitute)
      return (event) => !inner(event)
    }
    case 'truth': {
      const value = compileOperand(node.operand, substitute)
      return (event) => isTrue(value(event))
    }
    case 'match':
      return compileMatch(node, substitute)
    case 'compare':
      return compileCompare(node.operator, node.left, node.right, substitute)
    case 'in': {
      const test = compileIn(node.left, node.right, substitute)
      return node.negated ? (event) => !test(event) : test
    }
  }
}

function compileChain(
  first: ConditionNode,
  rest: readonly ChainLink[],
  substitute: (text: string) => string,
  whole: ConditionNode,
): Condition {
  const operators = new Set(rest.map(({ operator }) => operator))
  if (operators.size > 1 && (operators.has('xor') || operators.has('nand'))) {
    const message = 'xor and nand cannot be mixed with other operators: write parentheses'
    throw new ConfigError([{ message, at: whole.at }])
  }
  // `and` binds tighter than `or`: split at every `or`, then combine the parts between with `and`.
  const conditions = [first, ...rest.map(({ condition }) => condition)].map((item) =>
    compileCondition(item, substitute),
  )
  let joined = [conditions[0]!]
  for (let i = 0; i < rest.length; i++) {
    const operator = rest[i]!.operator
    const next = conditions[i + 1]!
    if (operator === 'or') joined.push(next)
    else joined = [...joined.slice(0, -1), join(operator, joined[joined.length - 1]!, next)]
  }
  return joined.reduce((left, right) => (event) => left(event) || right(event))
}

function join(operator: BooleanOperator, left: Condition, right: Condition): Condition {
  if (operator === 'xor') return (event) => left(event) !== right(event)
  if (operator === 'nand') return (event) => !(left(event) && right(event))
  return (event) => left(event) && right(event)
}

type Read = (event: Event) => FieldValue | undefined

function compileOperand(operand: Operand, substitute: (text: string) => string): Read {
  if (operand.type === 'selector') {
    const reference = parseSelector(operand.text, operand)
    return (event) => event.get(reference)
  }
  const value = literalOf(operand, substitute)
  return () => value
}

function parseSelector(text: string, operand: Operand): FieldReference {
  try {
    return fieldReference(text)
  } catch (error) {
    throw new ConfigError([{ message: (error as Error).message, at: operand.at }])
  }
}

function literalOf(operand: Operand | ValueNode, substitute: (text: string) => string): FieldValue {
  switch (operand.type) {
    case 'number':
      return numberOf(operand.text)
    case 'array':
      return operand.items.map((item) => literalOf(item, substitute))
    case 'string':
      return substitute(operand.text)
    case 'bareword':
    case 'regexp':
    case 'selector':
      return operand.text
    default:
      throw new ConfigError([{ message: 'only texts, numbers and lists of them can be compared', at: operand.at }])
  }
}

function numberOf(text: string): FieldValue {
  const value = Number(text)
  if (!text.includes('.')) return Number.isSafeInteger(value) ? value : BigInt(text)
  return Number.isInteger(value) ? new Double(value) : value
}

/**
 * False values are: absent, null, the empty string, false and the string "false". Everything else is true, including
 * zero.
 */
function isTrue(value: FieldValue | undefined): boolean {
  return value !== undefined && value !== null && value !== '' && value !== false && value !== 'false'
}

function compileMatch(
  node: Extract<ConditionNode, { type: 'match' }>,
  substitute: (text: string) => string,
): Condition {
  const left = compileOperand(node.left, substitute)
  let regexp: WatchedRegexp
  try {
    regexp = new WatchedRegexp(substitute(node.pattern))
  } catch (error) {
    throw new ConfigError([{ message: (error as Error).message, at: node.at }])
  }
  const { negated } = node
  return (event) => {
    const value = left(event)
    return (typeof value === 'string' && isMatch(regexp, value)) !== negated
  }
}

function isMatch(regexp: WatchedRegexp, text: string): boolean {
  try {
    return regexp.test(text)
  } catch (error) {
    if (error instanceof SlowRegexpError) throw new ComparisonError(error.message)
    throw error
  }
}

function compileCompare(
  operator: CompareOperator,
  left: Operand,
  right: Operand,
  substitute: (text: string) => string,
): Condition {
  const a = compileOperand(left, substitute)
  const b = compileOperand(right, substitute)
  switch (operator) {
    case '==':
      return (event) => sameValue(a(event) ?? null, b(event) ?? null)
    case '!=':
      return (event) => !sameValue(a(event) ?? null, b(event) ?? null)
    case '<':
      return (event) => order(a(event), b(event)) < 0
    case '>':
      return (event) => order(a(event), b(event)) > 0
    case '<=':
      return (event) => order(a(event), b(event)) <= 0
    case '>=':
      return (event) => order(a(event), b(event)) >= 0
  }
}

function order(left: FieldValue | undefined, right: FieldValue | undefined): number {
  const a = left instanceof Double ? left.value : left
  const b = right instanceof Double ? right.value : right
  if (isNumeric(a) && isNumeric(b)) return a < b ? -1 : a > b ? 1 : 0
  if (typeof a === 'string' && typeof b === 'string') return byCodePoint(a, b)
  // JRuby's order of a boolean and another value: neither is the smaller one, so <= and >= are true.
  if (typeof a === 'boolean' && b !== undefined && b !== null) return 0
  throw new ComparisonError(`cannot compare ${describe(a)} with ${describe(b)}`)
}

/** UTF-16 order and code point order differ only between surrogates and the last block of the basic plane. */
function byCodePoint(a: string, b: string): number {
  if (a === b) return 0
  let i = 0
  while (i < a.length && i < b.length && a.charCodeAt(i) === b.charCodeAt(i)) i++
  return (a.codePointAt(i) ?? -1) - (b.codePointAt(i) ?? -1)
}

function compileIn(left: Operand, right: Operand, substitute: (text: string) => string): Condition {
  const a = compileOperand(left, substitute)
  if (right.type === 'array') {
    const texts = new Set(right.items.map((item) => textForm(literalOf(item, substitute))))
    return (event) => {
      const value = a(event)
      return value !== undefined && value !== null && !Array.isArray(value) && texts.has(textForm(value))
    }
  }
  // An array on the left of a string is searched for that string, as if the operands were swapped.
  if (left.type === 'array' && right.type === 'string') return compileIn(right, left, substitute)
  const b = compileOperand(right, substitute)
  const leftIsNumber = left.type === 'number'
  return (event) => isIn(a(event), b(event), leftIsNumber)
}

function isIn(value: FieldValue | undefined, container: FieldValue | undefined, leftIsNumber: boolean): boolean {
  if (value === undefined || value === null || container === undefined || container === null) return false
  if (Array.isArray(value) || isFields(value)) return false
  if (Array.isArray(container)) return container.some((item) => sameValue(item, value))
  if (typeof value === 'string' && typeof container === 'string') return container.includes(value)
  return !leftIsNumber && sameValue(value, container)
}

function describe(value: unknown): string {
  if (value === undefined) return 'an absent field'
  return typeof value === 'string' ? 'text' : isNumeric(value) ? 'a number' : 'this kind of value'
}
