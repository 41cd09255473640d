/** A script that runs for documents. It is compiled for the fields of a mapping and then opened on each segment. */
import {
  type BlockResults,
  type CompiledScript,
  type ContextName,
  javaString,
  type ScriptBindings,
  type ScriptInstance,
  toJava,
} from '../painless/index.ts'
import type { SegmentReader } from '../segment/segment-reader-api.ts'
import { compile } from './compile-script.ts'
import { docValuesType, linkedField, type ScriptFields, SegmentDoc } from './doc-access.ts'
import { documentSource } from './document-source.ts'
import type { Script } from './script.ts'

export class DocumentScript {
  readonly compiled: CompiledScript
  readonly script: Script
  readonly #fields: ScriptFields

  /** Throws a script_exception if the script is invalid. */
  constructor(script: Script, context: ContextName, fields: ScriptFields) {
    this.script = script
    this.#fields = fields
    this.compiled = compile(script, context, (field) => docValuesType(fields, field))
    this.compiled.link?.(script.params, (field) => linkedField(fields, field))
  }

  get readsScore(): boolean {
    return this.compiled.traits.readsScore
  }

  open(reader: SegmentReader, bindings: ScriptBindings = {}): OpenScript {
    return new OpenScript(this.compiled, this.script.params, reader, this.#fields, bindings)
  }
}

export class OpenScript {
  readonly #instance: ScriptInstance
  #score = 0

  constructor(
    compiled: CompiledScript,
    params: unknown,
    reader: SegmentReader,
    fields: ScriptFields,
    bindings: ScriptBindings,
  ) {
    this.#instance = compiled.newInstance({
      params,
      doc: new SegmentDoc(reader, fields),
      score: () => this.#score,
      source: (doc) => documentSource(reader, doc),
      ...bindings,
    })
  }

  /** The result for a document. */
  run(doc: number, score = 0): unknown {
    this.#score = score
    return this.#instance.execute(doc)
  }

  /** The results for `docs[0, count)`, ascending. `scores` has the score of each if the script reads it. */
  runBlock(docs: Int32Array, count: number, results: BlockResults, scores?: Float32Array | Float64Array): void {
    if (this.tryBlock(docs, count, results, scores) < count) throw this.failure
  }

  /** Like `runBlock`. Returns the number of documents before the first that failed, with `failure`. */
  tryBlock(docs: Int32Array, count: number, results: BlockResults, scores?: Float32Array | Float64Array): number {
    return this.#instance.executeBlock(docs, count, results, scores)
  }

  /** Emits the results as values if the script is arithmetic. Returns false, and emits nothing, otherwise. */
  emitResults(docs: Int32Array, count: number): boolean {
    return this.#instance.emitResults?.(docs, count) ?? false
  }

  /** Like `emitResults`, for `count` documents from `from` on. */
  emitRange(from: number, count: number): boolean {
    return this.#instance.emitRange?.(from, count) ?? false
  }

  /** Whether every result is known to be a number from 0 to `limit`. */
  isWithin(limit: number, docs: Int32Array, count: number, scores?: Float32Array | Float64Array): boolean {
    return this.#instance.isWithin?.(limit, docs, count, scores) ?? false
  }

  get failure(): unknown {
    return this.#instance.failure
  }

  set(variable: string, value: unknown): void {
    this.#instance.set(variable, value)
  }
}

/** The text of a script as Elasticsearch prints it in queries and explanations. */
export function scriptText({ id, source, lang, params, options }: Script): string {
  // Maps are in the order of Java's hash maps.
  const shown = (value: unknown) => javaString(toJava(value))
  const kind =
    id === undefined
      ? `type=inline, lang='${lang}', idOrCode='${source}', options=${shown(options)}`
      : `type=stored, idOrCode='${id}'`
  return `Script{${kind}, params=${shown(params)}}`
}
