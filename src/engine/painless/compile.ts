/** Compiles a script and binds it to callers. */
import { analyzeScript } from './analysis/analyzer.ts'
import { type GeneratedScript, generateScript } from './codegen/generator.ts'
import { contextDefinition } from './contexts/context.ts'
import type {
  CompiledScript,
  CompileRequest,
  RegexSettings,
  ScriptBindings,
  ScriptInstance,
  ScriptTraits,
} from './contract.ts'
import { compileError, runtimeError } from './errors/error-window.ts'
import { JavaThrowable } from './errors/java-throwable.ts'
import { parseScript } from './parser/parser.ts'
import { locate } from './runtime/lang/throwables.ts'
import { resetLimits } from './runtime/limits.ts'
import { setRegexLimit } from './runtime/regex/regex-adapter.ts'
import { Environment } from './runtime/script/environment.ts'

const DEFAULT_REGEX: RegexSettings = { enabled: 'limited', limitFactor: 6 }

const untyped = () => undefined

/** Compiles a script for a context. Throws PainlessCompileError. */
export function compileScript(request: CompileRequest): CompiledScript {
  const { source, context } = request
  const regex = request.regex ?? DEFAULT_REGEX
  let generated: GeneratedScript
  let statements: readonly number[]
  try {
    const ir = analyzeScript(parseScript(source), context, regex)
    statements = ir.statements
    generated = generateScript(ir, context, request.fieldType ?? untyped)
  } catch (e) {
    if (e instanceof JavaThrowable) throw compileError(source, e)
    if (e instanceof RangeError) throw compileError(source, locate(e, -1))
    throw e
  }
  const { observed } = generated
  const traits: ScriptTraits = {
    fields: [...observed.fields],
    readsUnknownFields: observed.readsUnknownFields,
    readsSource: observed.readsSource,
    readsScore: observed.readsScore,
    deterministic: observed.deterministic && !observed.readsSource,
  }
  const script: Script = {
    source,
    statements,
    generated,
    limitFactor: regex.enabled === true ? 0 : regex.limitFactor,
    fieldType: request.fieldType ?? untyped,
    generic: () => generateScript(analyzeScript(parseScript(source), context, regex), context, untyped),
  }
  const definition = contextDefinition(context)
  return { source, context, traits, newInstance: (bindings = {}) => new Instance(script, definition, bindings) }
}

interface Script {
  source: string
  statements: readonly number[]
  generated: GeneratedScript
  limitFactor: number
  fieldType: NonNullable<CompileRequest['fieldType']>
  /** The script without typed reads. */
  generic(): GeneratedScript
}

class Instance implements ScriptInstance {
  readonly #script: Script
  readonly #environment: Environment
  #execute: (() => unknown) | undefined

  constructor(script: Script, context: ReturnType<typeof contextDefinition>, bindings: ScriptBindings) {
    this.#script = script
    this.#environment = new Environment(context, bindings)
  }

  set(variable: string, value: unknown): void {
    this.#environment.set(variable, value)
  }

  execute(doc?: number): unknown {
    const environment = this.#environment
    if (doc !== undefined) environment.moveTo(doc)
    resetLimits()
    setRegexLimit(this.#script.limitFactor)
    try {
      this.#execute ??= this.#bind()
      return this.#execute()
    } catch (e) {
      throw runtimeError(this.#script.source, this.#script.statements, e instanceof JavaThrowable ? e : locate(e, -1))
    }
  }

  /** Typed reads are for the types the script was compiled for; with readers of other types the script runs without them. */
  #bind(): () => unknown {
    const { generated, fieldType, generic } = this.#script
    const { docMap } = this.#environment
    if (docMap === undefined || generated.columns.length === 0) return generated.factory(this.#environment, [])
    const fits = (name: string) => {
      try {
        return docMap.field(name).reader.type === fieldType(name)
      } catch {
        // A field that cannot be read fails where the script reads it.
        return false
      }
    }
    if (!generated.columns.every(fits)) return generic().factory(this.#environment, [])
    return generated.factory(
      this.#environment,
      generated.columns.map((name) => docMap.field(name)),
    )
  }
}
