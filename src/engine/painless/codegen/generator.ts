/** Turns the typed tree of a script into a JavaScript function. */
import type { ScriptIr } from '../analysis/ir.ts'
import { lookupFor } from '../api/lookup.ts'
import { type ContextName, contextDefinition } from '../contexts/context.ts'
import type { DocValuesType } from '../contract.ts'
import { RUNTIME } from '../runtime/runtime.ts'
import { defaultValue } from './conversions.ts'
import { expression } from './expressions.ts'
import { functionBody } from './functions.ts'
import { Emitter, nameOf, type Observed } from './generator-base.ts'
import { block } from './statements.ts'
import { verifyEmitted } from './verify-emitted.ts'

/** Makes the function of one instance from its environment. */
export type InstanceFactory = (environment: object, columns: readonly object[]) => () => unknown

export interface GeneratedScript {
  factory: InstanceFactory
  observed: Observed
  /** Fields whose columns an instance has to bind, in order. */
  columns: readonly string[]
  code: string
}

export function generateScript(
  ir: ScriptIr,
  context: ContextName,
  fieldType: (field: string) => DocValuesType | undefined,
): GeneratedScript {
  const e = new Emitter(lookupFor(context), contextDefinition(context), fieldType, { expression, block })
  const functions = ir.functions.map(({ function: fn, body }) => {
    const code = functionBody(e, { prologue: '', body, ending: '' })
    return `function f${fn.number}(${fn.params.map(nameOf).join(',')})${code}`
  })
  const ending = ir.returns === 'void' ? '' : `return ${defaultValue(ir.returns)};`
  const main = functionBody(e, { prologue: '', body: ir.body, ending: endsWithReturn(ir) ? '' : ending })
  const columns = [...e.columns.keys()]
  const bound = columns.map((_, i) => `const c${i}=C[${i}];`).join('')
  const table = ir.functions.map(
    ({ function: fn }) =>
      `${JSON.stringify(`${fn.name}/${fn.params.length}`)}:{call:f${fn.number},signature:${e.constant({ ...fn, params: fn.params.map((p) => p.type) })}}`,
  )
  const code = `"use strict";return function(E,C){${bound}${functions.join('')}const F={__proto__:null,${table.join(',')}};return function()${main}}`
  verifyEmitted(code)
  // The text was printed by this module from the typed tree; `verifyEmitted` has checked that it names nothing else.
  const make = new Function('R', 'K', code) as (runtime: object, constants: readonly unknown[]) => InstanceFactory
  return { factory: make(RUNTIME, e.constants), observed: e.observed, columns, code }
}

function endsWithReturn(ir: ScriptIr): boolean {
  const last = ir.body.statements.at(-1)
  return last?.op === 'return' || last?.op === 'throw'
}
