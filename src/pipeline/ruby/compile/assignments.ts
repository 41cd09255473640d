/** Assignments to variables, attributes, indexes and lists of targets. */
import { nameOf } from '../runtime/classes.ts'
import { splat } from '../runtime/convert.ts'
import { described, inspect, respondsTo, send, truthy } from '../runtime/dispatch.ts'
import { raise, typeError } from '../runtime/errors.ts'
import type { Frame } from '../runtime/frame.ts'
import { globals } from '../runtime/globals.ts'
import { variablesOf } from '../runtime/instance-variables.ts'
import { RClass, RObject, type Value } from '../runtime/model.ts'
import { RMatch } from '../runtime/regexp.ts'
import { RString } from '../runtime/string.ts'
import type { CallNode, MultipleTarget, Node } from '../syntax/ast.ts'
import { callSite, compileArguments, operatorSite } from './calls.ts'
import type { Compiler } from './compiler.ts'
import { compileDefined } from './defined.ts'
import { compileArray } from './literals.ts'
import type { Op } from './scope.ts'
import { frameAt, setConstant } from './variables.ts'

/** Stores a value. */
export type Store = (frame: Frame, value: Value) => void

/** A variable exists before its value is computed: the lambda in `f = ->(n) { f.call(n - 1) }` refers to itself. */
export function compileAssignment(compiler: Compiler, target: Node, valueNode: Node): Op {
  const store = compileStore(compiler, target)
  const value = compiler.expr(valueNode)
  if (target.type === 'lvar') {
    const { depth, index } = compiler.scope.findOrDeclare(target.name)
    if (depth === 0) return (frame) => (frame.vars[index] = value(frame))
    if (depth === 1) return (frame) => (frame.outer!.vars[index] = value(frame))
  }
  return (frame) => {
    const result = value(frame)
    store(frame, result)
    return result
  }
}

export function compileStore(compiler: Compiler, target: Node): Store {
  switch (target.type) {
    case 'lvar': {
      const { depth, index } = compiler.scope.findOrDeclare(target.name)
      return (frame, value) => {
        frameAt(frame, depth).vars[index] = value
      }
    }
    case 'ivar':
      return (frame, value) => setInstanceVariable(frame.self, target.name, value)
    case 'gvar':
      return (frame, value) => {
        if (target.name === '$~') frame.activation.match = value instanceof RMatch ? value : null
        else globals.set(target.name, value)
      }
    case 'cvar':
      return (frame, value) => setClassVariable(frame.lexical.module, target.name, value)
    case 'const':
      return storeConstant(compiler, target)
    case 'call':
      return storeAttribute(compiler, target)
    case 'mlhs':
      return compileSpread(compiler, target)
    case 'splat':
      return compileStore(compiler, target.value)
    default:
      throw typeError('this cannot be assigned to')
  }
}

export function setInstanceVariable(self: Value, name: string, value: Value): void {
  const variables = variablesOf(self)
  if (variables === undefined)
    throw raise('FrozenError', `can't modify frozen ${described(self).replace(/^.*:/, '')}: ${inspect(self)}`)
  if (self instanceof RObject && self.frozen)
    throw raise('FrozenError', `can't modify frozen ${nameOf(self.cls.real)}: ${inspect(self)}`)
  variables.set(name, value)
}

export function setClassVariable(module: RClass, name: string, value: Value): void {
  for (let cls: RClass | null = module; cls !== null; cls = cls.superclass) {
    if (cls.classVariables.has(name)) {
      cls.classVariables.set(name, value)
      return
    }
  }
  module.classVariables.set(name, value)
}

function storeConstant(compiler: Compiler, target: Extract<Node, { type: 'const' }>): Store {
  const { name, scope } = target
  if (scope === undefined || scope === 'top') return (frame, value) => setConstant(frame.lexical.module, name, value)
  const owner = compiler.expr(scope)
  return (frame, value) => {
    const module = owner(frame)
    if (!(module instanceof RClass)) throw typeError(`${inspect(module)} is not a class/module`)
    setConstant(module, name, value)
  }
}

function storeAttribute(compiler: Compiler, target: CallNode): Store {
  const receiver = compiler.expr(target.receiver!)
  const args = compileArguments(compiler, target.args)
  const site = callSite(target.name === '[]' ? '[]=' : `${target.name}=`, target.line, target.receiver!.type === 'self')
  return (frame, value) => {
    const self = receiver(frame)
    if (self === null && target.isSafe) return
    site(frame, self, [...args(frame), value], null)
  }
}

/** `a, *b, c = …` */
export function compileMultiple(compiler: Compiler, target: MultipleTarget, value: Node): Op {
  const store = compileSpread(compiler, target)
  const source = value.type === 'array' ? compileArray(compiler, value.items) : compiler.expr(value)
  return (frame) => {
    const result = source(frame)
    store(frame, result)
    return result
  }
}

export function compileSpread(compiler: Compiler, { before, splat: rest, after }: MultipleTarget): Store {
  const head = before.map((item) => compileStore(compiler, item))
  const tail = after.map((item) => compileStore(compiler, item))
  const middle = rest === undefined || rest === null ? undefined : compileStore(compiler, rest)
  return (frame, value) => {
    const list = spreadList(value)
    for (let i = 0; i < head.length; i++) head[i]!(frame, list[i] ?? null)
    const tailStart = Math.max(head.length, list.length - tail.length)
    if (middle !== undefined) middle(frame, list.slice(head.length, tailStart))
    for (let i = 0; i < tail.length; i++) tail[i]!(frame, list[tailStart + i] ?? null)
  }
}

/** The values that a list of targets destructures: an array, or a single value. */
export function spreadList(value: Value): Value[] {
  if (Array.isArray(value)) return value
  if (value !== null && typeof value === 'object' && !(value instanceof RString) && respondsTo(value, 'to_ary'))
    return splat(send(value, 'to_ary'))
  return [value]
}

/** `a += 1`, `a ||= 1`: receiver and index of the target are evaluated once. */
export function compileOperatorAssignment(compiler: Compiler, target: Node, op: string, valueNode: Node): Op {
  if (target.type === 'call') return attributeOperation(compiler, target, op, valueNode)
  const read = readOf(compiler, target, op)
  const value = compiler.expr(valueNode)
  const store = compileStore(compiler, target)
  const combined = combine(op, read, value, target.line)
  return (frame) => {
    const before = read(frame)
    if (op === '||' && truthy(before)) return before
    if (op === '&&' && !truthy(before)) return before
    const result = combined(frame, before)
    store(frame, result)
    return result
  }
}

function readOf(compiler: Compiler, target: Node, op: string): Op {
  if (op === '||' && (target.type === 'const' || target.type === 'cvar')) {
    const isDefined = compileDefined(compiler, target)
    const read = compiler.expr(target)
    return (frame) => (isDefined(frame) === null ? null : read(frame))
  }
  if (target.type === 'lvar') compiler.scope.findOrDeclare(target.name)
  return compiler.expr(target)
}

function combine(op: string, _read: Op, value: Op, line: number): (frame: Frame, before: Value) => Value {
  if (op === '||' || op === '&&') return (frame) => value(frame)
  const site = operatorSite(op, line)
  return (frame, before) => site(frame, before, value(frame))
}

function attributeOperation(compiler: Compiler, target: CallNode, op: string, valueNode: Node): Op {
  const receiver = compiler.expr(target.receiver!)
  const args = compileArguments(compiler, target.args)
  const isSelf = target.receiver!.type === 'self'
  const reader = callSite(target.name, target.line, isSelf)
  const writer = callSite(target.name === '[]' ? '[]=' : `${target.name}=`, target.line, isSelf)
  const combined = combine(op, () => null, compiler.expr(valueNode), target.line)
  return (frame) => {
    const self = receiver(frame)
    if (self === null && target.isSafe) return null
    const list = args(frame)
    const before = reader(frame, self, [...list], null)
    if (op === '||' && truthy(before)) return before
    if (op === '&&' && !truthy(before)) return before
    const result = combined(frame, before)
    writer(frame, self, [...list, result], null)
    return result
  }
}
