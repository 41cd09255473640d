/**
 * Turns the tree of an expression into a function over columns of doubles. The generated text has numbers, names of
 * columns and calls of the functions below, and nothing of the source.
 */
import { BITS, FUNCTIONS } from './functions.ts'
import type { Expression } from './tree.ts'

/** Computes `results[0, count)` from the columns of the variables. `results` may be one of the columns. */
export type RunExpression = (columns: readonly Float64Array[], count: number, results: Float64Array) => void

export interface GeneratedExpression {
  readonly run: RunExpression
  /** In the order of their first use. */
  readonly variables: readonly string[]
}

const COMPARISONS: Readonly<Record<string, string>> = {
  '<': '<',
  '<=': '<=',
  '>': '>',
  '>=': '>=',
  '==': '===',
  '!=': '!==',
}

export function generate(expression: Expression): GeneratedExpression {
  const variables: string[] = []
  const functions: ((...args: number[]) => number)[] = []
  const code = print(expression, variables, functions)
  const names = variables.map((_, i) => `const c${i}=C[${i}];`).join('')
  const calls = functions.map((_, i) => `const f${i}=F[${i}];`).join('')
  const body = `"use strict";${calls}return function(C,n,r){${names}for(let i=0;i<n;i++)r[i]=${code}}`
  const make = new Function('F', body) as (functions: readonly unknown[]) => RunExpression
  return { run: make(functions), variables }
}

function print(expression: Expression, variables: string[], functions: ((...args: number[]) => number)[]): string {
  const inner = (part: Expression) => print(part, variables, functions)
  const called = (call: (...args: number[]) => number, args: readonly string[]) => {
    let at = functions.indexOf(call)
    if (at < 0) at = functions.push(call) - 1
    return `f${at}(${args.join()})`
  }
  switch (expression.kind) {
    case 'number':
      return expression.value === Number.POSITIVE_INFINITY ? 'Infinity' : String(expression.value)
    case 'variable': {
      let at = variables.indexOf(expression.name)
      if (at < 0) at = variables.push(expression.name) - 1
      return `c${at}[i]`
    }
    case 'call':
      return called(FUNCTIONS[expression.name]!.call, expression.args.map(inner))
    case 'unary': {
      const operand = inner(expression.operand)
      if (expression.operator === '!') return `(${operand}===0?1:0)`
      return expression.operator === '~' ? called(BITS['~']!, [operand]) : `(${expression.operator} ${operand})`
    }
    case 'conditional':
      return `(${inner(expression.condition)}!==0?${inner(expression.yes)}:${inner(expression.no)})`
    case 'binary': {
      const { operator } = expression
      const [left, right] = [inner(expression.left), inner(expression.right)]
      if (Object.hasOwn(COMPARISONS, operator)) return `(${left}${COMPARISONS[operator]}${right}?1:0)`
      if (operator === '&&' || operator === '||') return `(${left}!==0${operator}${right}!==0?1:0)`
      if (Object.hasOwn(BITS, operator)) return called(BITS[operator]!, [left, right])
      return `(${left}${operator} ${right})`
    }
  }
}
