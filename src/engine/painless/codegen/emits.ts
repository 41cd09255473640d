/**
 * `emit` in block code. Values go into the arrays of the collector `O`: `V` has the values, `X` their documents, `k` is
 * the next place, `a` the place of the document's first value, `d` the document, `s` the number of its characters. If every
 * document emits one value, its place is `k+i`, and the collector knows the documents.
 */
import type { BlockIr, Ir, StatementIr } from '../analysis/ir.ts'
import type { ContextName } from '../contexts/context.ts'
import { exactLong } from './exact-longs.ts'
import type { EmitMode, Emitter } from './generator-base.ts'

/** The maximum number of values of one document, and of characters in them. */
export const VALUES_MAX = 100
const CHARACTERS_MAX = 1_048_576

const MODES: Partial<Record<ContextName, EmitMode>> = {
  double_field: 'numbers',
  boolean_field: 'numbers',
  long_field: 'numbers',
  date_field: 'numbers',
  keyword_field: 'texts',
}

/** The mode to try first for a context. */
export const emitMode = (context: ContextName): EmitMode => MODES[context] ?? 'calls'

/** The code of `emit(value)`; undefined if the function of the context is called. */
export function emitCode(e: Emitter, value: Ir, at: number): string | undefined {
  if (e.emits === 'calls') return undefined
  if (e.nested) {
    e.needsMode = 'calls'
    return undefined
  }
  e.emitSites++
  const code = valueCode(e, value)
  if (e.emitsOnce) {
    if (e.emits !== 'texts') return `(p=${at},x=${code},V[k+i]=x)`
    const checked = `x.length>${CHARACTERS_MAX}&&O.tooManyCharacters(x.length)`
    return `(p=${at},x=${code},x=R.emittedText(x),${checked},V[k+i]=O.termNumber(x))`
  }
  const limit = e.isBounded ? '' : `k-a>=${VALUES_MAX}&&O.tooManyValues(k-a),`
  if (e.emits !== 'texts') return `(p=${at},x=${code},${limit}X[k]=d,V[k++]=x)`
  const characters = `(s+=x.length)>${CHARACTERS_MAX}&&O.tooManyCharacters(s)`
  return `(p=${at},x=${code},x=R.emittedText(x),${limit}${characters},X[k]=d,V[k++]=O.termNumber(x))`
}

function valueCode(e: Emitter, value: Ir): string {
  if (e.emits === 'texts' || e.emits === 'longs') return e.expression(value)
  if (value.type === 'boolean') return `(${e.expression(value)}?1:0)`
  if (value.type !== 'long') return e.expression(value)
  const exact = exactLong(e, value)
  if (exact !== undefined) return exact.code
  // Dates are numbers in the collector, as in doc values.
  if (e.context.name === 'date_field') return `R.longToDouble(${e.expression(value)})`
  e.needsMode ??= 'longs'
  return '0'
}

interface EmitParts {
  readonly prologue: string
  readonly begin: string
  readonly next: string
  readonly end: string
  readonly failed: string
}

/** Code before the loop over documents, at the start of a document, after it, after the loop, and after a failure. */
export function emitParts(e: Emitter): EmitParts {
  if (e.emitsOnce) {
    const prologue = 'O.room(O.kept+n);const k=O.kept,V=O.valueArray;'
    return { prologue, begin: '', next: '', end: 'O.keepEach(D,n);', failed: 'O.keepEach(D,i);' }
  }
  const arrays = 'X=O.docArray,V=O.valueArray'
  const sorted = 'k-a>1&&O.endValues(a,k),'
  const ends = { end: 'O.keep(k);', failed: 'O.keep(a);' }
  if (e.isBounded) {
    const prologue = `O.room(O.kept+n*${e.emitSites});let k=O.kept,a=k,d=0,s=0,${arrays};`
    return { prologue, begin: 'a=k;s=0;d=D[i];', next: e.emitSites > 1 ? sorted : '', ...ends }
  }
  const begin = `a=k;s=0;d=D[i];if(k+${VALUES_MAX}>X.length){O.keep(k);O.room(k+${VALUES_MAX});${arrays};}`
  return { prologue: `let k=O.kept,a=k,d=0,s=0,${arrays};`, begin, next: sorted, ...ends }
}

/** Whether no statement of the script is a loop. */
export const isLoopFree = (block: BlockIr | undefined): boolean =>
  block === undefined || block.statements.every(isLoopFreeStatement)

function isLoopFreeStatement(statement: StatementIr): boolean {
  switch (statement.op) {
    case 'if':
      return isLoopFree(statement.whenTrue) && isLoopFree(statement.whenFalse)
    case 'try':
      return isLoopFree(statement.body) && statement.catches.every(({ body }) => isLoopFree(body))
    case 'while':
    case 'do':
    case 'for':
    case 'each':
      return false
    default:
      return true
  }
}

/** A path of the script that ends with an exception. */
const FAILS = -1

/** The number of values that every document emits that does not fail; undefined if that depends on the document. */
export function emittedByEach({ statements }: BlockIr): number | undefined {
  let count = 0
  for (const statement of statements) {
    const more = emittedBy(statement)
    if (more === undefined || more === FAILS) return more
    count += more
  }
  return count
}

function emittedBy(statement: StatementIr): number | undefined {
  switch (statement.op) {
    case 'expression':
      return statement.value.op === 'contextCall' && statement.value.function.name === 'emit' ? 1 : 0
    case 'declare':
      return 0
    case 'throw':
      return FAILS
    case 'if': {
      const whenTrue = emittedByEach(statement.whenTrue)
      const whenFalse = statement.whenFalse === undefined ? 0 : emittedByEach(statement.whenFalse)
      if (whenTrue === FAILS) return whenFalse
      return whenFalse === FAILS || whenFalse === whenTrue ? whenTrue : undefined
    }
    default:
      return undefined
  }
}

/** The number of statements that emit. */
export function emitStatements(block: BlockIr | undefined): number {
  let count = 0
  for (const statement of block?.statements ?? []) {
    if (statement.op === 'if') count += emitStatements(statement.whenTrue) + emitStatements(statement.whenFalse)
    else if (emittedBy(statement) === 1) count++
  }
  return count
}
