/** Creates objects of functional interfaces from lambdas and function references. */
import type { FunctionRefIr } from '../../analysis/ir.ts'
import { staticOrVirtual } from '../../analysis/lambdas.ts'
import type { ApiMethod } from '../../api/api-lines.ts'
import type { Lookup } from '../../api/lookup.ts'
import { illegalArgument, nullPointer } from '../../errors/java-throwable.ts'
import { newArray } from '../arrays.ts'
import { toDef } from '../boxing.ts'
import { listedClassOf } from '../class-of.ts'
import { adapt, asParameter } from '../def/def-convert.ts'
import { invoke } from '../invoke.ts'
import { JArray, type JFunction } from '../java-object.ts'
import { constructorOf, type Implementation, staticMethod } from '../registry.ts'
import { Deferred } from './deferred.ts'
import { functionObject } from './function-object.ts'

/** A lambda of a known interface. Its function already has the interface's representation. */
export const lambda = (name: string, call: Implementation): JFunction => functionObject(name, call)

function interfaceMethod(type: string, what: string, lookup: Lookup): ApiMethod {
  const method = lookup.functionalMethod(type)
  if (method === undefined)
    throw illegalArgument(`cannot convert function reference [${what}] to a non-functional interface [${type}]`)
  return method
}

class DeferredLambda extends Deferred {
  readonly #call: Implementation
  readonly #arity: number

  constructor(call: Implementation, arity: number) {
    super()
    this.#call = call
    this.#arity = arity
  }

  bind(type: string, lookup: Lookup): JFunction {
    const name = 'this::lambda$synthetic$0'
    const method = interfaceMethod(type, name, lookup)
    if (method.params.length !== this.#arity)
      throw illegalArgument(
        `function reference [${name}/${method.params.length}] matching [${type}, ${method.name}/${method.params.length}] not found due to an incorrect number of arguments`,
      )
    const call = this.#call
    return functionObject(type, (...args: unknown[]) =>
      adapt(call(...args.map((arg, i) => toDef(arg, method.params[i]!))), 'def', method.returns, lookup),
    )
  }
}

export const deferredLambda = (call: Implementation, arity: number): Deferred => new DeferredLambda(call, arity)

interface Signature {
  params: readonly string[]
  returns: string
}

/** A reference to a function of the script. */
export function userReference(type: string, method: ApiMethod, call: Implementation, own: Signature, lookup?: Lookup) {
  return functionObject(type, (...args: unknown[]) => {
    const values = args.map((arg, i) => adapt(arg, method.params[i]!, own.params[i]!, lookup!))
    return adapt(call(...values), own.returns, method.returns, lookup!)
  })
}

type UserFunctions = Record<string, { call: Implementation; signature: Signature } | undefined>

class DeferredUserReference extends Deferred {
  readonly #name: string
  readonly #functions: UserFunctions

  constructor(name: string, functions: UserFunctions) {
    super()
    this.#name = name
    this.#functions = functions
  }

  bind(type: string, lookup: Lookup): JFunction {
    const method = interfaceMethod(type, `this::${this.#name}`, lookup)
    const own = this.#functions[`${this.#name}/${method.params.length}`]
    if (own === undefined) throw notFound('this', this.#name, type, method)
    return userReference(type, method, own.call, own.signature, lookup)
  }
}

export const deferredUserReference = (name: string, functions: UserFunctions): Deferred =>
  new DeferredUserReference(name, functions)

const notFound = (owner: string, name: string, type: string, method: ApiMethod) =>
  illegalArgument(
    `function reference [${owner}::${name}/${method.params.length}] matching [${type}, ${method.name}/${method.params.length}] not found`,
  )

type Callee = Exclude<FunctionRefIr['callee'], { kind: 'user' | 'bound' } | undefined>

/** A function that calls the target of a reference with the arguments of the interface's method. */
function referenceCall(callee: Callee, method: ApiMethod, lookup: Lookup): Implementation {
  if (callee.kind === 'array')
    return (size: unknown) =>
      newArray(callee.type, [asParameter(toDef(size, method.params[0]!), 'int', lookup) as number])
  const target = callee.method
  if (callee.kind === 'virtual') {
    const key = `${target.name}_${target.params.length}`
    return (self: unknown, ...args: unknown[]) => {
      const receiver = adapt(self, method.params[0]!, callee.receiver, lookup)
      if (receiver === null) throw nullPointer()
      const values = args.map((arg, i) => adapt(arg, method.params[i + 1]!, target.params[i]!, lookup))
      return adapt(invoke(receiver, key, values), target.returns, method.returns, lookup)
    }
  }
  const implementation =
    callee.kind === 'static'
      ? staticMethod(target.owner, target.name, target.params.length)
      : constructorOf(target.owner, target.params.length)
  if (implementation === undefined)
    throw illegalArgument(`[${target.owner}.${target.name}/${target.params.length}] is not supported`)
  return (...args: unknown[]) => {
    const values = args.map((arg, i) => adapt(arg, method.params[i]!, target.params[i]!, lookup))
    return adapt(implementation(...values), target.returns, method.returns, lookup)
  }
}

class DeferredReference extends Deferred {
  readonly #typeName: string
  readonly #name: string

  constructor(typeName: string, name: string) {
    super()
    this.#typeName = typeName
    this.#name = name
  }

  bind(type: string, lookup: Lookup): JFunction {
    const typeName = this.#typeName
    const name = this.#name
    const method = interfaceMethod(type, `${typeName}::${name}`, lookup)
    const owner = lookup.type(typeName)!
    const arity = method.params.length
    let callee: Callee | undefined
    if (name === 'new') {
      const creator = lookup.constructorOf(owner, arity)
      if (owner.endsWith('[]')) callee = { kind: 'array', type: owner }
      else if (creator !== undefined) callee = { kind: 'constructor', method: creator }
    } else callee = staticOrVirtual({ lookup }, owner, name, arity)
    if (callee === undefined) throw notFound(typeName, name, type, method)
    return functionObject(type, referenceCall(callee, method, lookup))
  }
}

/** `Type::name` or `Type::new`. */
export function reference(ref: FunctionRefIr, lookup: Lookup): JFunction | Deferred {
  if (ref.target === undefined) return new DeferredReference(ref.typeName, ref.name)
  return functionObject(ref.target, referenceCall(ref.callee as Callee, ref.interfaceMethod!, lookup))
}

class DeferredBound extends Deferred {
  readonly #value: unknown
  readonly #name: string

  constructor(value: unknown, name: string) {
    super()
    this.#value = value
    this.#name = name
  }

  bind(type: string, lookup: Lookup): JFunction {
    const name = this.#name
    const method = interfaceMethod(type, name, lookup)
    const value = this.#value
    if (value === null) throw nullPointer()
    const owner = value instanceof JArray ? 'java.lang.Object' : listedClassOf(value)
    const target = lookup.method(owner, name, method.params.length)
    if (target === undefined) throw notFound(owner, name, type, method)
    const key = `${name}_${target.params.length}`
    return functionObject(type, (...args: unknown[]) => {
      const values = args.map((arg, i) => adapt(arg, method.params[i]!, target.params[i]!, lookup))
      return adapt(invoke(value, key, values), target.returns, method.returns, lookup)
    })
  }
}

/** `variable::name`. */
export function boundReference(ref: FunctionRefIr, value: unknown, lookup: Lookup): JFunction | Deferred {
  const bound = new DeferredBound(value, ref.name)
  return ref.target === undefined ? bound : bound.bind(ref.target, lookup)
}
