/** Where local variables live: every name of a method, block or class body has a place in its frame. */

import type { Frame } from '../runtime/frame.ts'
import { RBasic, type Value } from '../runtime/model.ts'
import type { Params } from '../syntax/ast.ts'

/** A compiled piece of code. */
export type Op = (frame: Frame) => Value

/**
 * What a statement gives back when it jumps instead of ending: `return`, `next` and `break` that stand where statements stand need no
 * exception, which would cost more than all of the code. There is one object, whose fields say what the jump is.
 */
class Jump extends RBasic {
  kind: 'return' | 'next' | 'break' | 'redo' = 'return'
  value: Value = null
}

export const JUMP = new Jump()

export type ScopeKind = 'method' | 'block' | 'lambda' | 'class' | 'code'

export class Scope {
  readonly kind: ScopeKind
  readonly outer: Scope | null
  readonly names = new Map<string, number>()
  /** Whether the code stands in the body of a `while` of this scope. */
  loopDepth = 0
  /** Set when a block inside returns from the method, which then has to catch that. */
  hasBlockReturn = false
  /** Set when the block leaves the call it was given to. */
  hasBreak = false
  /** Set when a `next` stands inside an expression. */
  hasThrownNext = false
  hasRedo = false
  /** The parameters of a method, for `super` without arguments. */
  params: Params | undefined

  constructor(kind: ScopeKind, outer: Scope | null) {
    this.kind = kind
    this.outer = outer
  }

  get size(): number {
    return this.names.size
  }

  /** The place of a name in this scope, made where there is none. */
  declare(name: string): number {
    let index = this.names.get(name)
    if (index === undefined) {
      index = this.names.size
      this.names.set(name, index)
    }
    return index
  }

  find(name: string): { depth: number; index: number } | undefined {
    let depth = 0
    for (let scope: Scope | null = this; scope !== null; scope = scope.seesOut ? scope.outer : null) {
      const index = scope.names.get(name)
      if (index !== undefined) return { depth, index }
      depth++
    }
    return undefined
  }

  findOrDeclare(name: string): { depth: number; index: number } {
    return this.find(name) ?? { depth: 0, index: this.declare(name) }
  }

  private get seesOut(): boolean {
    return this.kind === 'block' || this.kind === 'lambda'
  }

  /** The method, lambda or code that `return` leaves. */
  get home(): Scope {
    let scope: Scope = this
    while (scope.kind === 'block' && scope.outer !== null) scope = scope.outer
    return scope
  }
}

/** Runs a method's or a block's body: a jump that ends here becomes its value. */
export function finish(result: Value): Value {
  return result === JUMP ? JUMP.value : result
}
