/** Analyses names, member access, calls and object creation. */

import { isPrimitive } from '../api/lookup.ts'
import { numberFormat } from '../errors/java-throwable.ts'
import type { Expression } from '../parser/tree.ts'
import { type AnalyzerBase, checkUse, fail, type Prefix, READ, type Use } from './analyzer-base.ts'
import { boxOf } from './casts.ts'
import type { Ir, Place, Placeholder } from './ir.ts'
import type { Scope } from './scope.ts'

type Node<K extends Expression['kind']> = Extract<Expression, { kind: K }>

export function analyzeSymbol(a: AnalyzerBase, node: Node<'symbol'>, scope: Scope, use: Use): Prefix {
  const { name, at } = node
  const variable = scope.find(name)
  if (variable !== undefined) {
    if (!use.read && use.write !== true) throw fail(at, `not a statement: variable [${name}] not used`)
    if (use.write === true && variable.readOnly && variable.context !== true)
      throw fail(at, `Variable [${name}] is read-only.`)
    return { value: { op: 'local', variable, type: variable.type, at } }
  }
  const type = a.lookup.type(name)
  return type === undefined ? { partial: name, at } : asStatic(type, use, at)
}

function asStatic(type: string, use: Use, at: number): Prefix {
  if (use.write === true) throw fail(at, `invalid assignment: cannot write a value to a static type [${type}]`)
  if (!use.read) throw fail(at, `not a statement: static type [${type}] not used`)
  return { static: type, at }
}

export function analyzeDot(a: AnalyzerBase, node: Node<'dot'>, scope: Scope, use: Use): Prefix {
  const { at, name } = node
  if (!use.read && use.write !== true) throw fail(at, 'not a statement: result of dot operator [.] not used')
  const prefix = a.prefix(node.target, scope, READ)
  if ('partial' in prefix) {
    const full = `${prefix.partial}.${name}`
    const type = a.lookup.type(full)
    return type === undefined ? { partial: full, at } : asStatic(type, use, at)
  }
  if ('static' in prefix) return analyzeStaticDot(a, prefix.static, node, use)
  if (node.nullSafe && use.write === true)
    throw fail(at, 'invalid assignment: cannot assign a value to a null safe operation [?.]')
  return { value: nullGuarded(node.nullSafe, prefix.value, at, (target) => memberOf(a, target, node, use)) }
}

function analyzeStaticDot(a: AnalyzerBase, type: string, node: Node<'dot'>, use: Use): Prefix {
  const { at, name } = node
  const inner = a.lookup.type(`${type}.${name}`)
  if (inner !== undefined) return asStatic(inner, use, at)
  const field = a.lookup.field(type, true, name)
  if (field !== undefined) {
    if (use.write === true) throw fail(at, `invalid assignment: cannot assign a value to read-only field [${name}]`)
    return { value: { op: 'staticField', field, type: field.type, at } }
  }
  const getter = a.lookup.getter(type, name, true)
  if (getter === undefined || use.write === true) throw fail(at, `field [${type}, ${name}] not found`)
  return { value: { op: 'staticCall', method: getter, args: [], type: getter.returns, at } }
}

/** `x?.y`: the member is evaluated only if `x` is not null. */
function nullGuarded(nullSafe: boolean, target: Ir, at: number, member: (target: Ir) => Ir): Ir {
  if (!nullSafe) return member(target)
  const placeholder: Placeholder = {}
  const value = member({ op: 'placeholder', holder: placeholder, type: target.type, at: target.at })
  if (isPrimitive(value.type)) {
    const error = fail(at, 'Result of null safe operator must be nullable')
    error.offset = undefined
    throw error
  }
  return { op: 'nullSafe', target, member: value, placeholder, type: value.type, at }
}

function memberOf(a: AnalyzerBase, target: Ir, node: Node<'dot'>, use: Use): Ir {
  const { at, name } = node
  const { type } = target
  if (type.endsWith('[]')) {
    if (name !== 'length') throw fail(at, `Field [${name}] does not exist for type [${type}].`)
    if (use.write === true)
      throw fail(at, 'invalid assignment: cannot assign a value write to read-only field [length] for an array.')
    return { op: 'arrayLength', array: target, type: 'int', at }
  }
  if (type === 'def') return { op: 'defField', target, name, type: 'def', at }
  const boxed = boxOf(type)
  const field = a.lookup.field(boxed, false, name)
  if (field !== undefined) return { op: 'field', target, field, type: field.type, at }
  const getter = a.lookup.getter(boxed, name, false)
  const setter = a.lookup.setter(boxed, name)
  const readable = !use.read || getter !== undefined
  const writable = use.write !== true || setter !== undefined
  if (setter !== undefined && setter.returns !== 'void')
    throw fail(at, `Illegal set shortcut on field [${name}] for type [${type}].`)
  if ((getter !== undefined || setter !== undefined) && readable && writable) {
    const valueType = use.write === true ? setter!.params[0]! : getter!.returns
    return { op: 'accessor', target, getter, setter, type: valueType, at }
  }
  if (a.lookup.isAssignable(boxed, 'java.util.Map')) {
    const key: Ir = { op: 'constant', value: name, type: 'java.lang.String', at }
    return { op: 'mapItem', map: target, key, type: 'def', at }
  }
  if (a.lookup.isAssignable(boxed, 'java.util.List')) {
    if (!/^\d+$/.test(name)) throw fail(at, `invalid list index [${name}]`, numberFormat(`For input string: "${name}"`))
    const index: Ir = { op: 'constant', value: Number(name), type: 'int', at }
    return { op: 'listItem', list: target, index, type: 'def', at }
  }
  throw fail(at, `field [${type}, ${name}] not found`)
}

export function analyzeBrace(a: AnalyzerBase, node: Node<'brace'>, scope: Scope, use: Use): Place {
  const { at } = node
  if (!use.read && use.write !== true) throw fail(at, 'not a statement: result of brace operator not used')
  const target = a.visit(node.target, scope, READ)
  const { type } = target
  if (type.endsWith('[]'))
    return { op: 'element', array: target, index: a.visitAs(node.index, scope, 'int'), type: type.slice(0, -2), at }
  if (type === 'def') return { op: 'defItem', target, index: a.visit(node.index, scope, READ), type: 'def', at }
  if (a.lookup.isAssignable(type, 'java.util.Map'))
    return { op: 'mapItem', map: target, key: a.visitAs(node.index, scope, 'def'), type: 'def', at }
  if (a.lookup.isAssignable(type, 'java.util.List'))
    return { op: 'listItem', list: target, index: a.visitAs(node.index, scope, 'int'), type: 'def', at }
  throw fail(at, `Illegal array access on type [${type}].`)
}

export function analyzeCall(a: AnalyzerBase, node: Node<'call'>, scope: Scope, use: Use): Ir {
  const { at, name, args } = node
  if (use.write === true)
    throw fail(at, `invalid assignment: cannot assign a value to method call [${name}/${args.length}]`)
  const prefix = a.prefix(node.target, scope, READ)
  if ('partial' in prefix) throw fail(at, `cannot resolve symbol [${prefix.partial}]`)
  if ('static' in prefix) {
    const method = a.lookup.staticMethod(prefix.static, name, args.length)
    if (method === undefined) throw fail(at, `static method [${prefix.static}, ${name}/${args.length}] not found`)
    return { op: 'staticCall', method, args: analyzeArguments(a, method.params, args, scope), type: method.returns, at }
  }
  return nullGuarded(node.nullSafe, prefix.value, at, (target) => callOn(a, target, node, scope))
}

function callOn(a: AnalyzerBase, target: Ir, node: Node<'call'>, scope: Scope): Ir {
  const { at, name, args } = node
  if (target.type === 'def') {
    const values = args.map((arg) => a.visit(arg, scope, READ))
    for (const value of values)
      if (value.type === 'void')
        throw fail(value.at, `Argument(s) cannot be of [void] type when calling method [${name}].`)
    return { op: 'defCall', target, name, args: values, nullSafe: false, type: 'def', at }
  }
  const owner = boxOf(target.type)
  const method = a.lookup.method(owner, name, args.length)
  if (method === undefined && a.lookup.hasDynamicMethod(owner, name, args.length)) {
    const values = args.map((arg) => a.visit(arg, scope, READ))
    return { op: 'defCall', target, name, args: values, nullSafe: false, type: 'def', at }
  }
  if (method === undefined) throw fail(at, `member method [${target.type}, ${name}/${args.length}] not found`)
  const values = analyzeArguments(a, method.params, args, scope)
  return { op: 'call', target, method, args: values, nullSafe: false, type: method.returns, at }
}

export function analyzeArguments(a: AnalyzerBase, params: readonly string[], args: Expression[], scope: Scope): Ir[] {
  return args.map((arg, i) => a.visitAs(arg, scope, params[i]!, { internal: true }))
}

export function analyzeNewObject(a: AnalyzerBase, node: Node<'newObject'>, scope: Scope, use: Use): Ir {
  const { at, args } = node
  if (use.write === true)
    throw fail(
      at,
      `invalid assignment: cannot assign a value to new object with constructor [${node.type.name}/${args.length}]`,
    )
  const type = a.resolveType(node.type)
  if (type === undefined) throw fail(at, `Not a type [${node.type.name}].`)
  const creator = a.lookup.constructorOf(type, args.length)
  if (creator === undefined) throw fail(at, `constructor [${type}, <init>/${args.length}] not found`)
  return { op: 'newObject', creator, args: analyzeArguments(a, creator.params, args, scope), type, at }
}

export function analyzeNewArray(a: AnalyzerBase, node: Node<'newArray'>, scope: Scope, use: Use): Ir {
  const { at } = node
  checkUse(use, at, 'new array')
  const type = a.resolveType(node.type)
  if (type === undefined) throw fail(at, `Not a type [${node.type.name}].`)
  const element = node.initializer ? type.slice(0, -2) : 'int'
  const values = node.values.map((value) => a.visitAs(value, scope, element, { internal: true }))
  return { op: 'newArray', values, initializer: node.initializer, type, at }
}

export function analyzeCallLocal(a: AnalyzerBase, node: Node<'callLocal'>, scope: Scope, use: Use): Ir {
  const { at, name, args } = node
  if (use.write === true)
    throw fail(at, `invalid assignment: cannot assign a value to function call [${name}/${args.length}]`)
  const own = a.functions.get(`${name}/${args.length}`)
  if (own !== undefined) {
    const types = own.params.map((p) => p.type)
    return { op: 'functionCall', function: own, args: analyzeArguments(a, types, args, scope), type: own.returns, at }
  }
  if (name === '$') return analyzeFieldShortcut(a, node, scope)
  const fn = a.context.functions.find((f) => f.name === name && f.params.length === args.length)
  if (fn === undefined) throw fail(at, `Unknown call [${name}] with [${args.length}] arguments.`)
  const values = analyzeArguments(a, fn.params, args, scope)
  return { op: 'contextCall', function: fn, args: values, type: fn.returns, at }
}

/** `$('f', d)` is `field('f').get(d)`. */
function analyzeFieldShortcut(a: AnalyzerBase, node: Node<'callLocal'>, scope: Scope): Ir {
  const { at, args } = node
  const fn = a.context.functions.find((f) => f.name === 'field')
  if (fn === undefined || args.length !== 2) {
    const error = fail(at, 'invalid shortcut [$] for [field]; ensure [field] exists in this context')
    error.offset = undefined
    throw error
  }
  const name = a.visitAs(args[0]!, scope, 'java.lang.String', { internal: true })
  const target: Ir = { op: 'contextCall', function: fn, args: [name], type: 'def', at }
  const fallback = a.visit(args[1]!, scope, READ)
  return { op: 'defCall', target, name: 'get', args: [fallback], nullSafe: false, type: 'def', at }
}
