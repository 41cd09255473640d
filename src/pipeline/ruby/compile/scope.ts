/** The scopes of local variables. Every name in a method, block or class body has a slot in its frame. */

import type { Frame } from '../runtime/frame.ts'
import { RBasic, type Value } from '../runtime/model.ts'
import type { Params } from '../syntax/ast.ts'

/** A compiled piece of code. */
export type Op = (frame: Frame) => Value

/**
 * The result of a statement that jumps. `return`, `next` and `break` in statement position need no exception, which
 * would cost more than the rest of the code. There is one object, whose fields describe the jump.
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
  /** Whether the code is in the body of a `while` of this scope. */
  loopDepth = 0
  /** Set if a block inside the method returns from it, so that the method must catch the jump. */
  hasBlockReturn = false
  /** Set if the block contains a `break`. */
  hasBreak = false
  /** Set if a `next` is inside an expression. */
  hasThrownNext = false
  hasRedo = false
  /** Whether a frame of this scope may be used after its code has run: by an inner block or by `binding`. */
  isFrameKept = false
  /** The parameters of a method, for `super` without arguments. */
  params: Params | undefined

  constructor(kind: ScopeKind, outer: Scope | null) {
    this.kind = kind
    this.outer = outer
    if (outer !== null) outer.isFrameKept = true
  }

  get size(): number {
    return this.names.size
  }

  /** The slot of a name in this scope, created if there is none. */
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

  /** The scope of the method, lambda or code that `return` leaves. */
  get home(): Scope {
    let scope: Scope = this
    while (scope.kind === 'block' && scope.outer !== null) scope = scope.outer
    return scope
  }
}

/** Runs the body of a method or block. The value of a jump that ends here is its result. */
export function finish(result: Value): Value {
  return result === JUMP ? JUMP.value : result
}
