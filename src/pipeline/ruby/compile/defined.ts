/** `defined?(…)` */
import { classOf, metaOf } from '../runtime/classes.ts'
import { RubyError } from '../runtime/errors.ts'
import { globals } from '../runtime/globals.ts'
import { variablesOf } from '../runtime/instance-variables.ts'
import { RClass } from '../runtime/model.ts'
import { str } from '../runtime/string.ts'
import type { Node } from '../syntax/ast.ts'
import type { Compiler } from './compiler.ts'
import type { Op } from './scope.ts'
import { findConstant } from './variables.ts'

export function compileDefined(compiler: Compiler, node: Node): Op {
  switch (node.type) {
    case 'lvar':
      return () => str('local-variable')
    case 'ivar':
      return (frame) => (variablesOf(frame.self)?.has(node.name) ? str('instance-variable') : null)
    case 'gvar':
      return () => (globals.has(node.name) ? str('global-variable') : null)
    case 'cvar':
      return tried(compiler.expr(node), 'class variable')
    case 'const':
      if (node.scope === undefined)
        return (frame) => (findConstant(frame.lexical, node.name) === undefined ? null : str('constant'))
      return tried(compiler.expr(node), 'constant')
    case 'nth':
    case 'backref':
      return (
        (value) => (frame) =>
          value(frame) === null ? null : str('global-variable')
      )(compiler.expr(node))
    case 'self':
    case 'nil':
    case 'true':
    case 'false':
      return () => str(node.type === 'self' ? 'self' : 'expression')
    case 'asgn':
    case 'opasgn':
    case 'masgn':
      return () => str('assignment')
    case 'yield':
      return (frame) => (frame.activation.block === null ? null : str('yield'))
    case 'super':
      return ({ self, activation: { method } }) =>
        method !== null && classOf(self).findAfter(method.owner, method.name) !== undefined ? str('super') : null
    case 'call':
      return definedCall(compiler, node)
    default:
      return () => str('expression')
  }
}

function tried(value: Op, word: string): Op {
  return (frame) => {
    try {
      value(frame)
      return str(word)
    } catch (error) {
      if (error instanceof RubyError) return null
      throw error
    }
  }
}

function definedCall(compiler: Compiler, node: Extract<Node, { type: 'call' }>): Op {
  const receiver = node.receiver === undefined ? undefined : compiler.expr(node.receiver)
  return (frame) => {
    try {
      const self = receiver === undefined ? frame.self : receiver(frame)
      const method = (self instanceof RClass ? metaOf(self) : classOf(self)).find(node.name)
      if (method === undefined || (receiver !== undefined && method.visibility !== 'public')) return null
      return str('method')
    } catch (error) {
      if (error instanceof RubyError) return null
      throw error
    }
  }
}
