/**
 * Runs documents through the pipelines of the node. A pipeline is compiled on first use and cached until its definition
 * changes.
 *
 * A document goes through the pipeline of the request or the default pipeline of its index, and then through the final
 * pipeline. If a pipeline changes the index, the pipelines of the new index follow. Looking those up is the only
 * asynchronous step.
 */
import { ApiError, illegalArgument } from '../../../base/api-error.ts'
import { pipelineMissing } from '../../../base/errors/document-errors.ts'
import { documentSyntaxError } from '../../../base/errors/json-errors.ts'
import { selfReferencing } from '../../../base/errors/value-errors.ts'
import { JsonReader } from '../../../base/json/json-reader.ts'
import { JsonSyntaxError } from '../../../base/json/json-syntax-error.ts'
import { plainValue } from '../../../base/json/plain-value.ts'
import { JMap, javaString, resetScriptLimits } from '../../../engine/painless/index.ts'
import type { ScriptEnvironment } from '../../../engine/running/script-settings.ts'
import { scriptEnvironment, withScripts } from '../../../engine/scripts/script-environment.ts'
import { builtIn } from '../../metadata/built-in/built-ins.ts'
import { checkNoSelfReference, readSource, restoreSource, sourceText } from '../document/document-json.ts'
import { IngestBudget } from '../document/ingest-budget.ts'
import { IngestDocument } from '../document/ingest-document.ts'
import { compilePipeline, type PipelineSurroundings } from '../pipeline/compile-pipeline.ts'
import type { Config } from '../pipeline/config-reader.ts'
import { type PipelineRunner, ProcessorFailure, runPipeline, toApiError } from '../pipeline/step.ts'
import { runWatched } from '../regex/match-watch.ts'
import '../script-api/provide-processors.ts'
import type {
  IngestDefinitions,
  IngestedDocument,
  IngestRequest,
  IngestResult,
  IngestRoute,
  IngestStats,
} from './definitions.ts'
import { IngestCounters } from './ingest-counters.ts'
import { simulate } from './simulate.ts'

const nothing = (): IngestDefinitions => ({
  pipelines: {},
  scripts: {},
  scriptSettings: scriptEnvironment().settings,
  databaseFolder: undefined,
  isUsed: false,
  hasBuiltIns: true,
})

/** The location of a document's source: `bytes[start, end)`. */
export interface SourceRange {
  readonly bytes: Uint8Array
  readonly start: number
  readonly end: number
}

export class IngestRunner {
  readonly #routeOf: (index: string) => Promise<IngestRoute>
  readonly #compiled = new Map<string, { readonly text: string; readonly runner: PipelineRunner }>()
  readonly #counters = new IngestCounters()
  readonly #around: PipelineSurroundings
  readonly #nowMs: () => number
  #definitions = nothing()
  #scripts: ScriptEnvironment

  constructor(options: { readonly routeOf: (index: string) => Promise<IngestRoute>; readonly nowMs: () => number }) {
    this.#routeOf = options.routeOf
    this.#nowMs = options.nowMs
    const runner = this
    this.#around = {
      nowMs: options.nowMs,
      pipeline: (id) => this.pipeline(id),
      get databaseFolder() {
        return runner.#definitions.databaseFolder
      },
    }
    this.#scripts = this.#environment()
  }

  define(definitions: IngestDefinitions): void {
    this.#definitions = definitions
    this.#scripts = this.#environment()
    for (const [id, { text }] of this.#compiled) {
      if (this.#textOf(id) !== text) this.#compiled.delete(id)
    }
    this.#counters.keepOnly(this.#ids())
  }

  /** Whether a document may have to go through a pipeline that its request does not name. */
  get isUsed(): boolean {
    return this.#definitions.isUsed
  }

  pipeline(id: string): PipelineRunner | undefined {
    const text = this.#textOf(id)
    if (text === undefined) return undefined
    const known = this.#compiled.get(id)
    if (known?.text === text) return known.runner
    const runner = this.compile(id, parseConfig(text))
    this.#compiled.set(id, { text, runner })
    this.#counters.adopt(id, runner)
    return runner
  }

  #textOf(id: string): string | undefined {
    const { pipelines, hasBuiltIns } = this.#definitions
    if (Object.hasOwn(pipelines, id)) return pipelines[id]
    return hasBuiltIns ? builtIn('ingestPipelines').get(id)?.config : undefined
  }

  /** The pipelines of the node, those of users first. */
  #ids(): string[] {
    const { pipelines, hasBuiltIns } = this.#definitions
    const stored = Object.keys(pipelines)
    return hasBuiltIns ? [...new Set([...stored, ...builtIn('ingestPipelines').keys()])] : stored
  }

  /** Throws for an invalid definition. */
  compile(id: string, config: Config): PipelineRunner {
    return withScripts(this.#scripts, () => compilePipeline(id, config, this.#around))
  }

  /**
   * Runs documents under one time limit. Returns false if the limit was exceeded: the current document must then be run
   * again on its own.
   */
  watch(work: () => void): boolean {
    return withScripts(this.#scripts, () => {
      const isFinished = runWatched(work)
      if (!isFinished) restoreSource()
      return isFinished
    })
  }

  /** Throws, or rejects, with the error of the document. */
  run(request: IngestRequest, range: SourceRange): IngestResult | Promise<IngestResult> {
    const start = this.#counters.begins()
    let run: DocumentRun | undefined
    try {
      const document = IngestDocument.of(
        readDocument(range, this.#nowMs()),
        request,
        this.#nowMs(),
        new IngestBudget(range.end - range.start),
      )
      run = new DocumentRun(document, request, range)
      const result = this.#continue(run, request.pipeline, request.final)
      if (!(result instanceof Promise)) {
        this.#counters.ends(start, false)
        return result
      }
      return result.then(
        (value) => {
          this.#counters.ends(start, false)
          return value
        },
        (error: unknown) => {
          this.#counters.ends(start, true)
          throw traced(error, request, run)
        },
      )
    } catch (error) {
      this.#counters.ends(start, true)
      throw traced(error, request, run)
    }
  }

  simulate(request: { id: string | undefined; isVerbose: boolean; body: Uint8Array }): Uint8Array {
    resetScriptLimits()
    return withScripts(this.#scripts, () => simulate(request, this, this.#nowMs))
  }

  stats(): IngestStats {
    // Pipelines that have not processed a document yet are listed too.
    const ids = this.#ids()
    for (const id of ids) {
      try {
        this.pipeline(id)
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
      }
    }
    return this.#counters.stats(ids)
  }

  #continue(
    run: DocumentRun,
    pipeline: string | undefined,
    final: string | undefined,
  ): IngestResult | Promise<IngestResult> {
    const { document } = run
    if (pipeline !== undefined) {
      const moved = this.#runOne(run, pipeline, false)
      if (document.isDropped) return 'dropped'
      if (moved !== undefined) return this.#routeOf(moved).then((route) => this.#moved(run, route))
    }
    if (final !== undefined) {
      this.#runOne(run, final, true)
      if (document.isDropped) return 'dropped'
    }
    const source = this.#sourceOf(run)
    this.#counters.produced(run.executed[0], run.range.end - run.range.start, source.length)
    return ingested(run, source)
  }

  #sourceOf(run: DocumentRun): string {
    const { document } = run
    try {
      return sourceText(document.ctx, document.budget)
    } catch (error) {
      throw withoutSource(error, run, run.executed.at(-1))
    }
  }

  /** Returns the name of the new index if the pipeline changed it. */
  #runOne(run: DocumentRun, id: string, isFinal: boolean): string | undefined {
    const { document, history } = run
    const pipeline = this.pipeline(id)
    if (pipeline === undefined) throw pipelineMissing(id)
    const before = document.index
    resetScriptLimits()
    withScripts(this.#scripts, () => runPipeline(pipeline, document))
    run.executed.push(id)
    const after = document.index
    if (document.isDropped || after === before || after === null) return undefined
    if (isFinal) {
      throw userState(
        `final pipeline [${id}] can't change the target index (from [${before}] to [${after}]) for document [${document.id}]`,
      )
    }
    if (history.includes(after)) {
      const shown = [...history, after].join(', ')
      throw userState(
        `index cycle detected while processing pipeline [${id}] for document [${document.id}]: [${shown}]`,
      )
    }
    // A document without a source fails in the index from which the pipeline wanted to move it.
    try {
      checkNoSelfReference(document.ctx)
    } catch (error) {
      throw withoutSource(error, run, id)
    }
    history.push(after)
    return after
  }

  /** The default pipeline of the new index runs only after a reroute, not after `_index` was set. */
  #moved(run: DocumentRun, route: IngestRoute): IngestResult | Promise<IngestResult> {
    const pipeline = run.document.isRerouted ? route.default : undefined
    run.document.isRerouted = false
    return this.#continue(run, pipeline, route.final)
  }

  #environment(): ScriptEnvironment {
    const { scripts, scriptSettings } = this.#definitions
    const stored = (id: string) => (Object.hasOwn(scripts, id) ? scripts[id] : undefined)
    const forIndex = (indexName: string): ScriptEnvironment => ({
      stored,
      settings: scriptSettings,
      indexName,
      forIndex,
    })
    return forIndex('')
  }
}

/** The state of one document while its pipelines run. */
class DocumentRun {
  readonly document: IngestDocument
  readonly request: IngestRequest
  readonly range: SourceRange
  /** The indices that the document was assigned to, in order. */
  readonly history: string[]
  readonly executed: string[] = []

  constructor(document: IngestDocument, request: IngestRequest, range: SourceRange) {
    this.document = document
    this.request = request
    this.range = range
    this.history = [request.index]
  }
}

/** The error of a document that a pipeline made contain itself. Other errors stay as they are. */
function withoutSource(error: unknown, { document, history }: DocumentRun, pipeline: string | undefined): unknown {
  if (!(error instanceof ApiError) || pipeline === undefined || error.message !== selfReferencing().message)
    return error
  const shown = `${history.at(-1)}/${document.id ?? null}`
  return illegalArgument(
    `Failed to generate the source document for ingest pipeline [${pipeline}] for document [${shown}]`,
    error,
  )
}

/** The error of a document, with the place at which its pipelines failed. */
function traced(error: unknown, request: IngestRequest, run: DocumentRun | undefined): ApiError {
  const shown = toApiError(error)
  const index = run?.history.at(-1) ?? request.index
  shown.pipelineTrace =
    error instanceof ProcessorFailure
      ? { index, pipelines: error.pipelines, processorType: error.type, processorTag: error.tag }
      : { index, pipelines: run?.executed.slice(-1) ?? [] }
  return shown
}

function readDocument({ bytes, start, end }: SourceRange, nowMs: number) {
  try {
    return readSource(bytes, start, end, nowMs)
  } catch (error) {
    throw error instanceof JsonSyntaxError ? documentSyntaxError(error) : error
  }
}

export function parseConfig(text: string): Config {
  const reader = new JsonReader().reset(Buffer.from(text))
  reader.next()
  return plainValue(reader, true) as Config
}

const userState = (reason: string) => new ApiError(400, 'illegal_state_exception', reason)

function ingested({ document, executed, request }: DocumentRun, source: string): IngestedDocument {
  const { ctx } = document
  const index = document.index
  if (index === null) throw illegalArgument('index is missing')
  const whole = (name: string) => {
    const value = ctx.get_1(name)
    return value === null ? undefined : Number(value)
  }
  const templates = ctx.get_1('_dynamic_templates')
  return {
    index,
    id: document.id ?? undefined,
    routing: (ctx.get_1('_routing') as string | null) ?? undefined,
    version: whole('_version')!,
    versionType: (ctx.get_1('_version_type') as string | null) ?? request.versionType,
    ifSeqNo: whole('_if_seq_no'),
    ifPrimaryTerm: whole('_if_primary_term'),
    dynamicTemplates:
      templates instanceof JMap
        ? Object.fromEntries(templates.entries().map(({ key, value }) => [String(key), javaString(value)]))
        : undefined,
    source,
    executed,
  }
}
