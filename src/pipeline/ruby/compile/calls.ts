/** Method calls. Every call site caches the method of the class that it saw last. */

import { classOf, HashClass } from '../runtime/classes.ts'
import { splat } from '../runtime/convert.ts'
import { hiddenMethod, missing, respondsTo, send } from '../runtime/dispatch.ts'
import { BreakJump, raise, typeError, wrongCount } from '../runtime/errors.ts'
import type { Frame } from '../runtime/frame.ts'
import { RHash } from '../runtime/hash.ts'
import { meter, step } from '../runtime/limits.ts'
import {
  methodTables,
  type RClass,
  RFloat,
  type RMethod,
  RObject,
  RProc,
  RSymbol,
  type Value,
} from '../runtime/model.ts'
import { current } from '../runtime/regexp.ts'
import { RString, str } from '../runtime/string.ts'
import type { CallNode, Node, Params } from '../syntax/ast.ts'
import { regexNames } from '../syntax/regex-names.ts'
import type { Compiler } from './compiler.ts'
import { rejectExcluded } from './excluded.ts'
import { OPERATORS } from './operators.ts'
import type { Op } from './scope.ts'

export type Site = (frame: Frame, self: Value, args: Value[], block: RProc | null) => Value

/** A call site. `isOwn` for calls without a receiver or on self, which may be private. */
export function callSite(name: string, line: number, isOwn: boolean, isVariable = false): Site {
  const forwards = FORWARDING.has(name)
  let knownClass: RClass | undefined
  let known: RMethod | undefined
  let version = -1
  return (frame, self, args, block) => {
    const cls = classOf(self)
    if (cls !== knownClass || version !== methodTables.version) {
      known = cls.find(name)
      knownClass = cls
      version = methodTables.version
    }
    const method = known
    meter.line = line
    if (method === undefined) return missing(self, name, args, block, isVariable)
    if (!isOwn && method.visibility !== 'public') checkVisible(frame, self, method)
    if (--meter.steps < 0) {
      meter.steps++
      step()
    }
    if (!method.isNative) return method.call(self, args, block)
    if (args.length < method.min || args.length > method.max) throw wrongCount(args.length, method.min, method.max)
    current.activation = frame.activation
    if (args.length > 0 && !forwards) plainHash(args[args.length - 1]!)
    return method.call(self, args, block)
  }
}

/** Methods that pass their arguments on to code, including keywords. */
const FORWARDING = new Set([
  'new',
  'send',
  '__send__',
  'public_send',
  'call',
  '()',
  'yield',
  'instance_exec',
  'class_exec',
  'module_exec',
  'exception',
])

/** Built-in methods receive keywords as an ordinary hash. */
function plainHash(value: Value): void {
  if (value instanceof RHash) value.isKeywords = false
}

function checkVisible(frame: Frame, self: Value, method: RMethod): void {
  if (method.visibility === 'protected' && classOf(frame.self).isSubclassOf(method.owner)) return
  throw hiddenMethod(self, method)
}

/** A binary operator with a fast path for numbers. */
export function operatorSite(op: string, line: number): (frame: Frame, left: Value, right: Value) => Value {
  const site = callSite(op, line, false)
  const quick = OPERATORS[op]
  if (quick === undefined) return (frame, left, right) => site(frame, left, [right], null)
  return (frame, left, right) => {
    const result = quick(left, right)
    return result === undefined ? site(frame, left, [right], null) : result
  }
}

/** The arguments of a call as an array. */
export function compileArguments(compiler: Compiler, args: readonly Node[]): (frame: Frame) => Value[] {
  if (args.some((arg) => arg.type === 'splat')) {
    const parts = args.map((arg) => ({
      isSplat: arg.type === 'splat',
      op: compiler.expr(arg.type === 'splat' ? arg.value : arg),
    }))
    return (frame) => {
      const list: Value[] = []
      for (const { isSplat, op } of parts) {
        const value = op(frame)
        if (isSplat) list.push(...splat(value))
        else if (!(value instanceof RHash && value.isKeywords && value.size === 0)) list.push(value)
      }
      return list
    }
  }
  const ops = args.map((arg) => compiler.expr(arg))
  const last = args[args.length - 1]
  if (last?.type === 'hash' && last.pairs.every(({ key }) => key === undefined)) {
    return (frame) => {
      const list = ops.map((op) => op(frame))
      const keywords = list[list.length - 1]
      if (keywords instanceof RHash && keywords.isKeywords && keywords.size === 0) list.pop()
      return list
    }
  }
  if (ops.length === 0) return () => []
  if (ops.length === 1) {
    const only = ops[0]!
    return (frame) => [only(frame)]
  }
  if (ops.length === 2) {
    const [first, second] = ops as [Op, Op]
    return (frame) => [first(frame), second(frame)]
  }
  return (frame) => ops.map((op) => op(frame))
}

export function compileCall(compiler: Compiler, node: CallNode): Op {
  const { name, line } = node
  rejectExcluded(node)
  const special = compileSpecial(compiler, node)
  if (special !== undefined) return special
  if (
    node.receiver !== undefined &&
    node.args.length === 1 &&
    node.block === undefined &&
    node.blockArg === undefined &&
    !node.isSafe &&
    OPERATORS[name] !== undefined &&
    node.args[0]!.type !== 'splat' &&
    node.args[0]!.type !== 'hash'
  ) {
    const left = compiler.expr(node.receiver)
    const right = compiler.expr(node.args[0]!)
    const site = operatorSite(name, line)
    return (frame) => site(frame, left(frame), right(frame))
  }
  const receiver = node.receiver === undefined ? undefined : compiler.expr(node.receiver)
  const isOwn = receiver === undefined || node.receiver!.type === 'self'
  const args = compileArguments(compiler, node.args)
  const site = callSite(name, line, isOwn, node.isBare)
  if (node.block === undefined && node.blockArg === undefined) {
    if (receiver === undefined) return (frame) => site(frame, frame.self, args(frame), null)
    if (node.isSafe) {
      return (frame) => {
        const self = receiver(frame)
        return self === null ? null : site(frame, self, args(frame), null)
      }
    }
    if (node.args.length === 0) return (frame) => site(frame, receiver(frame), [], null)
    return (frame) => site(frame, receiver(frame), args(frame), null)
  }
  const block = compileBlockOf(compiler, node)
  if (!block.hasBreak) {
    return (frame) => {
      const self = receiver === undefined ? frame.self : receiver(frame)
      if (node.isSafe && self === null) return null
      const list = args(frame)
      return site(frame, self, list, block.make(frame))
    }
  }
  return (frame) => {
    const self = receiver === undefined ? frame.self : receiver(frame)
    if (node.isSafe && self === null) return null
    const list = args(frame)
    const proc = block.make(frame)
    try {
      return site(frame, self, list, proc)
    } catch (error) {
      if (error instanceof BreakJump && proc !== null && error.tag === proc.tag) return error.value
      throw error
    }
  }
}

/** The block of a call: a literal block, or one passed with `&`. */
export function compileBlockOf(
  compiler: Compiler,
  node: { readonly block: CallNode['block']; readonly blockArg: Node | undefined },
): { make: (frame: Frame) => RProc | null; hasBreak: boolean } {
  if (node.block !== undefined) return compiler.block(node.block)
  const value = compiler.expr(node.blockArg!)
  return { make: (frame) => toBlock(value(frame)), hasBreak: false }
}

export function toBlock(value: Value): RProc | null {
  if (value === null || value instanceof RProc) return value
  if (value instanceof RSymbol) return (value.proc ??= symbolProc(value.name))
  if (respondsTo(value, 'to_proc')) {
    const made = send(value, 'to_proc')
    if (made instanceof RProc) return made
  }
  throw typeError('wrong argument type (expected Proc)')
}

function symbolProc(name: string): RProc {
  const site = callSite(name, 0, false)
  const frame = { activation: null, self: null } as unknown as Frame
  const proc = new RProc((args, block) => {
    if (args.length === 0) throw raise('ArgumentError', 'no receiver given')
    return within(frame, () => site(frame, args[0]!, args.slice(1), block))
  })
  proc.call1 = (arg) => within(frame, () => site(frame, arg, [], null))
  proc.isLambda = true
  proc.arity = -2
  return proc
}

/** The block of a symbol runs in the current method. */
function within(frame: Frame, run: () => Value): Value {
  ;(frame as { activation: Frame['activation'] }).activation = current.activation
  const { line } = meter
  const result = run()
  meter.line = line
  return result
}

/** Calls that need the frame, or that create variables. */
function compileSpecial(compiler: Compiler, node: CallNode): Op | undefined {
  const { name } = node
  if (node.receiver === undefined) {
    if (name === 'block_given?' && node.args.length === 0) return (frame) => frame.activation.block !== null
    if (name === '__method__') {
      return ({ activation: { method } }) => (method === null ? null : send(str(method.name), 'to_sym'))
    }
    if (
      (name === 'proc' || name === 'lambda') &&
      node.block === undefined &&
      node.blockArg === undefined &&
      node.args.length === 0
    )
      return () => {
        throw raise('ArgumentError', 'tried to create Proc object without a block')
      }
    return undefined
  }
  if (name === '=~' && regexNames(node.receiver).length > 0) return compileNamedMatch(compiler, node)
  if (name === 'nil?' && node.args.length === 0 && !node.isSafe) return compileNilTest(compiler, node)
  const [first] = node.args
  if (name === '==' && first?.type === 'str' && node.args.length === 1 && !node.isSafe)
    return compileTextTest(compiler, node, first.value)
  return undefined
}

/** `x.nil?`, without a method lookup if no code has defined it. */
function compileNilTest(compiler: Compiler, node: CallNode): Op {
  const receiver = compiler.expr(node.receiver!)
  const site = callSite('nil?', node.line, node.receiver!.type === 'self')
  return (frame) => {
    const value = receiver(frame)
    if (value instanceof RObject || methodTables.hasOwnTests) return site(frame, value, [], null)
    return value === null
  }
}

/** `x == 'text'`, without allocating the string each time if no code has defined `==`. */
function compileTextTest(compiler: Compiler, node: CallNode, text: string): Op {
  const receiver = compiler.expr(node.receiver!)
  const site = callSite('==', node.line, false)
  return (frame) => {
    const value = receiver(frame)
    if (methodTables.hasOwnTests) return site(frame, value, [str(text)], null)
    if (value instanceof RString && value.encoding === 'UTF-8') return value.text === text
    if (value === null || typeof value === 'number' || Array.isArray(value) || value instanceof RFloat) return false
    if (value instanceof RHash && value.cls === HashClass) return false
    return site(frame, value, [str(text)], null)
  }
}

/** `/(?<year>\d+)/ =~ text` sets the variable `year`. */
function compileNamedMatch(compiler: Compiler, node: CallNode): Op {
  const regexp = compiler.expr(node.receiver!)
  const text = compiler.expr(node.args[0]!)
  const stores = regexNames(node.receiver!).map((name) => ({
    name,
    store: compiler.store({ type: 'lvar', name, line: node.line }),
  }))
  const site = callSite('=~', node.line, false)
  return (frame) => {
    const result = site(frame, regexp(frame), [text(frame)], null)
    const { match } = frame.activation
    for (const { name, store } of stores) {
      const found = result === null ? undefined : match?.named(name)
      store(frame, found === undefined || found === null ? null : str(found))
    }
    return result
  }
}

export function compileYield(compiler: Compiler, args: readonly Node[], line: number): Op {
  const list = compileArguments(compiler, args)
  if (args.length === 1 && args[0]!.type !== 'splat' && args[0]!.type !== 'hash') {
    const only = compiler.expr(args[0]!)
    return (frame) => {
      const { block } = frame.activation
      if (block === null) throw noBlock(line)
      step()
      const value = only(frame)
      return block.call1 !== undefined ? block.call1(value) : block.call([value], null)
    }
  }
  return (frame) => {
    const { block } = frame.activation
    if (block === null) throw noBlock(line)
    step()
    return block.call(list(frame), null)
  }
}

function noBlock(line: number): Error {
  meter.line = line
  return raise('LocalJumpError', 'no block given (yield)')
}

export function compileSuper(compiler: Compiler, node: Extract<Node, { type: 'super' }>): Op {
  const args = compileArguments(compiler, node.args ?? ownArguments(compiler, node.line))
  const block = node.block === undefined && node.blockArg === undefined ? undefined : compileBlockOf(compiler, node)
  return (frame) => {
    const { method, block: givenBlock } = frame.activation
    if (method === null) throw raise('RuntimeError', 'super called outside of method')
    const found = classOf(frame.self).findAfter(method.owner, method.name)
    const list = args(frame)
    const proc = block === undefined ? givenBlock : block.make(frame)
    if (found === undefined) throw raise('NoMethodError', `super: no superclass method \`${method.name}'`)
    step()
    current.activation = frame.activation
    if (found.isNative && (list.length < found.min || list.length > found.max))
      throw wrongCount(list.length, found.min, found.max)
    return found.call(frame.self, list, proc)
  }
}

/** The arguments of `super` without parentheses: the current values of the method's parameters. */
function ownArguments(compiler: Compiler, line: number): Node[] {
  const params = compiler.scope.home.params
  if (params === undefined) return []
  const local = (name: string): Node => ({ type: 'lvar', name, line })
  const named = (list: Params['required']) => list.flatMap((param) => (typeof param === 'string' ? [local(param)] : []))
  const pairs = params.keywords.map(({ name }) => ({ key: { type: 'sym', name, line } as Node, value: local(name) }))
  const rest =
    params.keywordRest === undefined || params.keywordRest === ''
      ? []
      : [{ key: undefined, value: local(params.keywordRest) }]
  return [
    ...named(params.required),
    ...params.optional.map(({ name }) => local(name)),
    ...(params.rest === undefined || params.rest === ''
      ? []
      : [{ type: 'splat' as const, value: local(params.rest), line }]),
    ...named(params.post),
    ...(pairs.length + rest.length === 0
      ? []
      : [{ type: 'hash' as const, pairs: [...pairs, ...rest], isBraced: false, line }]),
  ]
}
