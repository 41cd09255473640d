/** Binds arguments to parameters. */

import { inspect } from '../runtime/dispatch.ts'
import { argumentError, wrongCount } from '../runtime/errors.ts'
import type { Frame } from '../runtime/frame.ts'
import { RHash } from '../runtime/hash.ts'
import { type RProc, RSymbol, symbol, type Value } from '../runtime/model.ts'
import type { Param, Params } from '../syntax/ast.ts'
import { compileSpread, type Store } from './assignments.ts'
import type { Compiler } from './compiler.ts'
import type { Op } from './scope.ts'

export interface CompiledParams {
  readonly bind: (frame: Frame, args: Value[], block: RProc | null) => void
  /** The number of parameters if all are plain names, whose binding is a plain copy. */
  readonly plain: number | undefined
}

/** `isStrict` for methods and lambdas, which check the number of arguments. */
export function compileParams(compiler: Compiler, params: Params, isStrict: boolean): CompiledParams {
  const { required, optional, rest, post, keywords, keywordRest, block } = params
  const { scope } = compiler
  const isPlain =
    optional.length === 0 &&
    rest === undefined &&
    post.length === 0 &&
    keywords.length === 0 &&
    keywordRest === undefined &&
    block === undefined &&
    required.every((param) => typeof param === 'string')
  if (isPlain) {
    for (const name of required) scope.names.set(name as string, scope.names.size)
    for (const name of params.locals) scope.names.set(name, scope.names.size)
    const count = required.length
    // A name that occurs twice (`_`) has a single slot.
    if (scope.names.size === count + params.locals.length) {
      return {
        plain: count,
        bind: isStrict
          ? (frame, args) => bindExactly(frame, args, count)
          : (frame, args) => bindLoosely(frame, args, count),
      }
    }
  }
  const head = required.map((param) => storeOf(compiler, param))
  const options = optional.map(({ name, value }) => ({ store: storeOf(compiler, name), value: compiler.expr(value) }))
  const restStore = rest === undefined || rest === '' ? undefined : storeOf(compiler, rest)
  const tail = post.map((param) => storeOf(compiler, param))
  const named = keywords.map(({ name, value }) => ({
    name,
    store: storeOf(compiler, name),
    value: value === undefined ? undefined : compiler.expr(value),
  }))
  const namedRest = keywordRest === undefined || keywordRest === '' ? undefined : storeOf(compiler, keywordRest)
  const blockStore = block === undefined || block === '' ? undefined : storeOf(compiler, block)
  for (const name of params.locals) scope.names.set(name, scope.names.size)
  const least = head.length + tail.length
  const most = rest === undefined ? least + options.length : Number.POSITIVE_INFINITY
  const takesKeywords = named.length > 0 || keywordRest !== undefined
  return {
    plain: undefined,
    bind: (frame, given, blockArg) => {
      let args = given
      let keywordArgs: RHash | undefined
      const last = args[args.length - 1]
      if (last instanceof RHash && last.isKeywords) {
        if (takesKeywords) {
          keywordArgs = last
          args = args.slice(0, -1)
        } else last.isKeywords = false
      }
      if (isStrict && (args.length < least || args.length > most)) throw wrongCount(args.length, least, most)
      let at = 0
      for (const store of head) store(frame, args[at++] ?? null)
      const spare = Math.max(0, args.length - least)
      for (let i = 0; i < options.length; i++) {
        const { store, value } = options[i]!
        store(frame, i < spare ? args[at++]! : value(frame))
      }
      if (rest !== undefined) {
        const end = Math.max(at, args.length - tail.length)
        restStore?.(frame, args.slice(at, end))
        at = end
      }
      for (const store of tail) store(frame, args[at++] ?? null)
      if (takesKeywords) bindKeywords(frame, keywordArgs, named, namedRest, isStrict && keywordRest === undefined)
      blockStore?.(frame, blockArg)
    },
  }
}

interface Keyword {
  readonly name: string
  readonly store: Store
  readonly value: Op | undefined
}

function bindKeywords(
  frame: Frame,
  given: RHash | undefined,
  named: readonly Keyword[],
  rest: Store | undefined,
  isClosed: boolean,
): void {
  const missing: string[] = []
  const taken = new Set<string>()
  for (const { name, store, value } of named) {
    const found = given?.get(symbol(name))
    taken.add(name)
    if (found !== undefined) store(frame, found)
    else if (value !== undefined) store(frame, value(frame))
    else missing.push(`:${name}`)
  }
  if (missing.length > 0) throw argumentError(`missing keyword${missing.length > 1 ? 's' : ''}: ${missing.join(', ')}`)
  const others = given?.list().filter(({ key }) => !(key instanceof RSymbol && taken.has(key.name))) ?? []
  if (rest !== undefined) {
    const hash = new RHash()
    for (const { key, value } of others) hash.set(key, value)
    rest(frame, hash)
  } else if (isClosed && others.length > 0) {
    throw argumentError(
      `unknown keyword${others.length > 1 ? 's' : ''}: ${others.map(({ key }) => inspect(key)).join(', ')}`,
    )
  }
}

function bindExactly(frame: Frame, args: Value[], count: number): void {
  const { length } = args
  if (length !== count) throw wrongCount(length, count, count)
  for (let i = 0; i < count; i++) frame.vars[i] = plainArgument(args[i]!)
}

function bindLoosely(frame: Frame, args: Value[], count: number): void {
  for (let i = 0; i < count && i < args.length; i++) frame.vars[i] = plainArgument(args[i]!)
}

function plainArgument(value: Value): Value {
  if (value instanceof RHash) value.isKeywords = false
  return value
}

function storeOf(compiler: Compiler, param: Param): Store {
  if (typeof param !== 'string') {
    declareAll(compiler, param)
    return compileSpread(compiler, param)
  }
  const { scope } = compiler
  let index = scope.names.get(param)
  if (index === undefined) {
    index = scope.names.size
    scope.names.set(param, index)
  }
  const place = index
  return (frame, value) => {
    frame.vars[place] = value
  }
}

/** The names of a pattern are new variables, even if enclosing code has the same names. */
function declareAll(compiler: Compiler, param: Exclude<Param, string>): void {
  for (const item of [...param.before, ...(param.splat ? [param.splat] : []), ...param.after]) {
    if (item.type === 'mlhs') declareAll(compiler, item)
    else if (item.type === 'lvar') compiler.scope.declare(item.name)
  }
}

export function arityOf({ required, optional, rest, post, keywords }: Params, isStrict: boolean): number {
  const needed = required.length + post.length
  const needsKeywords = keywords.some(({ value }) => value === undefined)
  if (rest !== undefined || (isStrict && optional.length > 0)) return -needed - 1
  if (optional.length > 0) return -needed - 1
  return needsKeywords && isStrict ? needed + 1 : needed
}

export function parameterList(params: Params, isStrict: boolean): [string, string][] {
  const nameOf = (param: Param) => (typeof param === 'string' ? param : '')
  return [
    ...params.required.map((param): [string, string] => [isStrict ? 'req' : 'opt', nameOf(param)]),
    ...params.optional.map(({ name }): [string, string] => ['opt', name]),
    ...(params.rest === undefined ? [] : [['rest', params.rest] as [string, string]]),
    ...params.post.map((param): [string, string] => [isStrict ? 'req' : 'opt', nameOf(param)]),
    ...params.keywords.map(({ name, value }): [string, string] => [value === undefined ? 'keyreq' : 'key', name]),
    ...(params.keywordRest === undefined ? [] : [['keyrest', params.keywordRest] as [string, string]]),
    ...(params.block === undefined ? [] : [['block', params.block] as [string, string]]),
  ]
}
