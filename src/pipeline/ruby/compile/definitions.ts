/** `def`, `class`, `module`, lambdas, `alias` and `undef`. */
import { ClassClass, classOf, ModuleClass, metaOf, nameOf, ObjectClass } from '../runtime/classes.ts'
import { inspect, send } from '../runtime/dispatch.ts'
import { NextJump, ReturnJump, raise, typeError } from '../runtime/errors.ts'
import { Activation, Frame, type LexicalScope } from '../runtime/frame.ts'
import { methodTables, RClass, type RMethod, RObject, symbol, type Value, type Visibility } from '../runtime/model.ts'
import type { BlockNode, DefNode, Node } from '../syntax/ast.ts'
import { compileBlock } from './blocks.ts'
import type { Compiler } from './compiler.ts'
import { arityOf, compileParams, parameterList } from './params.ts'
import { finish, type Op, Scope } from './scope.ts'
import { setConstant } from './variables.ts'

export function compileDef(compiler: Compiler, node: DefNode): Op {
  const scope = new Scope('method', compiler.scope)
  scope.params = node.params
  const { bind, body } = compiler.within(scope, () => {
    const params = compileParams(compiler, node.params, true)
    return { bind: params.bind, body: compiler.stmt(node.body) }
  })
  const singleton = node.singleton === undefined ? undefined : compiler.expr(node.singleton)
  const arity = arityOf(node.params, true)
  const parameters = parameterList(node.params, true)
  const name = symbol(node.name)
  const make = (owner: RClass, visibility: Visibility, lexical: LexicalScope): RMethod => {
    const method: RMethod = {
      name: node.name,
      owner,
      visibility,
      min: 0,
      max: Number.POSITIVE_INFINITY,
      arity,
      parameters,
      isNative: false,
      call: (self, args, block) => {
        const activation = new Activation(method, args, block)
        const frame = new Frame(self, scope.size, null, activation, lexical)
        bind(frame, args, block)
        if (!scope.hasBlockReturn) return finish(body(frame))
        try {
          return finish(body(frame))
        } catch (error) {
          if (error instanceof ReturnJump && error.target === activation) return error.value
          throw error
        }
      },
    }
    return method
  }
  return (frame) => {
    const { lexical, activation } = frame
    if (singleton !== undefined)
      addMethod(singletonClass(singleton(frame)), make(singletonClass(singleton(frame)), 'public', lexical))
    else {
      const owner = lexical.module
      const hides = node.name === 'initialize' || node.name === 'initialize_copy' || node.name === 'respond_to_missing?'
      const visibility =
        activation.visibility === 'module' ? 'private' : activation.method === null ? activation.visibility : 'public'
      addMethod(owner, make(owner, hides ? 'private' : visibility, lexical))
      if (activation.visibility === 'module') addMethod(metaOf(owner), make(metaOf(owner), 'public', lexical))
    }
    return name
  }
}

export function addMethod(owner: RClass, method: RMethod): void {
  if (owner.frozen) throw raise('FrozenError', `can't modify frozen class: ${nameOf(owner)}`)
  owner.methods.set(method.name, method)
  if (method.name === '==' || method.name === 'nil?') methodTables.hasOwnTests = true
  methodTables.version++
}

/** The singleton class of an object. */
export function singletonClass(value: Value): RClass {
  if (value instanceof RClass) return metaOf(value)
  if (!(value instanceof RObject)) throw typeError("can't define singleton")
  if (!value.cls.isSingleton) {
    const made = new RClass(null, value.cls, 'singleton')
    made.cls = ClassClass
    made.attached = value
    value.cls = made
  }
  return value.cls
}

export function compileLambda(compiler: Compiler, block: BlockNode): Op {
  const { make } = compileBlock(compiler, block, true)
  return make
}

/** Runs the body of a class once, with the class as self. */
function compileBody(compiler: Compiler, body: Node): (cls: RClass, frame: Frame) => Value {
  const scope = new Scope('class', compiler.scope)
  const op = compiler.within(scope, () => compiler.stmt(body))
  return (cls, outer) => {
    const frame = new Frame(cls, scope.size, null, new Activation(null, [], null), {
      module: cls,
      outer: outer.lexical,
    })
    try {
      return finish(op(frame))
    } catch (error) {
      if (error instanceof NextJump && error.frame === frame) return error.value
      throw error
    }
  }
}

/** Resolves the path of a class or module to its parent module and its name. */
function compilePath(compiler: Compiler, path: Node): { name: string; owner: (frame: Frame) => RClass } {
  if (path.type !== 'const') throw typeError('class/module name must be CONSTANT')
  const { name, scope } = path
  if (scope === 'top') return { name, owner: () => ObjectClass }
  if (scope === undefined) return { name, owner: (frame) => frame.lexical.module }
  const op = compiler.expr(scope)
  return {
    name,
    owner: (frame) => {
      const value = op(frame)
      if (!(value instanceof RClass)) throw typeError(`${inspect(value)} is not a class/module`)
      return value
    },
  }
}

export function compileClass(compiler: Compiler, node: Extract<Node, { type: 'class' }>): Op {
  const { name, owner } = compilePath(compiler, node.path)
  const above = node.superclass === undefined ? undefined : compiler.expr(node.superclass)
  const body = compileBody(compiler, node.body)
  return (frame) => {
    const under = owner(frame)
    const given = above === undefined ? undefined : above(frame)
    if (given !== undefined && (!(given instanceof RClass) || given.isModule))
      throw typeError('superclass must be a Class')
    const cls: Value | undefined =
      under.constants.get(name) ?? (isPlain(node.path) ? visibleClass(frame, name) : undefined)
    if (cls === undefined) {
      const made = newClass(null, given ?? ObjectClass)
      setConstant(under, name, made)
      return body(made, frame)
    }
    if (!(cls instanceof RClass) || cls.isModule) throw typeError(`${name} is not a class`)
    if (given !== undefined && cls.superclass?.real !== given) throw typeError(`superclass mismatch for class ${name}`)
    return body(cls, frame)
  }
}

function isPlain(path: Node): boolean {
  return path.type === 'const' && path.scope === undefined
}

/** A built-in class is reopened if code names it at the top level. */
function visibleClass(frame: Frame, name: string): Value | undefined {
  return frame.lexical.outer === null || frame.lexical.module === ObjectClass || frame.activation.method === null
    ? topClass(frame, name)
    : undefined
}

function topClass({ lexical }: Frame, name: string): Value | undefined {
  return lexical.outer?.module === ObjectClass && lexical.outer.outer === null
    ? undefined
    : lexical.module === ObjectClass
      ? ObjectClass.constants.get(name)
      : undefined
}

export function newClass(name: string | null, superclass: RClass): RClass {
  const cls = new RClass(name, superclass)
  cls.cls = ClassClass
  const hook = classOf(superclass).find('inherited')
  if (hook !== undefined && !hook.isNative) send(superclass, 'inherited', [cls])
  return cls
}

export function compileModule(compiler: Compiler, node: Extract<Node, { type: 'module' }>): Op {
  const { name, owner } = compilePath(compiler, node.path)
  const body = compileBody(compiler, node.body)
  return (frame) => {
    const under = owner(frame)
    const known = under.constants.get(name)
    if (known !== undefined) {
      if (!(known instanceof RClass) || !known.isModule) throw typeError(`${name} is not a module`)
      return body(known, frame)
    }
    const module = new RClass(null, null, 'module')
    module.cls = ModuleClass
    setConstant(under, name, module)
    return body(module, frame)
  }
}

export function compileSingletonClass(compiler: Compiler, node: Extract<Node, { type: 'sclass' }>): Op {
  const object = compiler.expr(node.object)
  const body = compileBody(compiler, node.body)
  return (frame) => body(singletonClass(object(frame)), frame)
}

export function compileAlias(to: string, from: string): Op {
  return (frame) => {
    aliasMethod(frame.lexical.module, to, from)
    return null
  }
}

export function aliasMethod(cls: RClass, to: string, from: string): void {
  const method = cls.find(from) ?? (cls.isModule ? ObjectClass.find(from) : undefined)
  if (method === undefined) throw raise('NameError', `undefined method \`${from}' for class \`${nameOf(cls)}'`)
  addMethod(cls, { ...method, name: to })
}

export function compileUndef(names: readonly string[]): Op {
  return (frame) => {
    for (const name of names) undefine(frame.lexical.module, name)
    return null
  }
}

export function undefine(cls: RClass, name: string): void {
  const method = cls.find(name)
  if (method === undefined) throw raise('NameError', `undefined method \`${name}' for class \`${nameOf(cls)}'`)
  addMethod(cls, { ...method, isUndefined: true })
}
