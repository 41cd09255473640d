/**
 * Compiles the syntax tree to closures. Each node becomes a function of the frame. Code is never passed to the
 * JavaScript engine as text.
 */

import { rationalOf } from '../core/numbers/rational.ts'
import { RBinding } from '../runtime/binding.ts'
import { raise, typeError } from '../runtime/errors.ts'
import { variablesOf } from '../runtime/instance-variables.ts'
import { type RClass, RFloat, symbol } from '../runtime/model.ts'
import { str } from '../runtime/string.ts'
import type { BlockNode, Node } from '../syntax/ast.ts'
import {
  compileAssignment,
  compileMultiple,
  compileOperatorAssignment,
  compileStore,
  type Store,
} from './assignments.ts'
import { type CompiledBlock, compileBlock } from './blocks.ts'
import { compileCall, compileSuper, compileYield } from './calls.ts'
import {
  compileBegin,
  compileCase,
  compileFor,
  compileIf,
  compileJump,
  compileLogic,
  compileSequence,
  compileWhile,
} from './control.ts'
import { compileDefined } from './defined.ts'
import {
  compileAlias,
  compileClass,
  compileDef,
  compileLambda,
  compileModule,
  compileSingletonClass,
  compileUndef,
} from './definitions.ts'
import { compileArray, compileHash, compileRange, compileRegex, compileText } from './literals.ts'
import { compileCaseIn, compileMatches } from './patterns.ts'
import type { Op, Scope } from './scope.ts'
import { compileConstant, compileGlobal, compileLocal, compileMatchVariable } from './variables.ts'

export class Compiler {
  scope: Scope

  constructor(scope: Scope) {
    this.scope = scope
  }

  /** Compiles a value. A jump inside it throws an exception. */
  expr(node: Node): Op {
    return this.compile(node, false)
  }

  /** Compiles a statement. The operation may return `JUMP`, which the caller must pass on. */
  stmt(node: Node): Op {
    return this.compile(node, true)
  }

  compile(node: Node, isStatement: boolean): Op {
    const { line } = node
    switch (node.type) {
      case 'nil':
        return () => null
      case 'true':
        return () => true
      case 'false':
        return () => false
      case 'self':
        return (frame) => frame.self
      case 'int': {
        const { value } = node
        return () => value
      }
      case 'float': {
        const value = new RFloat(node.value)
        return () => value
      }
      case 'rational': {
        const value = rationalOf(node.text)
        return () => value
      }
      case 'str': {
        const { value } = node
        return () => str(value)
      }
      case 'sym': {
        const value = symbol(node.name)
        return () => value
      }
      case 'dstr':
      case 'dsym':
        return compileText(this, node.parts, node.type === 'dsym')
      case 'regex':
        return compileRegex(this, node)
      case 'array':
        return compileArray(this, node.items)
      case 'hash':
        return compileHash(this, node.pairs, !node.isBraced)
      case 'range':
        return compileRange(this, node)
      case 'lvar':
        return compileLocal(this.scope, node.name)
      case 'ivar':
        return compileInstanceVariable(node.name)
      case 'gvar':
        return compileGlobal(node.name)
      case 'cvar':
        return compileClassVariable(node.name)
      case 'nth':
      case 'backref':
        return compileMatchVariable(node)
      case 'const':
        return compileConstant(this, node)
      case 'asgn':
        return compileAssignment(this, node.target, node.value)
      case 'opasgn':
        return compileOperatorAssignment(this, node.target, node.op, node.value)
      case 'masgn':
        return compileMultiple(this, node.target, node.value)
      case 'and':
      case 'or':
        return compileLogic(this, node.type, node.left, node.right, isStatement)
      case 'not':
        return compileNot(this.expr(node.value))
      case 'defined':
        return compileDefined(this, node.value)
      case 'call':
        return compileCall(this, node)
      case 'super':
        return compileSuper(this, node)
      case 'yield':
        return compileYield(this, node.args, line)
      case 'if':
        return compileIf(this, node, isStatement)
      case 'while':
        return compileWhile(this, node, isStatement)
      case 'for':
        return compileFor(this, node)
      case 'case':
        return compileCase(this, node, isStatement)
      case 'case_in':
        return compileCaseIn(this, node, isStatement)
      case 'matches':
        return compileMatches(this, node)
      case 'begin':
        return compileBegin(this, node, isStatement)
      case 'seq':
        return compileSequence(this, node.items, isStatement)
      case 'def':
        return compileDef(this, node)
      case 'class':
        return compileClass(this, node)
      case 'module':
        return compileModule(this, node)
      case 'sclass':
        return compileSingletonClass(this, node)
      case 'alias':
        return compileAlias(node.to, node.from)
      case 'undef':
        return compileUndef(node.names)
      case 'return':
      case 'break':
      case 'next':
      case 'redo':
      case 'retry':
        return compileJump(this, node, isStatement)
      case 'lambda':
        return compileLambda(this, node.block)
      case 'splat':
        return compileArray(this, [node])
      case 'binding': {
        const { scope } = this
        scope.isFrameKept = true
        return (frame) => new RBinding(scope, frame)
      }
      case 'mlhs':
      case 'block_pass':
        throw typeError('unexpected syntax')
    }
  }

  /** Compiles the assignment to a target. */
  store(target: Node): Store {
    return compileStore(this, target)
  }

  block(node: BlockNode): CompiledBlock {
    return compileBlock(this, node)
  }

  /** Compiles in another scope, such as that of a block. */
  within<T>(scope: Scope, compile: () => T): T {
    const outer = this.scope
    this.scope = scope
    try {
      return compile()
    } finally {
      this.scope = outer
    }
  }
}

function compileNot(value: Op): Op {
  return (frame) => {
    const result = value(frame)
    return result === null || result === false
  }
}

function compileInstanceVariable(name: string): Op {
  return (frame) => variablesOf(frame.self)?.get(name) ?? null
}

function compileClassVariable(name: string): Op {
  return (frame) => {
    for (let cls: RClass | null = frame.lexical.module; cls !== null; cls = cls.superclass) {
      const value = cls.classVariables.get(name)
      if (value !== undefined) return value
    }
    throw raise('NameError', `uninitialized class variable ${name} in ${frame.lexical.module.name}`)
  }
}
