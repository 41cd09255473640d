/** Blocks, procs and lambdas. */
import { NextJump, RetryJump, ReturnJump } from '../runtime/errors.ts'
import { Frame, type LexicalScope } from '../runtime/frame.ts'
import { RProc, type Value } from '../runtime/model.ts'
import type { BlockNode, Params } from '../syntax/ast.ts'
import { NO_PARAMS } from '../syntax/parse-params.ts'
import type { Compiler } from './compiler.ts'
import { arityOf, compileParams, parameterList } from './params.ts'
import { finish, type Op, Scope } from './scope.ts'

export interface CompiledBlock {
  readonly make: (frame: Frame) => RProc
  readonly hasBreak: boolean
}

export function compileBlock(compiler: Compiler, node: BlockNode, isLambda = false): CompiledBlock {
  const scope = new Scope(isLambda ? 'lambda' : 'block', compiler.scope)
  const params = paramsOf(node)
  const { bind, plain, body } = compiler.within(scope, () => {
    const compiled = compileParams(compiler, params, isLambda)
    return { ...compiled, body: compiler.stmt(node.body) }
  })
  const arity = arityOf(params, isLambda)
  const parameters = parameterList(params, isLambda)
  const run = runnerOf(scope, body)
  const { hasBreak } = scope
  const reuses = !scope.isFrameKept && !isLambda
  const shape: Shape = {
    scope,
    run,
    bind,
    plain,
    reuses,
    takesApart: params.hasTrailingComma,
    arity,
    parameters,
    isLambda,
  }
  return { hasBreak, make: (frame) => makeProc(shape, frame, frame.self, frame.lexical) }
}

interface Shape {
  readonly scope: Scope
  readonly run: (frame: Frame) => Value
  readonly bind: (frame: Frame, args: Value[], block: RProc | null) => void
  /** The number of parameters if all are plain names. */
  readonly plain: number | undefined
  /** Whether the runs of the block can use one frame, because nothing keeps it. */
  readonly reuses: boolean
  readonly takesApart: boolean
  readonly arity: number
  readonly parameters: readonly (readonly [string, string])[]
  readonly isLambda: boolean
}

function paramsOf(node: BlockNode): Params {
  if (node.params !== undefined) return node.params
  if (node.numbered === 0) return NO_PARAMS
  return { ...NO_PARAMS, required: Array.from({ length: node.numbered }, (_, i) => `_${i + 1}`) }
}

/** Runs the body of a block. Jumps out of expressions end here. */
function runnerOf(scope: Scope, body: Op): (frame: Frame) => Value {
  if (!scope.hasThrownNext && !scope.hasRedo) return (frame) => finish(body(frame))
  return (frame) => {
    for (;;) {
      try {
        return finish(body(frame))
      } catch (error) {
        if (error instanceof NextJump && error.frame === frame) return error.value
        if (!(error instanceof RetryJump && error.kind === 'redo')) throw error
      }
    }
  }
}

function makeProc(shape: Shape, outer: Frame, self: Value, lexical: LexicalScope): RProc {
  const { plain } = shape
  if (shape.isLambda || plain === undefined) return new BlockProc(shape, outer, self, lexical)
  if (plain <= 1 && !shape.takesApart) return new BlockProc1(shape, outer, self, lexical)
  return plain === 2 ? new BlockProc2(shape, outer, self, lexical) : new BlockProc(shape, outer, self, lexical)
}

/** A block of the code. One is made for every call that has a block, so its functions are methods and not closures. */
class BlockProc extends RProc {
  readonly shape: Shape
  readonly outer: Frame
  readonly lexical: LexicalScope
  /** The frame of an earlier run that has ended. */
  spare: Frame | null = null

  constructor(shape: Shape, outer: Frame, self: Value, lexical: LexicalScope) {
    super()
    this.shape = shape
    this.outer = outer
    this.lexical = lexical
    this.tag = this
    this.self = self
    this.frame = outer
    this.arity = shape.arity
    this.parameters = shape.parameters
    this.isLambda = shape.isLambda
  }

  newFrame(): Frame {
    const { outer } = this
    const frame = new Frame(this.self, this.shape.scope.size, outer, outer.activation, this.lexical)
    frame.breakTag = this
    frame.home = this.isLambda ? frame : outer.home
    return frame
  }

  /** The spare frame with empty variables, or a new frame. */
  takeFrame(): Frame {
    const frame = this.spare
    if (frame === null) return this.newFrame()
    this.spare = null
    const { vars } = frame
    for (let i = 0; i < vars.length; i++) vars[i] = null
    return frame
  }

  run(frame: Frame): Value {
    if (this.isLambda) return runLambda(this.shape.run, frame)
    const result = this.shape.run(frame)
    if (this.shape.reuses) this.spare = frame
    return result
  }
}

BlockProc.prototype.call = function (this: BlockProc, args, block) {
  const frame = this.takeFrame()
  this.shape.bind(frame, spread(args, this, this.shape), block)
  return this.run(frame)
}

BlockProc.prototype.withSelf = function (this: BlockProc, other, definee) {
  const { shape, outer, lexical } = this
  const made = makeProc(shape, outer, other, definee === undefined ? lexical : { module: definee, outer: lexical })
  made.isLambda = this.isLambda
  return made
}

/** A block with at most one parameter, a plain name. */
class BlockProc1 extends BlockProc {}

BlockProc1.prototype.call1 = function (this: BlockProc1, arg) {
  const frame = this.takeFrame()
  if (this.shape.plain === 1) frame.vars[0] = arg
  return this.run(frame)
}

/** A block with two parameters, both plain names. */
class BlockProc2 extends BlockProc {}

BlockProc2.prototype.call2 = function (this: BlockProc2, first, second) {
  const frame = this.takeFrame()
  frame.vars[0] = first
  frame.vars[1] = second
  return this.run(frame)
}

/** A block with several parameters destructures a single array argument. */
function spread(args: Value[], proc: RProc, { plain, takesApart, parameters }: Shape): Value[] {
  if (proc.isLambda || args.length !== 1 || !Array.isArray(args[0])) return args
  if (plain !== undefined) return plain > 1 || takesApart ? args[0] : args
  const positional = parameters.filter(([kind]) => kind === 'req' || kind === 'opt' || kind === 'rest')
  const isRestOnly = positional.length === 1 && positional[0]![0] === 'rest'
  return positional.length > 1 && !isRestOnly ? args[0] : takesApart ? args[0] : args
}

/** `return` in a lambda, or in a block inside it, ends the lambda. */
function runLambda(run: (frame: Frame) => Value, frame: Frame): Value {
  try {
    return run(frame)
  } catch (error) {
    if (error instanceof ReturnJump && error.target === frame) return error.value
    throw error
  }
}
