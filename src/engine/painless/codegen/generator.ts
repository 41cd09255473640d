/** Turns the typed tree of a script into a JavaScript function. */
import type { ScriptIr } from '../analysis/ir.ts'
import { lookupFor } from '../api/lookup.ts'
import { type ContextName, contextDefinition } from '../contexts/context.ts'
import { RUNTIME } from '../runtime/runtime.ts'
import type { ColumnTerm } from '../runtime/script/columns/column-program.ts'
import { columnPlan } from './column-plan.ts'
import { defaultValue } from './conversions.ts'
import { emitMode, emitStatements, emittedByEach, isLoopFree, VALUES_MAX } from './emits.ts'
import { expression, known } from './expressions.ts'
import { blockBody, functionBody } from './functions.ts'
import { type EmitMode, Emitter, type KnownTypes, nameOf, type Observed } from './generator-base.ts'
import { block } from './statements.ts'
import { verifyEmitted } from './verify-emitted.ts'

/** Creates the function of an instance from its environment, its columns and the values of its parameters. */
export type InstanceFactory<F> = (environment: object, columns: readonly object[], params: readonly unknown[]) => F

export type RunDocument = () => unknown
/** Runs a block and returns the number of documents. If a document fails, its place is in the environment. */
export type RunBlock = (docs: Int32Array, count: number, results: unknown, scores: unknown) => number

export interface GeneratedScript<F = RunDocument> {
  factory: InstanceFactory<F>
  observed: Observed
  /** The fields whose columns an instance must bind, in order. */
  columns: readonly string[]
  /** The numbers of the columns that are read by type, and of those that block code reads as 64-bit integers. */
  typedColumns: readonly number[]
  longColumns: ReadonlySet<number>
  /** How block code emits values. */
  emits: EmitMode
  /** Block code: the script as operations on whole blocks. */
  plan?: ColumnTerm | undefined
  /** The parameters that an instance must bind, in order. */
  params: readonly { readonly name: string; readonly isPrimitive: boolean }[]
  code: string
}

export function generateScript(ir: ScriptIr, context: ContextName, types: KnownTypes): GeneratedScript {
  const e = new Emitter(lookupFor(context), contextDefinition(context), types, GENERATORS)
  const functions = functionsCode(e, ir)
  const ending = ir.returns === 'void' ? '' : `return ${defaultValue(ir.returns)};`
  const main = functionBody(e, { prologue: '', body: ir.body, ending: endsWithReturn(ir) ? '' : ending })
  return finish(e, ir, functions, `()${main}`)
}

const GENERATORS = { expression, block, known }

/** The same script for blocks of documents. */
export function generateBlockScript(ir: ScriptIr, context: ContextName, types: KnownTypes): GeneratedScript<RunBlock> {
  let isBounded = isLoopFree(ir.body)
  let emitsOnce = emittedByEach(ir.body) === 1
  for (let emits = emitMode(context); ; ) {
    const e = new Emitter(lookupFor(context), contextDefinition(context), types, GENERATORS, {
      emits,
      isBounded,
      emitsOnce,
    })
    const functions = functionsCode(e, ir)
    const isVoid = ir.returns === 'void' || endsWithReturn(ir)
    const main = blockBody(e, ir.body, isVoid ? undefined : defaultValue(ir.returns))
    const isUnbounded = isBounded && e.emitSites > VALUES_MAX
    // A call elsewhere than in a statement, such as in a function, may run any number of times.
    const isOften = emitsOnce && e.emits !== 'calls' && e.emitSites !== emitStatements(ir.body)
    if (e.needsMode === undefined && !isUnbounded && !isOften) {
      return { ...finish<RunBlock>(e, ir, functions, main), plan: columnPlan(e, ir) }
    }
    emits = e.needsMode ?? emits
    isBounded &&= !isUnbounded
    emitsOnce &&= !isOften
  }
}

function functionsCode(e: Emitter, ir: ScriptIr): string[] {
  return ir.functions.map(({ function: fn, body }) => {
    const code = functionBody(e, { prologue: '', body, ending: '' })
    return `function f${fn.number}(${fn.params.map(nameOf).join(',')})${code}`
  })
}

const CODE_AT_ONCE = 5_000

function finish<F>(e: Emitter, ir: ScriptIr, functions: readonly string[], main: string): GeneratedScript<F> {
  const columns = [...e.columns.keys()]
  const params = [...e.boundParams.keys()]
  const bound = [
    ...columns.map((_, i) => `const c${i}=C[${i}];`),
    ...params.map((_, i) => `const q${i}=Q[${i}];`),
    ...[...e.contextFunctions].map(([key, i]) => `const m${i}=E.functions.${key};`),
  ].join('')
  const table = ir.functions.map(
    ({ function: fn }) =>
      `${JSON.stringify(`${fn.name}/${fn.params.length}`)}:{call:f${fn.number},signature:${e.constant({ ...fn, params: fn.params.map((p) => p.type) })}}`,
  )
  const inner = `return function(E,C,Q){${bound}${functions.join('')}const F={__proto__:null,${table.join(',')}};return function${main}}`
  const code = `"use strict";${withBoundHelpers(inner)}`
  let made: InstanceFactory<F> | undefined
  const make = () => {
    verifyEmitted(code)
    // The text was printed by this module from the typed tree. `verifyEmitted` has checked that it contains no other
    // names.
    const outer = new Function('R', 'K', code) as (runtime: object, constants: readonly unknown[]) => InstanceFactory<F>
    return outer(RUNTIME, e.constants)
  }
  // Many scripts run for blocks only. Long code is compiled at once, because it may be too deep for JavaScript.
  if (code.length > CODE_AT_ONCE) made = make()
  const { observed, typedColumns, longColumns, emits, types } = e
  return {
    factory: (environment, own, values) => (made ??= make())(environment, own, values),
    observed,
    columns,
    typedColumns: [...typedColumns],
    longColumns,
    emits,
    params: params.map((name) => ({ name, isPrimitive: types.param(name) !== undefined })),
    code,
  }
}

const HELPER = /"(?:\\.|[^"\\])*"|\bR\.(\w+)/g

/** Binds the functions of the runtime to constants, because reading a member of an object that large is slow. */
function withBoundHelpers(inner: string): string {
  const names = new Set<string>()
  const code = inner.replace(HELPER, (whole, name?: string) => {
    if (name === undefined) return whole
    names.add(name)
    return `R_${name}`
  })
  return `${[...names].map((name) => `const R_${name}=R.${name};`).join('')}${code}`
}

function endsWithReturn(ir: ScriptIr): boolean {
  const last = ir.body.statements.at(-1)
  return last?.op === 'return' || last?.op === 'throw'
}
