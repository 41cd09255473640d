/** Code of functions, lambdas and function references. */
import type { BlockIr, Ir, Variable } from '../analysis/ir.ts'
import { LOOP_MAX } from '../runtime/limits.ts'
import { convert } from './conversions.ts'
import { emitParts } from './emits.ts'
import { type Emitter, literal, nameOf } from './generator-base.ts'

interface FunctionParts {
  params: readonly string[]
  /** Code that converts the parameters, before the body. */
  prologue: string
  body: BlockIr
  /** The code of the value to return at the end of the body; empty for none. */
  ending: string
}

/** The body of a function with its own error position, loop counter and depth. */
export function functionBody(e: Emitter, parts: Omit<FunctionParts, 'params'>): string {
  const outer = e.nested
  e.nested = true
  const { value: code, declaration } = e.withOwnTemporaries(() => e.block(parts.body))
  e.nested = outer
  return (
    `{let p=-1,b=${LOOP_MAX};${declaration}R.enterFunction();` +
    `try{${parts.prologue}${code}${parts.ending}}catch(x){throw R.locate(x,p)}finally{R.leaveFunction(b)}}`
  )
}

/**
 * The script as the body of a loop over the `n` documents in `D`. `O` receives the results, or the emitted values; `S`
 * has the scores. `E.stopped` is the place of the document at which the script failed.
 */
export function blockBody(e: Emitter, body: BlockIr, result: string | undefined): string {
  const { value: code, declaration, loops } = e.withOwnTemporaries(() => e.block(body))
  const emits = e.context.functions.some(({ name }) => name === 'emit')
  const calls = emits && e.emits === 'calls'
  const arrays = emits && !calls ? emitParts(e) : undefined
  const moves = [
    calls ? 'g(D[i]);' : '',
    arrays?.begin ?? '',
    e.needsDocument ? 'E.moveTo(D[i]);' : '',
    ...[...e.objectColumns].map((column) => `c${column}.moveTo(D[i]);`),
  ].join('')
  const ending = result === undefined ? '' : `O[i]=${result};`
  const counters = `${loops ? `b=${LOOP_MAX};` : ''}${isFree(e, code) ? '' : 'R.resetLimits();'}`
  return (
    `(D,n,O,S){let p=-1,b=0,i=0,x;${calls ? 'const g=E.begin;' : ''}${columnsCode(e)}${arrays?.prologue ?? ''}${declaration}` +
    `try{L:for(;i<n;${arrays?.next ?? ''}i++){${counters}${moves}${code}${ending}}}` +
    `catch(x){E.stopped=i;${arrays?.failed ?? ''}throw R.locate(x,p)}${arrays?.end ?? ''}return n}`
  )
}

/** Helpers of the runtime that count no steps and create no texts or collections. */
const FREE =
  /^(?:at|missingValue|emittedText|fround|imul|asLong|part_\w+|box[A-Z]\w+|(?:int|long|double)To[A-Z]\w+|(?:int|long|exact)(?:Divide|Remainder))$/
const CALLS = /"(?:\\.|[^"\\])*"|\bR\.(\w+)|\bK\[(\d+)\]|\b[mf]\d+\(|\.call\w|\.\w+_\d+\(|E\./g

/** Whether the code of a document never touches the counters of limits, so that they need not be reset. */
function isFree(e: Emitter, code: string): boolean {
  for (const [found, helper, constant] of code.matchAll(CALLS)) {
    if (found.startsWith('"')) continue
    if (helper !== undefined ? FREE.test(helper) : constant !== undefined && e.freeConstants.has(Number(constant)))
      continue
    return false
  }
  return true
}

/** Declares the arrays of the typed columns: counts, values as numbers, values as 64-bit integers, and the column itself. */
function columnsCode(e: Emitter): string {
  return [...e.typedColumns]
    .map((i) => `const y${i}=c${i}.block,z${i}=y${i}.counts,w${i}=y${i}.numbers,l${i}=y${i}.longs;`)
    .join('')
}

export function lambdaCode(e: Emitter, node: Extract<Ir, { op: 'lambda' }>): string {
  const { lambda, at } = node
  const { interfaceMethod } = lambda
  const names = lambda.params.map(nameOf)
  const prologue = lambda.params
    .map((param, i) => {
      const given = interfaceMethod?.params[i] ?? 'def'
      return given === param.type ? '' : `${names[i]}=${convert(names[i]!, given, param.type, false)};`
    })
    .join('')
  const body = functionBody(e, { prologue, body: lambda.body, ending: '' })
  const code = captured(lambda.captures, `(${names.join(',')})=>${body}`)
  if (lambda.target === undefined) return `(p=${at},R.deferredLambda(${code},${names.length}))`
  return `(p=${at},R.lambda(${literal(lambda.target)},${code}))`
}

/** A lambda keeps the values that captured variables have when it is created. */
function captured(captures: readonly Variable[], code: string): string {
  const names = [...new Set(captures.filter((v) => v.context !== true).map(nameOf))]
  return names.length === 0 ? code : `((${names.join(',')})=>${code})(${names.join(',')})`
}

export function functionRefCode(e: Emitter, node: Extract<Ir, { op: 'functionRef' }>): string {
  const { ref, at } = node
  const { callee } = ref
  if (callee?.kind === 'user') {
    const signature = e.constant({ ...callee.function, params: callee.function.params.map((p) => p.type) })
    return `(p=${at},R.userReference(${literal(ref.target!)},${e.constant(ref.interfaceMethod)},f${callee.function.number},${signature},${e.constant(e.lookup)}))`
  }
  if (callee?.kind === 'bound') {
    const variable = callee.variable.context === true ? `E.${callee.variable.name}` : nameOf(callee.variable)
    const boundType = callee.variable.type
    const value = convert(variable, boundType, 'def', false)
    return `(p=${at},R.boundReference(${e.constant(ref)},${value},${e.constant(e.lookup)}))`
  }
  if (ref.typeName === 'this') {
    return `(p=${at},R.deferredUserReference(${literal(ref.name)},F,${e.constant(e.lookup)}))`
  }
  return `(p=${at},R.reference(${e.constant(ref)},${e.constant(e.lookup)}))`
}
