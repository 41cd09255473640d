/** Local and global variables, constants, and the variables of the last match. */
import { nameOf, ObjectClass } from '../runtime/classes.ts'
import { inspect } from '../runtime/dispatch.ts'
import { raise, typeError } from '../runtime/errors.ts'
import type { Frame, LexicalScope } from '../runtime/frame.ts'
import { globals } from '../runtime/globals.ts'
import { RClass, type Value } from '../runtime/model.ts'
import { str } from '../runtime/string.ts'
import type { Node } from '../syntax/ast.ts'
import type { Compiler } from './compiler.ts'
import type { Op, Scope } from './scope.ts'

export function compileLocal(scope: Scope, name: string): Op {
  const { depth, index } = scope.findOrDeclare(name)
  if (depth === 0) return (frame) => frame.vars[index]!
  if (depth === 1) return (frame) => frame.outer!.vars[index]!
  if (depth === 2) return (frame) => frame.outer!.outer!.vars[index]!
  return (frame) => frameAt(frame, depth).vars[index]!
}

export function frameAt(frame: Frame, depth: number): Frame {
  let found = frame
  for (let i = 0; i < depth; i++) found = found.outer!
  return found
}

export function compileGlobal(name: string): Op {
  if (name === '$~') return (frame) => frame.activation.match
  return () => globals.get(name) ?? null
}

/** `$1`, `$&`, `` $` ``, `$'` and `$+`. */
export function compileMatchVariable(
  node: Extract<Node, { type: 'nth' | 'lvar' | 'ivar' | 'gvar' | 'cvar' | 'backref' }>,
): Op {
  return (frame) => {
    const { match } = frame.activation
    if (match === null) return null
    let found: string | undefined
    if (node.type === 'nth') found = match.groups[node.number]
    else if (node.name === '$&') found = match.groups[0]
    else if (node.name === '$`') found = match.pre
    else if (node.name === "$'") found = match.post
    else found = match.groups.slice(1).findLast((group) => group !== undefined)
    return found === undefined ? null : str(found)
  }
}

/** Incremented when a constant is set, which invalidates cached lookups. */
export const constants = { version: 0 }

export function compileConstant(compiler: Compiler, node: Extract<Node, { type: 'const' }>): Op {
  const { name, scope } = node
  if (scope === 'top') return () => constantOf(ObjectClass, name)
  if (scope !== undefined) {
    const owner = compiler.expr(scope)
    return (frame) => {
      const module = owner(frame)
      if (!(module instanceof RClass)) throw typeError(`${inspect(module)} is not a class/module`)
      return constantOf(module, name)
    }
  }
  let known: Value | undefined
  let version = -1
  let where: LexicalScope | undefined
  return ({ lexical }) => {
    if (version === constants.version && where === lexical) return known!
    known = lexicalConstant(lexical, name)
    version = constants.version
    where = lexical
    return known
  }
}

/** Looks up a constant in the enclosing modules, then in their ancestors, then at the top level. */
export function lexicalConstant(lexical: LexicalScope, name: string): Value {
  const found = findConstant(lexical, name)
  if (found !== undefined) return found
  const { module } = lexical
  throw raise('NameError', `uninitialized constant ${module === ObjectClass ? '' : `${nameOf(module)}::`}${name}`)
}

export function findConstant(lexical: LexicalScope, name: string): Value | undefined {
  for (let scope: LexicalScope | null = lexical; scope !== null; scope = scope.outer) {
    const found = scope.module.constants.get(name)
    if (found !== undefined) return found
  }
  for (const cls of lexical.module.ancestors()) {
    const found = cls.constants.get(name)
    if (found !== undefined) return found
  }
  return ObjectClass.constants.get(name)
}

/** `Module::NAME` */
export function constantOf(module: RClass, name: string): Value {
  for (const cls of module.ancestors()) {
    if (cls === ObjectClass && module !== ObjectClass) break
    const found = cls.constants.get(name)
    if (found !== undefined) return found
  }
  throw raise('NameError', `uninitialized constant ${module === ObjectClass ? '' : `${nameOf(module)}::`}${name}`)
}

export function setConstant(module: RClass, name: string, value: Value): void {
  if (value instanceof RClass && value.name === null)
    value.name = module === ObjectClass ? name : `${nameOf(module)}::${name}`
  module.constants.set(name, value)
  constants.version++
}
