/** Loads all Ruby classes and runs code. */
import './core/object.ts'
import './core/module.ts'
import './core/kernel.ts'
import './core/strings/symbol.ts'
import './core/numbers/integer.ts'
import './core/numbers/float.ts'
import './core/numbers/numeric.ts'
import './core/strings/string.ts'
import './core/strings/string-change.ts'
import './core/strings/string-sets.ts'
import './core/strings/string-search.ts'
import './core/strings/string-encoding.ts'
import './core/collections/array.ts'
import './core/collections/array-change.ts'
import './core/collections/array-combine.ts'
import './core/collections/enumerable.ts'
import './core/collections/enumerator.ts'
import './core/collections/hash.ts'
import './core/collections/range.ts'
import './core/proc.ts'
import './core/strings/regexp.ts'
import './core/numbers/math.ts'
import './core/collections/struct.ts'
import './core/strings/pack.ts'
import './core/binding.ts'
import { Compiler } from './compile/compiler.ts'
import { finish, Scope } from './compile/scope.ts'
import { ObjectClass } from './runtime/classes.ts'
import { NextJump, ReturnJump } from './runtime/errors.ts'
import { Activation, Frame, type LexicalScope } from './runtime/frame.ts'
import type { RClass, RProc, Value } from './runtime/model.ts'
import { current } from './runtime/regexp.ts'
import { parseRuby } from './syntax/parser.ts'

/** Compiled code that runs for every event. */
export interface Program {
  /** The arguments are assigned to the local variables that were named when the code was compiled. */
  run(self: Value, args: Value[], block: RProc | null): Value
}

/** Throws `RubySyntaxError`. Constants and methods are defined in `module`. */
export function compileProgram(source: string, names: readonly string[], module: RClass = ObjectClass): Program {
  const tree = parseRuby(source, names)
  const scope = new Scope('code', null)
  for (const name of names) scope.declare(name)
  const op = new Compiler(scope).stmt(tree)
  const lexical: LexicalScope = { module, outer: null }
  return {
    run(self, args, block) {
      const activation = new Activation(null, args, block)
      const frame = new Frame(self, scope.size, null, activation, lexical)
      for (let i = 0; i < args.length; i++) frame.vars[i] = args[i]!
      current.activation = activation
      try {
        return finish(op(frame))
      } catch (error) {
        if (error instanceof ReturnJump && error.target === activation) return error.value
        if (error instanceof NextJump && error.frame === frame) return error.value
        throw error
      }
    },
  }
}
