/** Frames of running code: self, local variables, and the method that the code belongs to. */
import type { RClass, RMethod, RProc, Value } from './model.ts'
import type { RMatch } from './regexp.ts'

/** The state that all frames of one method call share, including those of its blocks. */
export class Activation {
  readonly method: RMethod | null
  readonly args: Value[]
  readonly block: RProc | null
  /** `$~`: the last match of this method. */
  match: RMatch | null = null
  /** False after the method has returned. A `return` in a block that outlives its method is an error. */
  isRunning = true
  /** The visibility of methods that `def` defines in a class body. */
  visibility: 'public' | 'private' | 'protected' | 'module' = 'public'

  constructor(method: RMethod | null, args: Value[], block: RProc | null) {
    this.method = method
    this.args = args
    this.block = block
  }
}

/**
 * The modules around a piece of code, innermost first. Constants are looked up in them, and `def` defines methods in
 * the first one.
 */
export interface LexicalScope {
  readonly module: RClass
  readonly outer: LexicalScope | null
}

export class Frame {
  readonly self: Value
  readonly vars: Value[]
  /** The frame around the block. */
  readonly outer: Frame | null
  readonly activation: Activation
  readonly lexical: LexicalScope
  /** The target of `break` in a block of this frame. */
  breakTag: object | undefined = undefined
  /** The target of `return`: the activation of the method, or the frame of a lambda. */
  home: object

  constructor(self: Value, size: number, outer: Frame | null, activation: Activation, lexical: LexicalScope) {
    this.self = self
    this.vars = emptyVariables(size)
    this.outer = outer
    this.activation = activation
    this.lexical = lexical
    this.home = activation
  }
}

/** An array literal has exactly as much room as it needs; `push` would reserve 17 places for each call of a block. */
function emptyVariables(size: number): Value[] {
  switch (size) {
    case 0:
      return []
    case 1:
      return [null]
    case 2:
      return [null, null]
    case 3:
      return [null, null, null]
    case 4:
      return [null, null, null, null]
  }
  const variables: Value[] = [null, null, null, null]
  for (let i = 4; i < size; i++) variables.push(null)
  return variables
}
