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
  const shape: Shape = { scope, run, bind, plain, takesApart: params.hasTrailingComma, arity, parameters, isLambda }
  return { hasBreak, make: (frame) => makeProc(shape, frame, frame.self, frame.lexical) }
}

interface Shape {
  readonly scope: Scope
  readonly run: (frame: Frame) => Value
  readonly bind: (frame: Frame, args: Value[], block: RProc | null) => void
  /** The number of parameters if all are plain names. */
  readonly plain: number | undefined
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
  const { scope, run, bind, plain } = shape
  const proc = new RProc((args, block) => {
    const frame = new Frame(self, scope.size, outer, outer.activation, lexical)
    frame.breakTag = proc
    frame.home = proc.isLambda ? frame : outer.home
    bind(frame, spread(args, proc, shape), block)
    return proc.isLambda ? runLambda(run, frame) : run(frame)
  })
  proc.tag = proc
  proc.self = self
  proc.frame = outer
  proc.arity = shape.arity
  proc.parameters = shape.parameters
  proc.isLambda = shape.isLambda
  proc.withSelf = (other, definee) => {
    const made = makeProc(shape, outer, other, definee === undefined ? lexical : { module: definee, outer: lexical })
    made.isLambda = proc.isLambda
    return made
  }
  if (shape.isLambda || plain === undefined) return proc
  if (plain <= 1 && !shape.takesApart) {
    proc.call1 = (arg) => {
      const frame = new Frame(self, scope.size, outer, outer.activation, lexical)
      frame.breakTag = proc
      frame.home = proc.isLambda ? frame : outer.home
      if (plain === 1) frame.vars[0] = arg
      return proc.isLambda ? runLambda(run, frame) : run(frame)
    }
  } else if (plain === 2) {
    proc.call2 = (first, second) => {
      const frame = new Frame(self, scope.size, outer, outer.activation, lexical)
      frame.breakTag = proc
      frame.home = proc.isLambda ? frame : outer.home
      frame.vars[0] = first
      frame.vars[1] = second
      return proc.isLambda ? runLambda(run, frame) : run(frame)
    }
  }
  return proc
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
