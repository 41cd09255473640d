/** Sequences, conditions, loops, `case`, exceptions and jumps. */
import { isA } from '../runtime/classes.ts'
import { splat } from '../runtime/convert.ts'
import { caseEquals, truthy } from '../runtime/dispatch.ts'
import {
  BreakJump,
  exceptionClasses,
  LoopJump,
  NextJump,
  RetryJump,
  ReturnJump,
  RubyError,
  raise,
  typeError,
} from '../runtime/errors.ts'
import type { Frame } from '../runtime/frame.ts'
import { globals } from '../runtime/globals.ts'
import { step } from '../runtime/limits.ts'
import { RClass, RProc, type Value } from '../runtime/model.ts'
import { current } from '../runtime/regexp.ts'
import type { BeginNode, CaseNode, Node, RescueClause } from '../syntax/ast.ts'
import { compileStore, type Store } from './assignments.ts'
import { callSite } from './calls.ts'
import type { Compiler } from './compiler.ts'
import { JUMP, type Op } from './scope.ts'

export function compileSequence(compiler: Compiler, items: readonly Node[], isStatement: boolean): Op {
  const ops = items.map((item, i) =>
    isStatement ? compiler.stmt(item) : i < items.length - 1 ? compiler.expr(item) : compiler.expr(item),
  )
  const last = ops.length - 1
  return (frame) => {
    for (let i = 0; i < last; i++) if (ops[i]!(frame) === JUMP) return JUMP
    return ops[last]!(frame)
  }
}

export function compileLogic(
  compiler: Compiler,
  kind: 'and' | 'or',
  left: Node,
  right: Node,
  isStatement: boolean,
): Op {
  const first = compiler.expr(left)
  const second = compiler.compile(right, isStatement)
  if (kind === 'and') {
    return (frame) => {
      const value = first(frame)
      return value === null || value === false ? value : second(frame)
    }
  }
  return (frame) => {
    const value = first(frame)
    return value === null || value === false ? second(frame) : value
  }
}

export function compileIf(compiler: Compiler, node: Extract<Node, { type: 'if' }>, isStatement: boolean): Op {
  const condition = compiler.expr(node.condition)
  const then = node.body === undefined ? () => null : compiler.compile(node.body, isStatement)
  const otherwise = node.otherwise === undefined ? () => null : compiler.compile(node.otherwise, isStatement)
  return (frame) => {
    const value = condition(frame)
    return value === null || value === false ? otherwise(frame) : then(frame)
  }
}

export function compileWhile(compiler: Compiler, node: Extract<Node, { type: 'while' }>, isStatement: boolean): Op {
  compiler.scope.loopDepth++
  const condition = compiler.expr(node.condition)
  const body = compiler.stmt(node.body)
  compiler.scope.loopDepth--
  const { isUntil, testsLast } = node
  const loop = (frame: Frame): Value => {
    let isFirst = testsLast
    for (;;) {
      step()
      try {
        if (!isFirst && truthy(condition(frame)) === isUntil) return null
        isFirst = false
        const result = body(frame)
        if (result === JUMP) {
          if (JUMP.kind === 'break') return JUMP.value
          if (JUMP.kind === 'return') return JUMP
        }
      } catch (error) {
        if (!(error instanceof LoopJump) || error.frame !== frame) throw error
        if (error.kind === 'break') return error.value
        isFirst = false
      }
    }
  }
  if (isStatement) return loop
  // In value position a `return` inside the loop must throw an exception.
  return (frame) => {
    const result = loop(frame)
    if (result === JUMP) throw new ReturnJump(frame.home, JUMP.value)
    return result
  }
}

/** `for` has no scope of its own: its body is a block that shares the enclosing variables. */
export function compileFor(compiler: Compiler, node: Extract<Node, { type: 'for' }>): Op {
  const list = compiler.expr(node.list)
  const store = compileStore(compiler, node.target)
  compiler.scope.loopDepth++
  const body = compiler.stmt(node.body)
  compiler.scope.loopDepth--
  markThrownReturn(compiler)
  const site = callSite('each', node.line, false)
  return (frame) => {
    const tag = {}
    const proc = new RProc((args) => {
      step()
      store(frame, args.length === 1 ? args[0]! : args)
      let result: Value
      try {
        result = body(frame)
      } catch (error) {
        if (!(error instanceof LoopJump) || error.frame !== frame) throw error
        if (error.kind === 'break') throw new BreakJump(tag, error.value)
        return null
      }
      if (result === JUMP) {
        if (JUMP.kind === 'break') throw new BreakJump(tag, JUMP.value)
        if (JUMP.kind === 'return') throw new ReturnJump(frame.home, JUMP.value)
      }
      return result
    })
    try {
      return site(frame, list(frame), [], proc)
    } catch (error) {
      if (error instanceof BreakJump && error.tag === tag) return error.value
      throw error
    }
  }
}

function markThrownReturn(compiler: Compiler): void {
  compiler.scope.home.hasBlockReturn = true
}

export function compileCase(compiler: Compiler, node: CaseNode, isStatement: boolean): Op {
  const subject = node.subject === undefined ? undefined : compiler.expr(node.subject)
  const whens = node.whens.map(({ tests, body }) => ({
    tests: tests.map((test) => ({
      isSplat: test.type === 'splat',
      op: compiler.expr(test.type === 'splat' ? test.value : test),
    })),
    body: compiler.compile(body, isStatement),
  }))
  const otherwise = node.otherwise === undefined ? () => null : compiler.compile(node.otherwise, isStatement)
  return (frame) => {
    const value = subject === undefined ? undefined : subject(frame)
    for (const { tests, body } of whens) {
      for (const { isSplat, op } of tests) {
        const test = op(frame)
        current.activation = frame.activation
        const isMatch = isSplat ? splat(test).some((item) => matches(item, value)) : matches(test, value)
        if (isMatch) return body(frame)
      }
    }
    return otherwise(frame)
  }
}

function matches(test: Value, value: Value | undefined): boolean {
  return value === undefined ? truthy(test) : caseEquals(test, value)
}

export function compileBegin(compiler: Compiler, node: BeginNode, isStatement: boolean): Op {
  const body = compiler.compile(node.body, isStatement)
  const clauses = node.rescues.map((clause) => compileRescue(compiler, clause, isStatement))
  const otherwise = node.otherwise === undefined ? undefined : compiler.compile(node.otherwise, isStatement)
  const ensure = node.ensure === undefined ? undefined : compiler.compile(node.ensure, isStatement)
  let op = clauses.length === 0 ? body : rescued(body, clauses, otherwise)
  if (clauses.length === 0 && otherwise !== undefined) {
    op = (frame) => {
      const result = body(frame)
      return result === JUMP ? result : otherwise(frame)
    }
  }
  return ensure === undefined ? op : ensured(op, ensure)
}

interface CompiledRescue {
  readonly classes: readonly { isSplat: boolean; op: Op }[]
  readonly store: Store | undefined
  readonly body: Op
}

function compileRescue(
  compiler: Compiler,
  { classes, target, body }: RescueClause,
  isStatement: boolean,
): CompiledRescue {
  const store = target === undefined ? undefined : compileStore(compiler, target)
  return {
    classes: classes.map((cls) => ({
      isSplat: cls.type === 'splat',
      op: compiler.expr(cls.type === 'splat' ? cls.value : cls),
    })),
    store,
    body: compiler.compile(body, isStatement),
  }
}

function rescued(body: Op, clauses: readonly CompiledRescue[], otherwise: Op | undefined): Op {
  return (frame) => {
    for (;;) {
      try {
        const result = body(frame)
        if (otherwise === undefined || result === JUMP) return result
      } catch (thrown) {
        const error = rubyErrorOf(thrown)
        if (error === undefined) throw thrown
        const clause = clauses.find(({ classes }) => isCaught(frame, error, classes))
        if (clause === undefined) throw error
        const before = globals.get('$!') ?? null
        globals.set('$!', error.exception)
        try {
          clause.store?.(frame, error.exception)
          const result = clause.body(frame)
          globals.set('$!', before)
          return result
        } catch (again) {
          if (again instanceof RetryJump && again.kind === 'retry') {
            step()
            globals.set('$!', before)
            continue
          }
          if (again instanceof RubyError && again.exception.cause === null && again.exception !== error.exception)
            again.exception.cause = error.exception
          globals.set('$!', before)
          throw again
        }
      }
      return otherwise(frame)
    }
  }
}

/** A JavaScript stack overflow becomes Ruby's SystemStackError. Other JavaScript errors are not visible to the code. */
export function rubyErrorOf(thrown: unknown): RubyError | undefined {
  if (thrown instanceof RubyError) return thrown
  if (thrown instanceof RangeError && /call stack/.test(thrown.message))
    return raise('SystemStackError', 'stack level too deep')
  if (thrown instanceof RangeError) return raise('RangeError', thrown.message)
  return undefined
}

function isCaught(frame: Frame, error: RubyError, classes: CompiledRescue['classes']): boolean {
  if (classes.length === 0) return isA(error.exception, exceptionClasses.get('StandardError')!)
  for (const { isSplat, op } of classes) {
    const value = op(frame)
    for (const cls of isSplat ? splat(value) : [value]) {
      if (!(cls instanceof RClass)) throw typeError('class or module required for rescue clause')
      if (caseEquals(cls, error.exception)) return true
    }
  }
  return false
}

/** `ensure` always runs, except after a limit was exceeded. */
function ensured(body: Op, ensure: Op): Op {
  return (frame) => {
    let result: Value
    try {
      result = body(frame)
    } catch (error) {
      const isOurs = error instanceof Error && !(error instanceof RubyError) && rubyErrorOf(error) === undefined
      if (!isOurs && ensure(frame) === JUMP) return JUMP
      throw error
    }
    if (result !== JUMP) return ensure(frame) === JUMP ? JUMP : result
    const { kind, value } = JUMP
    if (ensure(frame) !== JUMP) {
      JUMP.kind = kind
      JUMP.value = value
    }
    return JUMP
  }
}

type JumpNode = Extract<Node, { type: 'return' | 'break' | 'next' }> | Extract<Node, { type: 'redo' }>

/** `return`, `break`, `next`, `redo` and `retry`. */
export function compileJump(compiler: Compiler, node: Node, isStatement: boolean): Op {
  const { scope } = compiler
  const { type } = node
  if (type === 'retry') {
    return () => {
      throw new RetryJump('retry')
    }
  }
  const given = (node as JumpNode & { value?: Node }).value
  const value = given === undefined ? () => null : compiler.expr(given)
  if (type === 'return') return compileReturn(compiler, value, isStatement)
  const isLoop = scope.loopDepth > 0
  if (type === 'redo') {
    scope.hasRedo = true
    return () => {
      throw new RetryJump('redo')
    }
  }
  if (isLoop) {
    const kind = type as 'break' | 'next'
    if (!isStatement) {
      return (frame) => {
        throw new LoopJump(kind, frame, value(frame))
      }
    }
    return jumpTo(kind, value)
  }
  if (scope.kind === 'code' || scope.kind === 'method' || scope.kind === 'class')
    return compileReturn(compiler, value, isStatement)
  if (type === 'next') {
    if (isStatement) return jumpTo('next', value)
    scope.hasThrownNext = true
    return (frame) => {
      throw new NextJump(frame, value(frame))
    }
  }
  if (scope.kind === 'lambda') return compileReturn(compiler, value, isStatement)
  scope.hasBreak = true
  return (frame) => {
    const result = value(frame)
    throw new BreakJump(frame.breakTag!, result)
  }
}

function compileReturn(compiler: Compiler, value: Op, isStatement: boolean): Op {
  const { scope } = compiler
  if (isStatement && scope.kind !== 'block') return jumpTo('return', value)
  scope.home.hasBlockReturn = true
  return (frame) => {
    throw new ReturnJump(frame.home, value(frame))
  }
}

function jumpTo(kind: 'return' | 'next' | 'break', value: Op): Op {
  return (frame) => {
    const result = value(frame)
    JUMP.kind = kind
    JUMP.value = result
    return JUMP
  }
}
