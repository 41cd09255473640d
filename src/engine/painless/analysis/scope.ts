/** The variables by name during the analysis of a function or lambda. */
import { illegalArgument } from '../errors/java-throwable.ts'
import type { Variable } from './ir.ts'

/** The scope of one function or lambda: numbers its variables and collects the captured ones. */
export class FunctionScope {
  readonly returns: string
  readonly outer: Scope | undefined
  /** The scope is that of the script itself. */
  readonly isScript: boolean
  readonly captures: Variable[] = []
  readonly #slots: { next: number }

  constructor(returns: string, outer?: Scope, isScript = false) {
    this.returns = returns
    this.outer = outer
    this.isScript = isScript
    this.#slots = outer === undefined ? { next: 0 } : outer.function.#slots
  }

  newSlot(): number {
    return this.#slots.next++
  }
}

export class Scope {
  readonly function: FunctionScope
  readonly #parent: Scope | undefined
  readonly #variables = new Map<string, Variable>()

  constructor(fn: FunctionScope, parent?: Scope) {
    this.function = fn
    this.#parent = parent
  }

  child(): Scope {
    return new Scope(this.function, this)
  }

  define(name: string, type: string, at: number, readOnly = false): Variable {
    if (this.find(name) !== undefined) {
      const error = illegalArgument(`variable [${name}] is already defined`)
      error.offset = at
      throw error
    }
    const variable: Variable = { name, type, slot: this.function.newSlot(), readOnly }
    this.#variables.set(name, variable)
    return variable
  }

  /** Defines a variable of the context. */
  defineContext(name: string, type: string): void {
    this.#variables.set(name, { name, type, slot: -1, readOnly: true, context: true })
  }

  /** Finds a variable by name. A variable from outside a lambda is captured: the lambda can read but not assign it. */
  find(name: string): Variable | undefined {
    const own = this.#variables.get(name) ?? this.#parent?.find(name)
    if (own !== undefined || this.function.outer === undefined || this.#parent !== undefined) return own
    const outer = this.function.outer.find(name)
    if (outer === undefined) return undefined
    const captured = { ...outer, readOnly: true }
    this.function.captures.push(captured)
    this.#variables.set(name, captured)
    return captured
  }
}
