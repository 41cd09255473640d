/** The base class and the types that all parts of the analysis share. */
import type { Lookup } from '../api/lookup.ts'
import type { ContextDefinition } from '../contexts/context.ts'
import { illegalArgument, type JavaThrowable } from '../errors/java-throwable.ts'
import type { Expression, TypeName } from '../parser/tree.ts'
import { type CastMode, castTo } from './casts.ts'
import type { Ir, UserFunction } from './ir.ts'
import type { Scope } from './scope.ts'

/** How the surrounding code uses the value of an expression. */
export interface Use extends CastMode {
  read: boolean
  write?: boolean
  /** The expected type of the value. Literals, null, lambdas and conditionals adapt to it. */
  target?: string | undefined
}

export const READ: Use = { read: true }

/** The left side of a dot: a value, a type, or the beginning of a qualified name that may become a type. */
export type Prefix = { value: Ir } | { static: string; at: number } | { partial: string; at: number }

export abstract class AnalyzerBase {
  readonly lookup: Lookup
  readonly context: ContextDefinition
  readonly functions = new Map<string, UserFunction>()

  constructor(lookup: Lookup, context: ContextDefinition) {
    this.lookup = lookup
    this.context = context
  }

  /** Analyses an expression that must be a value. */
  abstract visit(node: Expression, scope: Scope, use: Use): Ir

  abstract prefix(node: Expression, scope: Scope, use: Use): Prefix

  /** The value of an expression, converted to a type. */
  visitAs(node: Expression, scope: Scope, target: string, mode: CastMode = {}): Ir {
    return castTo(this.lookup, this.visit(node, scope, { read: true, target, ...mode }), target, mode)
  }

  resolveType(type: TypeName): string | undefined {
    return this.lookup.type(type.name)
  }
}

export function fail(at: number, message: string, cause?: JavaThrowable): JavaThrowable {
  const error = illegalArgument(message, cause)
  error.offset = at
  return error
}

export function located(error: JavaThrowable, at: number): JavaThrowable {
  error.offset = at
  return error
}

/** Rejects a use that an expression cannot have. `what` reads like `addition operation [+]`. */
export function checkUse(use: Use, at: number, what: string, unused = `result not used from ${what}`): void {
  if (use.write === true) throw fail(at, `invalid assignment: cannot assign a value to ${what}`)
  if (!use.read) throw fail(at, `not a statement: ${unused}`)
}
