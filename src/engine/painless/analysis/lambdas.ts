/** Analyses lambdas and function references. */
import type { ApiMethod } from '../api/api-lines.ts'
import type { Expression } from '../parser/tree.ts'
import { type AnalyzerBase, fail, type Use } from './analyzer-base.ts'
import { checkCast } from './casts.ts'
import type { FunctionRefIr, Ir } from './ir.ts'
import { FunctionScope, Scope } from './scope.ts'
import type { analyzeBlock } from './statements.ts'

type Node<K extends Expression['kind']> = Extract<Expression, { kind: K }>

function unlocated(message: string) {
  const error = fail(0, message)
  error.offset = undefined
  return error
}

function interfaceMethod(a: AnalyzerBase, target: string, what: string, at: number): ApiMethod {
  const method = a.lookup.functionalMethod(target)
  if (method === undefined) throw fail(at, `Cannot pass ${what} to [${target}], not a functional interface`)
  return method
}

export function analyzeLambda(
  a: AnalyzerBase,
  node: Node<'lambda'>,
  scope: Scope,
  use: Use,
  block: typeof analyzeBlock,
): Ir {
  const { at } = node
  if (use.write === true) throw fail(at, 'invalid assignment: cannot assign a value to a lambda')
  if (!use.read) throw fail(at, 'not a statement: lambda not used')
  const { target } = use
  let method: ApiMethod | undefined
  if (target !== undefined) {
    method = interfaceMethod(a, target, 'lambda', at)
    if (method.params.length !== node.params.length)
      throw unlocated(`Incorrect number of parameters for [${method.name}] in [${target}]`)
  }
  // A lambda for a void method may return any value. The value is dropped.
  const returns = method === undefined || method.returns === 'void' ? 'def' : method.returns
  const lambdaScope = new Scope(new FunctionScope(returns, scope))
  const params = node.params.map((param, i) => {
    const type = param.type === undefined ? (method?.params[i] ?? 'def') : a.resolveType(param.type)
    if (type === undefined) throw fail(at, `cannot resolve type [${param.type!.name}]`)
    return lambdaScope.define(param.name, type, at, true)
  })
  const body = block(a, node.body, lambdaScope, { lastSource: true })
  if (!body.methodEscape) throw fail(at, 'not all paths return a value for lambda')
  const { captures } = lambdaScope.function
  return {
    op: 'lambda',
    lambda: { target, interfaceMethod: method, params, returns, body: body.ir, captures },
    type: target ?? 'def',
    at,
  }
}

export function analyzeFunctionRef(a: AnalyzerBase, node: Node<'functionRef'>, scope: Scope, use: Use): Ir {
  const { at, name } = node
  const typeName = node.type.name
  if (use.write === true)
    throw fail(at, `invalid assignment: cannot assign a value to function reference [${typeName}:${name}]`)
  if (!use.read) throw fail(at, `not a statement: function reference [${typeName}:${name}] not used`)
  const { target } = use
  const method = target === undefined ? undefined : a.lookup.functionalMethod(target)
  if (target !== undefined && method === undefined)
    throw fail(at, `cannot convert function reference [${typeName}::${name}] to a non-functional interface [${target}]`)
  const ref: FunctionRefIr = { target, interfaceMethod: method, typeName, name, callee: undefined }
  ref.callee = calleeOf(a, ref, scope, at)
  checkResult(a, ref, at)
  return { op: 'functionRef', ref, type: target ?? 'def', at }
}

/** The result of what is referred to must be convertible to that of the interface. */
function checkResult(a: AnalyzerBase, { callee, interfaceMethod: wanted }: FunctionRefIr, at: number): void {
  if (callee === undefined || wanted === undefined || wanted.returns === 'void') return
  const given =
    callee.kind === 'user' ? callee.function.returns : 'method' in callee ? callee.method?.returns : undefined
  if (given !== undefined) checkCast(a.lookup, given, wanted.returns, { internal: true }, at)
}

function calleeOf(a: AnalyzerBase, ref: FunctionRefIr, scope: Scope, at: number): FunctionRefIr['callee'] {
  const { typeName, name, interfaceMethod: method } = ref
  const arity = method?.params.length ?? 0
  const missing = (display = typeName) =>
    fail(
      at,
      `function reference [${display}::${name}/${arity}] matching [${ref.target}, ${method!.name}/${arity}] not found`,
    )
  if (typeName === 'this') {
    if (method === undefined) return undefined
    const own = a.functions.get(`${name}/${arity}`)
    if (own === undefined) throw missing()
    return { kind: 'user', function: own }
  }
  const type = a.lookup.type(typeName)
  if (type === undefined) {
    const variable = scope.find(typeName)
    if (variable === undefined) throw fail(at, `variable [${typeName}] is not defined`)
    if (method === undefined || variable.type === 'def') return { kind: 'bound', variable, method: undefined }
    const bound = a.lookup.method(variable.type, name, arity)
    if (bound === undefined) throw missing(variable.type)
    return { kind: 'bound', variable, method: bound }
  }
  if (method === undefined) return undefined
  if (name === 'new') {
    if (type.endsWith('[]')) return { kind: 'array', type }
    const creator = a.lookup.constructorOf(type, arity)
    if (creator === undefined) throw missing()
    return { kind: 'constructor', method: creator }
  }
  return staticOrVirtual(a, type, name, arity) ?? throwing(missing())
}

export function staticOrVirtual(a: Pick<AnalyzerBase, 'lookup'>, type: string, name: string, arity: number) {
  const method = a.lookup.staticMethod(type, name, arity)
  if (method !== undefined) return { kind: 'static' as const, method }
  const virtual = arity === 0 ? undefined : a.lookup.method(type, name, arity - 1)
  return virtual === undefined ? undefined : { kind: 'virtual' as const, method: virtual, receiver: type }
}

function throwing(error: Error): never {
  throw error
}
