/** Compiles a script and binds it to callers. */
import { isStackOverflow } from '../../base/errors/overflow.ts'
import { analyzeScript } from './analysis/analyzer.ts'
import type { ScriptIr } from './analysis/ir.ts'
import {
  type GeneratedScript,
  generateBlockScript,
  generateScript,
  type RunBlock,
  type RunDocument,
} from './codegen/generator.ts'
import type { EmitMode, KnownTypes } from './codegen/generator-base.ts'
import { contextDefinition } from './contexts/context.ts'
import type {
  BlockResults,
  CompiledScript,
  CompileRequest,
  DocValuesReader,
  RegexSettings,
  ScriptBindings,
  ScriptInstance,
  ScriptTraits,
} from './contract.ts'
import { compileError, runtimeError } from './errors/error-window.ts'
import { JavaThrowable, stackOverflow } from './errors/java-throwable.ts'
import { parseScript } from './parser/parser.ts'
import { locate } from './runtime/lang/throwables.ts'
import { resetLimits } from './runtime/limits.ts'
import { setRegexLimit } from './runtime/regex/regex-adapter.ts'
import type { BlockColumn } from './runtime/script/columns/block-column.ts'
import { ColumnProgram } from './runtime/script/columns/column-program.ts'
import type { DocMap } from './runtime/script/doc-map.ts'
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
  // Kept for the first variant for blocks only: most scripts have no other, and the tree is much larger than the code.
  let ir: ScriptIr | undefined
  try {
    ir = analyzeScript(parseScript(source), context, regex)
    statements = ir.statements
    generated = generateScript(ir, context, types)
  } catch (e) {
    if (e instanceof JavaThrowable) throw compileError(source, e)
    if (isStackOverflow(e)) throw compileError(source, stackOverflow())
    throw e
  }
  const { observed } = generated
  const traits: ScriptTraits = {
    fields: [...observed.fields],
    params: [...observed.params],
    dateParts: new Map(
      [...observed.dateParts]
        .filter(([field]) => !observed.wholeDates.has(field))
        .map(([field, parts]) => [field, [...parts]]),
    ),
    readsUnknownFields: observed.readsUnknownFields,
    readsSource: observed.readsSource,
    readsScore: observed.readsScore,
    deterministic: observed.deterministic && !observed.readsSource,
  }
  const analyzed = () => {
    const known = ir
    ir = undefined
    return known ?? analyzeScript(parseScript(source), context, regex)
  }
  const blocks = new Map<string, GeneratedScript<RunBlock>>()
  const script: Script = {
    source,
    statements,
    generated,
    limitFactor: regex.enabled === true ? 0 : regex.limitFactor,
    types,
    block({ bits, dense }) {
      const key = `${[...bits].join()} ${[...dense].join()}`
      let block = blocks.get(key)
      if (block === undefined) {
        const inSegment = {
          ...types,
          bits: (field: string) => bits.get(field) ?? Number.POSITIVE_INFINITY,
          dense: (field: string) => dense.has(field),
        }
        blocks.set(key, (block = generateBlockScript(analyzed(), context, inSegment)))
      }
      return block
    },
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
  /** The script for blocks of documents of a segment. */
  block(columns: ColumnShapes): GeneratedScript<RunBlock>
  /** The script without typed reads. */
  generic(): GeneratedScript
}

/** The properties of a segment's columns that the code for blocks depends on. */
interface ColumnShapes {
  /** How many bits the values of long and date fields have, in a few steps, for few variants of code. */
  readonly bits: Map<string, number>
  /** Fields with exactly one value in each document. */
  readonly dense: Set<string>
}

interface BoundBlock {
  /** The generated code, which is bound when it is first needed. */
  run: RunBlock | undefined
  readonly generated: GeneratedScript<RunBlock>
  /** The script as operations on whole blocks, if it is simple enough. */
  readonly program: ColumnProgram | undefined
  readonly typed: readonly { readonly column: BlockColumn; readonly readsLongs: boolean }[]
  readonly emits: EmitMode
}

const BIT_STEPS = [8, 16, 31, 42, 52]

class Instance implements ScriptInstance {
  readonly #script: Script
  readonly #environment: Environment
  #execute: RunDocument | undefined
  #block: BoundBlock | null | undefined
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
      // Work on the result, and on the next document, must not count for this run.
      resetLimits()
    }
  }

  executeBlock(docs: Int32Array, count: number, results?: BlockResults, scores?: Float32Array | Float64Array): number {
    const environment = this.#environment
    setRegexLimit(this.#script.limitFactor)
    this.failure = undefined
    try {
      if (this.#block === undefined) this.#block = this.#bindBlock()
      const block = this.#block
      if (block === null) return this.#oneByOne(docs, count, results, scores)
      loadColumns(block, docs, count)
      environment.stopped = 0
      const into = block.emits === 'calls' ? results : environment.bindings.emitBlock
      if (block.program?.run(docs, count, into, scores) === true) return count
      loadLongs(block, docs, count)
      block.run ??= this.#boundTo(block.generated)
      return block.run(docs, count, into, scores)
    } catch (e) {
      this.failure = this.#failed(e)
      return environment.stopped
    } finally {
      resetLimits()
    }
  }

  isWithin(limit: number, docs: Int32Array, count: number, scores?: Float32Array | Float64Array): boolean {
    const block = this.#block
    if (block?.program === undefined) return false
    for (const { column } of block.typed) column.bound(docs, count)
    return block.program.isWithin(limit, count, scores)
  }

  emitResults(docs: Int32Array, count: number): boolean {
    const { emitBlock } = this.#environment.bindings
    if (this.#block === undefined) this.#block = this.#bindBlock()
    const block = this.#block
    if (!block?.program || emitBlock === undefined) return false
    loadColumns(block, docs, count)
    return block.program.run(docs, count, emitBlock, undefined)
  }

  emitRange(from: number, count: number): boolean {
    // Before the first block nothing is known of the segment's columns.
    const block = this.#block
    const { emitBlock } = this.#environment.bindings
    if (block?.program === undefined || emitBlock === undefined) return false
    for (const { column } of block.typed) if (!column.loadRange(from, count)) return false
    return block.program.emitRange(from, count, emitBlock)
  }

  #failed(e: unknown): unknown {
    const { source, statements } = this.#script
    return runtimeError(source, statements, e instanceof JavaThrowable ? e : locate(e, -1))
  }

  /** Runs a block document by document, for fields whose readers have other types than the script was compiled for. */
  #oneByOne(
    docs: Int32Array,
    count: number,
    results: BlockResults | undefined,
    scores: Float32Array | Float64Array | undefined,
  ): number {
    const { bindings } = this.#environment
    for (let i = 0; i < count; i++) {
      try {
        bindings.begin?.(docs[i]!)
        this.#environment.givenScore = scores?.[i]
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

  /** Null if the script must run document by document. */
  #bindBlock(): BoundBlock | null {
    const block = this.#script.block(this.#columnShapes())
    const { docMap, bindings } = this.#environment
    if (!this.#fits(block) || (block.emits !== 'calls' && bindings.emitBlock === undefined)) return null
    const typed = block.typedColumns.map((i) => {
      const values = docMap!.field(block.columns[i]!)
      return { values, column: values.block, readsLongs: block.longColumns.has(i) }
    })
    if (typed.some(({ values }) => values.reader.canReadBlocks !== true)) return null
    if (block.emits === 'longs') bindings.emitBlock!.useLongs?.()
    return { run: undefined, generated: block, program: this.#program(block), typed, emits: block.emits }
  }

  #program({ plan, columns, typedColumns, params }: GeneratedScript<RunBlock>): ColumnProgram | undefined {
    if (plan === undefined) return undefined
    const { docMap } = this.#environment
    const byNumber = new Map(typedColumns.map((i) => [i, docMap!.field(columns[i]!).block]))
    const values = params.map(({ name, isPrimitive }) => this.#environment.param(name, isPrimitive))
    // The plan reads no others.
    const numbers = values.map((value) => (typeof value === 'number' ? value : Number.NaN))
    return ColumnProgram.bind(plan, byNumber, numbers)
  }

  #columnShapes(): ColumnShapes {
    const bits = new Map<string, number>()
    const dense = new Set<string>()
    const { docMap } = this.#environment
    if (docMap === undefined) return { bits, dense }
    for (const name of this.#script.generated.columns) {
      const reader = readerOf(docMap, name)
      if (reader?.isDense === true) dense.add(name)
      const range = this.#script.types.field(name) === 'long' ? reader?.range : undefined
      if (range === undefined) continue
      const most = Math.max(Math.abs(range.min), Math.abs(range.max), 1)
      bits.set(name, BIT_STEPS.find((step) => most < 2 ** step) ?? Number.POSITIVE_INFINITY)
    }
    return { bits, dense }
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
    return columns.every((name) => readerOf(docMap, name)?.type === this.#script.types.field(name))
  }
}

function loadColumns({ typed }: BoundBlock, docs: Int32Array, count: number): void {
  for (const { column } of typed) column.load(docs, count)
}

/** Loads the columns that generated code reads as 64-bit integers. Programs on whole blocks read none of them. */
function loadLongs({ typed }: BoundBlock, docs: Int32Array, count: number): void {
  for (const { column, readsLongs } of typed) if (readsLongs) column.loadLongs(docs, count)
}

/** Undefined for a field that cannot be read: its error is thrown when the script reads the field. */
function readerOf(docMap: DocMap, name: string): DocValuesReader | undefined {
  try {
    return docMap.field(name).reader
  } catch {
    return undefined
  }
}
