/**
 * Painless: compiles scripts to JavaScript in a closed scope and runs them with Java's semantics.
 *
 * This is the whole interface of the module. It is loaded with `import()` when the first script is compiled, because most
 * services never run one.
 */
import { illegalArgument } from '../../base/api-error.ts'
import type { CompiledScript, CompileRequest } from './contract.ts'

export {
  type ContextDefinition,
  type ContextName,
  contextDefinition,
  contextNames,
  isContextName,
} from './contexts/context.ts'
export type * from './contract.ts'
export { PainlessCompileError, PainlessRuntimeError, ScriptException } from './errors/script-exception.ts'
export { fromJava, toJava } from './host/host-values.ts'
export { JByte, JChar, JDouble, JFloat, JShort } from './runtime/boxed.ts'

/** Compiles a script for a context. Throws PainlessCompileError. */
export function compileScript(request: CompileRequest): CompiledScript {
  throw illegalArgument(`cannot compile [${request.source}]: the compiler is not complete`)
}
