/** Analyses statements: scopes, reachability and the statements that are allowed at each place. */
import { classCast } from '../errors/java-throwable.ts'
import type { Block, Expression, Statement } from '../parser/tree.ts'
import { type AnalyzerBase, fail, located } from './analyzer-base.ts'
import { castTo } from './casts.ts'
import type { BlockIr, Ir, StatementIr } from './ir.ts'
import type { Scope } from './scope.ts'
import { OBJECT } from './types.ts'

/** The position of a statement in its function. */
export interface Place {
  inLoop?: boolean
  /** The statement is the last one of the function, so the value of an expression statement is the result. */
  lastSource?: boolean
  /** The block is the body of a loop or the end of one. A `continue` at its end has no effect. */
  endsLoop?: boolean
}

/** The ways in which control leaves a statement. */
interface Exits {
  methodEscape: boolean
  loopEscape: boolean
  allEscape: boolean
  anyContinue: boolean
  anyBreak: boolean
}

const FALLS_THROUGH: Exits = {
  methodEscape: false,
  loopEscape: false,
  allEscape: false,
  anyContinue: false,
  anyBreak: false,
}
const LEAVES: Exits = { ...FALLS_THROUGH, methodEscape: true, loopEscape: true, allEscape: true }

type Analyzed<T> = Exits & { ir: T }
type Node<K extends Statement['kind']> = Extract<Statement, { kind: K }>

export function analyzeBlock(a: AnalyzerBase, block: Block, scope: Scope, place: Place): Analyzed<BlockIr> {
  const statements: StatementIr[] = []
  let exits = FALLS_THROUGH
  const last = block.statements.length - 1
  block.statements.forEach((statement, i) => {
    if (exits.allEscape) throw fail(block.at, 'invalid block: unreachable statement')
    const own: Place = {
      inLoop: place.inLoop === true,
      lastSource: place.lastSource === true && i === last,
      endsLoop: place.endsLoop === true && i === last,
    }
    const { ir, ...next } = analyzeStatement(a, statement, scope, own)
    statements.push(ir)
    exits = {
      ...next,
      anyContinue: next.anyContinue || exits.anyContinue,
      anyBreak: next.anyBreak || exits.anyBreak,
    }
  })
  return { ...exits, ir: { statements } }
}

function analyzeStatement(a: AnalyzerBase, node: Statement, scope: Scope, place: Place): Analyzed<StatementIr> {
  const { at } = node
  switch (node.kind) {
    case 'if':
    case 'ifElse':
      return analyzeIf(a, node, scope, place)
    case 'while':
      return analyzeWhile(a, node, scope)
    case 'do':
      return analyzeDo(a, node, scope)
    case 'for':
      return analyzeFor(a, node, scope)
    case 'each':
      return analyzeEach(a, node, scope)
    case 'declarations':
      return { ...FALLS_THROUGH, ir: analyzeDeclarations(a, node, scope) }
    case 'continue':
      if (place.inLoop !== true) throw fail(at, 'invalid continue statement: not inside loop')
      if (place.endsLoop === true) throw fail(at, 'extraneous continue statement')
      return { ...FALLS_THROUGH, allEscape: true, anyContinue: true, ir: { op: 'continue', at } }
    case 'break':
      if (place.inLoop !== true) throw fail(at, 'invalid break statement: not inside loop')
      return { ...FALLS_THROUGH, loopEscape: true, allEscape: true, anyBreak: true, ir: { op: 'break', at } }
    case 'return':
      return { ...LEAVES, ir: analyzeReturn(a, node, scope) }
    case 'throw':
      return { ...LEAVES, ir: { op: 'throw', value: a.visitAs(node.value, scope, 'java.lang.Exception'), at } }
    case 'try':
      return analyzeTry(a, node, scope, place)
    case 'expression':
      return analyzeExpressionStatement(a, node, scope, place)
  }
}

function analyzeExpressionStatement(
  a: AnalyzerBase,
  node: Node<'expression'>,
  scope: Scope,
  place: Place,
): Analyzed<StatementIr> {
  const { at } = node
  const { returns } = scope.function
  const last = place.lastSource === true && returns !== 'void'
  const value = a.visit(node.value, scope, { read: last })
  if (!last || value.type === 'void') return { ...FALLS_THROUGH, ir: { op: 'expression', value, at } }
  const result = castTo(a.lookup, value, returns, { internal: true })
  return { ...LEAVES, ir: { op: 'return', value: result, at } }
}

function analyzeReturn(a: AnalyzerBase, node: Node<'return'>, scope: Scope): StatementIr {
  const { returns } = scope.function
  const { at } = node
  if (node.value === undefined) {
    if (returns !== 'void')
      throw located(
        classCast(`cannot cast from [${scope.function.isScript && returns === OBJECT ? 'def' : returns}] to [void]`),
        at,
      )
    return { op: 'return', value: undefined, at }
  }
  return { op: 'return', value: a.visitAs(node.value, scope, returns, { internal: true }), at }
}

const isConstantCondition = (node: Expression | undefined): node is Extract<Expression, { kind: 'booleanConstant' }> =>
  node?.kind === 'booleanConstant'

function analyzeIf(
  a: AnalyzerBase,
  node: Node<'if'> | Node<'ifElse'>,
  scope: Scope,
  place: Place,
): Analyzed<StatementIr> {
  const { at } = node
  const condition = a.visitAs(node.condition, scope, 'boolean')
  if (isConstantCondition(node.condition)) throw fail(at, 'extraneous if block')
  if (node.then === undefined) throw fail(at, 'extraneous if block')
  const then = analyzeBlock(a, node.then, scope.child(), place)
  const { anyContinue, anyBreak } = then
  if (node.kind === 'if')
    return {
      ...FALLS_THROUGH,
      anyContinue,
      anyBreak,
      ir: { op: 'if', condition, whenTrue: then.ir, whenFalse: undefined, at },
    }
  if (node.else === undefined) throw fail(at, 'extraneous else block.')
  const otherwise = analyzeBlock(a, node.else, scope.child(), place)
  return {
    methodEscape: then.methodEscape && otherwise.methodEscape,
    loopEscape: then.loopEscape && otherwise.loopEscape,
    allEscape: then.allEscape && otherwise.allEscape,
    anyContinue: anyContinue || otherwise.anyContinue,
    anyBreak: anyBreak || otherwise.anyBreak,
    ir: { op: 'if', condition, whenTrue: then.ir, whenFalse: otherwise.ir, at },
  }
}

interface LoopHead {
  name: string
  at: number
  /** The condition is always true. */
  endless: boolean
}

/** The condition of a loop; undefined if it is constantly true. */
function loopCondition(a: AnalyzerBase, node: Expression | undefined, scope: Scope, name: string, at: number) {
  // Elasticsearch does not count a loop without a condition as endless.
  if (node === undefined) return { condition: undefined, endless: false }
  const condition = a.visitAs(node, scope, 'boolean')
  if (!isConstantCondition(node)) return { condition, endless: false }
  if (!node.value) throw fail(at, `extraneous ${name} loop`)
  return { condition: undefined, endless: true }
}

function loopBody(a: AnalyzerBase, body: Block, scope: Scope, head: LoopHead): { ir: BlockIr; exits: Exits } {
  const block = analyzeBlock(a, body, scope, { inLoop: true, endsLoop: true })
  if (block.loopEscape && !block.anyContinue) throw fail(head.at, `extraneous ${head.name} loop`)
  const exits =
    head.endless && !block.anyBreak ? { ...FALLS_THROUGH, methodEscape: true, allEscape: true } : FALLS_THROUGH
  return { ir: block.ir, exits }
}

function analyzeWhile(a: AnalyzerBase, node: Node<'while'>, outer: Scope): Analyzed<StatementIr> {
  const { at } = node
  const scope = outer.child()
  const { condition, endless } = loopCondition(a, node.condition, scope, 'while', at)
  if (node.body === undefined) {
    if (endless) throw fail(at, 'no paths escape from while loop')
    return { ...FALLS_THROUGH, ir: { op: 'while', condition, body: undefined, at } }
  }
  const { ir: body, exits } = loopBody(a, node.body, scope, { name: 'while', at, endless })
  return { ...exits, ir: { op: 'while', condition, body, at } }
}

function analyzeDo(a: AnalyzerBase, node: Node<'do'>, outer: Scope): Analyzed<StatementIr> {
  const { at } = node
  const scope = outer.child()
  if (node.body === undefined) throw fail(at, 'extraneous do-while loop')
  const block = analyzeBlock(a, node.body, scope, { inLoop: true, endsLoop: true })
  if (block.loopEscape && !block.anyContinue) throw fail(at, 'extraneous do-while loop')
  const { condition, endless } = loopCondition(a, node.condition, scope, 'do-while', at)
  const exits = endless && !block.anyBreak ? { ...FALLS_THROUGH, methodEscape: true, allEscape: true } : FALLS_THROUGH
  return { ...exits, ir: { op: 'do', condition, body: block.ir, at } }
}

function analyzeFor(a: AnalyzerBase, node: Node<'for'>, outer: Scope): Analyzed<StatementIr> {
  const { at } = node
  const scope = outer.child()
  const initializer = node.initializer === undefined ? undefined : analyzeInitializer(a, node.initializer, scope)
  const { condition, endless } = loopCondition(a, node.condition, scope, 'for', at)
  const afterthought = node.afterthought === undefined ? undefined : a.visit(node.afterthought, scope, { read: false })
  if (node.body === undefined) {
    if (endless) throw fail(at, 'no paths escape from for loop')
    return { ...FALLS_THROUGH, ir: { op: 'for', initializer, condition, afterthought, body: undefined, at } }
  }
  const { ir: body, exits } = loopBody(a, node.body, scope, { name: 'for', at, endless })
  return { ...exits, ir: { op: 'for', initializer, condition, afterthought, body, at } }
}

function analyzeInitializer(a: AnalyzerBase, node: Statement | Expression, scope: Scope): StatementIr {
  if (node.kind === 'declarations') return analyzeDeclarations(a, node, scope)
  const value = a.visit(node as Expression, scope, { read: false })
  return { op: 'expression', value, at: node.at }
}

function analyzeEach(a: AnalyzerBase, node: Node<'each'>, outer: Scope): Analyzed<StatementIr> {
  const { at } = node
  const iterable = a.visit(node.iterable, outer, { read: true })
  const type = a.resolveType(node.type)
  if (type === undefined) throw fail(at, `invalid foreach loop: type [${node.type.name}] not found`)
  const scope = outer.child()
  const variable = scope.define(node.name, type, at, true)
  if (node.body === undefined) throw fail(at, 'extraneous foreach loop')
  const block = analyzeBlock(a, node.body, scope, { inLoop: true, endsLoop: true })
  if (block.loopEscape && !block.anyContinue) throw fail(at, 'extraneous foreach loop')
  const from = elementType(a, iterable, at)
  if (from !== type) castTo(a.lookup, { op: 'null', type: from, at: iterable.at }, type, { explicit: true })
  return {
    ...FALLS_THROUGH,
    ir: { op: 'each', variable, iterable, body: block.ir, elementCast: { from }, at },
  }
}

function elementType(a: AnalyzerBase, iterable: Ir, at: number): string {
  if (iterable.type.endsWith('[]')) return iterable.type.slice(0, -2)
  if (iterable.type === 'def' || a.lookup.isAssignable(iterable.type, 'java.lang.Iterable')) return 'def'
  throw fail(at, `Illegal for each type [${iterable.type}].`)
}

function analyzeDeclarations(a: AnalyzerBase, node: Node<'declarations'>, scope: Scope): StatementIr {
  const variables = node.declarations.map((declaration) => {
    const { at, name } = declaration
    if (a.lookup.type(name) !== undefined) throw fail(at, `invalid declaration: type [${name}] cannot be a name`)
    const type = a.resolveType(declaration.type)
    if (type === undefined) throw fail(at, `invalid declaration: cannot resolve type [${declaration.type.name}]`)
    const value = declaration.value === undefined ? undefined : a.visitAs(declaration.value, scope, type)
    return { variable: scope.define(name, type, at), value, at }
  })
  return { op: 'declare', variables, at: variables[0]!.at }
}

function analyzeTry(a: AnalyzerBase, node: Node<'try'>, scope: Scope, place: Place): Analyzed<StatementIr> {
  const { at } = node
  if (node.body === undefined) throw fail(at, 'extraneous try statement')
  const body = analyzeBlock(a, node.body, scope.child(), place)
  const { ir, ...start } = body
  const exits: Exits = { ...start }
  const catches = node.catches.map((trap) => {
    const type = a.resolveType(trap.type)
    if (type === undefined) throw fail(trap.at, `invalid catch declaration: cannot resolve type [${trap.type.name}]`)
    const own = scope.child()
    const variable = own.define(trap.name, type, trap.at)
    if (type === 'def' || !a.lookup.isAssignable(type, 'java.lang.Exception'))
      throw located(classCast(`cannot cast from [${type}] to [java.lang.Exception]`), trap.at)
    const block = trap.body === undefined ? undefined : analyzeBlock(a, trap.body, own, place)
    exits.methodEscape &&= block?.methodEscape ?? false
    exits.loopEscape &&= block?.loopEscape ?? false
    exits.allEscape &&= block?.allEscape ?? false
    exits.anyContinue ||= block?.anyContinue ?? false
    exits.anyBreak ||= block?.anyBreak ?? false
    return { type, variable, body: block?.ir }
  })
  return { ...exits, ir: { op: 'try', body: ir, catches, at } }
}
