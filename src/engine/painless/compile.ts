/** Compiles a script and binds it to callers. */
import { analyzeScript } from './analysis/analyzer.ts'
import {
  type GeneratedScript,
  generateBlockScript,
  generateScript,
  type RunBlock,
  type RunDocument,
} from './codegen/generator.ts'
import type { KnownTypes } from './codegen/generator-base.ts'
import { contextDefinition } from './contexts/context.ts'
import type {
  BlockResults,
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
import type { DocValues } from './runtime/script/doc-values.ts'
import { Environment } from './runtime/script/environment.ts'

const DEFAULT_REGEX: RegexSettings = { enabled: 'limited', limitFactor: 6 }

const unknown = () => undefined

/** Compiles a script for a context. Throws PainlessCompileError. */
export function compileScript(request: CompileRequest): CompiledScript {
  const { source, context } = request
  const regex = request.regex ?? DEFAULT_REGEX
  const types: KnownTypes = { field: request.fieldType ?? unknown, param: request.paramType ?? unknown }
  let generated: GeneratedScript
  let statements: readonly number[]
  try {
    const ir = analyzeScript(parseScript(source), context, regex)
    statements = ir.statements
    generated = generateScript(ir, context, types)
  } catch (e) {
    if (e instanceof JavaThrowable) throw compileError(source, e)
    if (e instanceof RangeError) throw compileError(source, locate(e, -1))
    throw e
  }
  const { observed } = generated
  const traits: ScriptTraits = {
    fields: [...observed.fields],
    params: [...observed.params],
    readsUnknownFields: observed.readsUnknownFields,
    readsSource: observed.readsSource,
    readsScore: observed.readsScore,
    deterministic: observed.deterministic && !observed.readsSource,
  }
  const analyzed = () => analyzeScript(parseScript(source), context, regex)
  let block: GeneratedScript<RunBlock> | undefined
  const script: Script = {
    source,
    statements,
    generated,
    limitFactor: regex.enabled === true ? 0 : regex.limitFactor,
    types,
    block: () => (block ??= generateBlockScript(analyzed(), context, types)),
    generic: () => generateScript(analyzed(), context, { field: unknown, param: unknown }),
  }
  const definition = contextDefinition(context)
  return { source, context, traits, newInstance: (bindings = {}) => new Instance(script, definition, bindings) }
}

interface Script {
  source: string
  statements: readonly number[]
  generated: GeneratedScript
  limitFactor: number
  types: KnownTypes
  /** The script for blocks of documents. */
  block(): GeneratedScript<RunBlock>
  /** The script without typed reads. */
  generic(): GeneratedScript
}

class Instance implements ScriptInstance {
  readonly #script: Script
  readonly #environment: Environment
  #execute: RunDocument | undefined
  #block: { run: RunBlock; typed: readonly DocValues[] } | undefined
  failure: unknown

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
      throw this.#failed(e)
    } finally {
      // What is made of the result, or for the next document, is not the script's.
      resetLimits()
    }
  }

  executeBlock(docs: Int32Array, count: number, results?: BlockResults, scores?: Float32Array | Float64Array): number {
    const environment = this.#environment
    setRegexLimit(this.#script.limitFactor)
    this.failure = undefined
    try {
      const block = (this.#block ??= this.#bindBlock())
      if (block === undefined) return this.#oneByOne(docs, count, results)
      for (const column of block.typed) column.loadBlock(docs, count)
      environment.stopped = 0
      return block.run(docs, count, results, scores)
    } catch (e) {
      this.failure = this.#failed(e)
      return environment.stopped
    } finally {
      resetLimits()
    }
  }

  #failed(e: unknown): unknown {
    const { source, statements } = this.#script
    return runtimeError(source, statements, e instanceof JavaThrowable ? e : locate(e, -1))
  }

  /** Runs a block document by document, for fields whose readers have other types than the script was compiled for. */
  #oneByOne(docs: Int32Array, count: number, results: BlockResults | undefined): number {
    const { bindings } = this.#environment
    for (let i = 0; i < count; i++) {
      try {
        bindings.begin?.(docs[i]!)
        const result = this.execute(docs[i])
        if (results !== undefined) results[i] = result as never
      } catch (e) {
        this.failure = e
        return i
      }
    }
    return count
  }

  #bind(): RunDocument {
    const { generated, generic } = this.#script
    if (!this.#fits(generated)) return this.#boundTo(generic())
    return this.#boundTo(generated)
  }

  #bindBlock() {
    const block = this.#script.block()
    if (!this.#fits(block)) return undefined
    const { docMap } = this.#environment
    return { run: this.#boundTo(block), typed: block.typedColumns.map((i) => docMap!.field(block.columns[i]!)) }
  }

  #boundTo<F>({ factory, columns, params }: GeneratedScript<F>): F {
    const { docMap } = this.#environment
    return factory(
      this.#environment,
      columns.map((name) => docMap!.field(name)),
      params.map(({ name, isPrimitive }) => this.#environment.param(name, isPrimitive)),
    )
  }

  /**
   * Whether the readers have the types that the script was compiled for. If not, the script runs without typed reads.
   */
  #fits({ columns }: { columns: readonly string[] }): boolean {
    const { docMap } = this.#environment
    if (columns.length === 0) return true
    if (docMap === undefined) return false
    return columns.every((name) => {
      try {
        return docMap.field(name).reader.type === this.#script.types.field(name)
      } catch {
        // The error of a field that cannot be read is thrown when the script reads the field.
        return false
      }
    })
  }
}
