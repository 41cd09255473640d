/** Where running code stands: self, local variables, and the method it belongs to. */
import type { RClass, RMethod, RProc, Value } from './model.ts'
import type { RMatch } from './regexp.ts'

/** What all frames of one method call share, blocks included. */
export class Activation {
  readonly method: RMethod | null
  readonly args: Value[]
  readonly block: RProc | null
  /** `$~`: the last match of this method. */
  match: RMatch | null = null
  /** False once the method has returned: a `return` in a block that outlives it has nowhere to go. */
  isRunning = true
  /** What `def` without a keyword before it makes, in the body of a class. */
  visibility: 'public' | 'private' | 'protected' | 'module' = 'public'

  constructor(method: RMethod | null, args: Value[], block: RProc | null) {
    this.method = method
    this.args = args
    this.block = block
  }
}

/** The modules around a piece of code, innermost first: where constants are looked up and `def` defines. */
export interface LexicalScope {
  readonly module: RClass
  readonly outer: LexicalScope | null
}

export class Frame {
  readonly self: Value
  readonly vars: Value[]
  /** The frame a block stands in. */
  readonly outer: Frame | null
  readonly activation: Activation
  readonly lexical: LexicalScope
  /** What leaves when `break` is called in a block of this frame. */
  breakTag: object | undefined = undefined
  /** What `return` leaves: the method's activation, or the frame of a lambda. */
  home: object

  constructor(self: Value, size: number, outer: Frame | null, activation: Activation, lexical: LexicalScope) {
    this.self = self
    const vars: Value[] = []
    for (let i = 0; i < size; i++) vars.push(null)
    this.vars = vars
    this.outer = outer
    this.activation = activation
    this.lexical = lexical
    this.home = activation
  }
}
