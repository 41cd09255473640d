/**
 * Scripts that are arithmetic on dense columns, parameters and constants. They run as a few operations on whole blocks, whose loops
 * all scripts share: a new script then has no code of its own that must be compiled and warmed up. Both sides of a condition are
 * computed, because no operation can fail. Those that can are left to generated code, and so are integers that overflow or exceed 2^53.
 */
import { type Comparison, isComparison } from '../../kernels/vector-kernel.ts'
import type { Ir, ScriptIr, StatementIr, Variable } from '../analysis/ir.ts'
import { staticMethod } from '../runtime/registry.ts'
import { RUNTIME } from '../runtime/runtime.ts'
import { toInt } from '../runtime/script/columns/column-calls.ts'
import type { ColumnTerm } from '../runtime/script/columns/column-program.ts'
import { denseCount, densePartColumn, denseValueColumn, paramRead } from './doc-reads.ts'
import { exactLong } from './exact-longs.ts'
import type { Emitter } from './generator-base.ts'

/** More operations are faster as generated code, which keeps its values in registers. */
const OPERATIONS_MAX = 12

const OBJECT = 'java.lang.Object'

type NumberType = 'int' | 'long' | 'double'

interface TypedTerm {
  readonly type: NumberType
  readonly term: ColumnTerm
  /** A whole number that is 0 may be -0 here. */
  readonly mayBeNegativeZero?: boolean
}

/** The value that the script returns or emits for each document; undefined if the script needs generated code. */
export function columnPlan(e: Emitter, { functions, body, returns }: ScriptIr): ColumnTerm | undefined {
  if (functions.length > 0) return undefined
  if (returns === 'void' ? e.emits !== 'numbers' || !e.emitsOnce : !RETURNS_NUMBERS.has(returns)) return undefined
  const terms = new TermBuilder(e, returns)
  const found = terms.result(body.statements)
  if (found === undefined || terms.operations > OPERATIONS_MAX || terms.columns === 0) return undefined
  if (returns === 'double' && found.type !== 'double') return undefined
  return normalized(found)
}

/** Scripts that return any object have a plan if the result is a number. */
const RETURNS_NUMBERS: ReadonlySet<string> = new Set(['double', OBJECT])

function resultOf(last: StatementIr, returns: string): Ir | undefined {
  if (returns !== 'void') return last.op === 'return' ? last.value : undefined
  if (last.op !== 'expression' || last.value.op !== 'contextCall') return undefined
  const { function: called, args } = last.value
  return called.name === 'emit' && args.length === 1 ? args[0] : undefined
}

const normalized = ({ term, mayBeNegativeZero }: TypedTerm): ColumnTerm =>
  mayBeNegativeZero === true ? { op: '+', left: term, right: { op: 'constant', value: 0 } } : term

class TermBuilder {
  readonly #e: Emitter
  readonly #returns: string
  readonly #locals = new Map<Variable, TypedTerm>()
  operations = 0
  columns = 0

  constructor(e: Emitter, returns: string) {
    this.#e = e
    this.#returns = returns
  }

  /** What statements return or emit: declarations of numbers, and then a value or a condition with two results. */
  result(statements: readonly StatementIr[]): TypedTerm | undefined {
    const [first, ...others] = statements
    if (first === undefined) return undefined
    if (first.op === 'declare') return this.#declare(first.variables) ? this.result(others) : undefined
    if (first.op === 'if') return this.#branch(first, others)
    const value = others.length === 0 ? resultOf(first, this.#returns) : undefined
    return value && this.typed(value)
  }

  #declare(variables: Extract<StatementIr, { op: 'declare' }>['variables']): boolean {
    for (const { variable, value } of variables) {
      const term = value && this.typed(value)
      if (term === undefined || term.type !== variable.type) return false
      // A variable is never assigned again, because assignments have no term and end the plan.
      this.#locals.set(variable, term)
    }
    return true
  }

  #branch(
    { condition, whenTrue, whenFalse }: Extract<StatementIr, { op: 'if' }>,
    others: readonly StatementIr[],
  ): TypedTerm | undefined {
    // After an `if` that returns, the other statements are its `else`.
    if (whenFalse !== undefined && others.length > 0) return undefined
    if (whenFalse === undefined && this.#returns === 'void') return undefined
    const test = this.#test(condition)
    const left = test && this.result(whenTrue.statements)
    return left && this.#select(test, left, this.result(whenFalse?.statements ?? others))
  }

  #select(condition: ColumnTerm, left: TypedTerm, right: TypedTerm | undefined): TypedTerm | undefined {
    if (right?.type !== left.type) return undefined
    this.operations++
    const mayBeNegativeZero = left.mayBeNegativeZero === true || right.mayBeNegativeZero === true
    return { type: left.type, term: { op: '?', condition, left: left.term, right: right.term }, mayBeNegativeZero }
  }

  /** A condition as a number that is 0 if it is false. */
  #test(node: Ir): ColumnTerm | undefined {
    switch (node.op) {
      case 'constant':
        return typeof node.value === 'boolean' ? { op: 'constant', value: Number(node.value) } : undefined
      case 'cast':
        return node.type === 'boolean' || node.type === 'def' ? this.#test(node.child) : undefined
      case 'logical': {
        const left = this.#test(node.left)
        const right = left && this.#test(node.right)
        this.operations++
        return right && { op: node.operator === '&&' ? '*' : '+', left: left!, right }
      }
      case 'unary': {
        const child = node.operator === '!' ? this.#test(node.child) : undefined
        return child && this.#compared('==', child, { op: 'constant', value: 0 })
      }
      case 'comparison': {
        const { operator } = node
        if (!isComparison(operator)) return undefined
        const left = this.typed(node.left)
        const right = left && this.typed(node.right)
        return right && this.#compared(operator, left!.term, right.term)
      }
      default: {
        const isEmpty = denseCount(this.#e, node)
        return isEmpty === false ? { op: 'constant', value: 0 } : undefined
      }
    }
  }

  #compared(operator: Comparison, left: ColumnTerm, right: ColumnTerm): ColumnTerm {
    this.operations++
    return { op: operator, left, right }
  }

  typed(node: Ir): TypedTerm | undefined {
    // A variable that is read often repeats its operations.
    if (this.operations > OPERATIONS_MAX) return undefined
    switch (node.op) {
      case 'constant':
        return constantTerm(node.type, node.value)
      case 'cast':
        return this.#cast(node.type, node.child)
      case 'binary':
        return this.#binary(node)
      case 'unary':
        return node.operator === '-' && node.type === 'double' ? this.#negated(node.child) : undefined
      case 'conditional': {
        const test = this.#test(node.condition)
        const left = test && this.typed(node.left)
        return left && this.#select(test, left, this.typed(node.right))
      }
      case 'staticCall':
        return this.#call(node)
      case 'local':
        return this.#local(node.variable)
      default:
        return this.#read(node)
    }
  }

  #local(variable: Variable): TypedTerm | undefined {
    if (variable.context !== true) return this.#locals.get(variable)
    return variable.name === '_score' && variable.type === 'double'
      ? { type: 'double', term: { op: 'score' } }
      : undefined
  }

  #read(node: Ir): TypedTerm | undefined {
    const e = this.#e
    if (denseCount(e, node) === 1) return { type: 'int', term: { op: 'constant', value: 1 } }
    const part = densePartColumn(e, node)
    if (part !== undefined) {
      const apply = (RUNTIME as Record<string, unknown>)[`part_${part.name}`] as (ms: number) => number
      this.operations++
      this.columns++
      return { type: part.type, term: { op: 'call', apply, child: { op: 'column', column: part.column } } }
    }
    const column = denseValueColumn(e, node)
    if (column !== undefined) {
      if (column.type === 'long' && exactLong(e, node) === undefined) return undefined
      this.columns++
      return { type: column.type, term: { op: 'column', column: column.column } }
    }
    const param = paramRead(e, node)
    if (param?.type !== 'int' && param?.type !== 'double') return undefined
    return { type: param.type, term: { op: 'param', param: param.number } }
  }

  /** Casts that keep the value. */
  #cast(to: string, child: Ir): TypedTerm | undefined {
    const found = this.typed(child)
    if (found === undefined || to === 'def' || to === OBJECT || to === found.type) return found
    if (to === 'long' && found.type === 'int') return { ...found, type: 'long' }
    return to === 'double' ? { type: 'double', term: normalized(found) } : undefined
  }

  #negated(child: Ir): TypedTerm | undefined {
    const found = this.typed(child)
    if (found?.type !== 'double') return undefined
    this.operations++
    return { type: 'double', term: { op: '*', left: found.term, right: { op: 'constant', value: -1 } } }
  }

  /** A function of one double. */
  #call({ method, args }: Extract<Ir, { op: 'staticCall' }>): TypedTerm | undefined {
    const { owner, name, params, returns } = method
    if (owner !== 'java.lang.Math' || params.length !== 1 || params[0] !== 'double' || returns !== 'double') {
      return undefined
    }
    const found = this.typed(args[0]!)
    const apply = staticMethod(owner, name, 1) as ((value: number) => number) | undefined
    if (found?.type !== 'double' || apply === undefined) return undefined
    this.operations++
    return { type: 'double', term: { op: 'call', apply, child: found.term } }
  }

  #binary(node: Extract<Ir, { op: 'binary' }>): TypedTerm | undefined {
    const { operator } = node
    if (operator !== '+' && operator !== '-' && operator !== '*' && operator !== '/') return undefined
    const left = this.typed(node.left)
    const right = left && this.typed(node.right)
    if (left === undefined || right === undefined) return undefined
    const type = node.operandType === 'def' ? wider(left.type, right.type) : node.operandType
    this.operations++
    if (type === 'double') {
      return { type, term: { op: operator, left: normalized(left), right: normalized(right) } }
    }
    if (operator === '/') return undefined
    const term: ColumnTerm = { op: operator, left: left.term, right: right.term }
    if (type === 'int') {
      // The product of two ints is not exact as a number.
      if (operator === '*') return undefined
      return { type, term: { op: 'call', apply: toInt, child: term } }
    }
    if (type !== 'long' || exactLong(this.#e, node) === undefined) return undefined
    return { type, term, mayBeNegativeZero: isNegativeZeroPossible(operator, left, right) }
  }
}

/** The sum of 0 and -0 is 0. */
function isNegativeZeroPossible(operator: '+' | '-' | '*', left: TypedTerm, right: TypedTerm): boolean {
  const first = left.mayBeNegativeZero === true
  if (operator === '*') return true
  return operator === '+' ? first && right.mayBeNegativeZero === true : first
}

const wider = (a: NumberType, b: NumberType): NumberType =>
  a === 'double' || b === 'double' ? 'double' : a === 'long' || b === 'long' ? 'long' : 'int'

function constantTerm(type: string, value: number | bigint | boolean | string): TypedTerm | undefined {
  if (type !== 'int' && type !== 'long' && type !== 'double') return undefined
  const number = Number(value)
  if (type === 'long' && !Number.isSafeInteger(number)) return undefined
  return { type, term: { op: 'constant', value: number } }
}
