/** `_simulate`: runs the documents of a request through a pipeline and returns the results. */
import { type ApiError, errorBody, illegalArgument } from '../../../base/api-error.ts'
import { jsonSyntaxError } from '../../../base/errors/json-errors.ts'
import { JsonReader } from '../../../base/json/json-reader.ts'
import { JsonSyntaxError } from '../../../base/json/json-syntax-error.ts'
import { encodeJson, RawJson } from '../../../base/json/json-writer.ts'
import { plainValue } from '../../../base/json/plain-value.ts'
import { type JHashMap, javaString } from '../../../engine/painless/index.ts'
import { javaText } from '../../../engine/values/java-text.ts'
import { IngestCtxMap, METADATA_NAMES } from '../document/ctx-map.ts'
import { sourceText, valueText } from '../document/document-json.ts'
import { IngestBudget, IngestBudgetError } from '../document/ingest-budget.ts'
import { IngestDocument } from '../document/ingest-document.ts'
import { type Config, ConfigReader, isObject } from '../pipeline/config-reader.ts'
import { javaOf } from '../pipeline/java-config.ts'
import { type PipelineRunner, runPipeline, type Step, type StepObserver, toApiError } from '../pipeline/step.ts'

const SIMULATED_ID = '_simulate_pipeline'

interface Pipelines {
  pipeline(id: string): PipelineRunner | undefined
  compile(id: string, config: Config): PipelineRunner
}

export function simulate(
  request: { readonly id: string | undefined; readonly isVerbose: boolean; readonly body: Uint8Array },
  pipelines: Pipelines,
  nowMs: () => number,
): Uint8Array {
  const reader = new ConfigReader(undefined as unknown as string, undefined, parseBody(request.body))
  const pipeline = pipelineOf(request.id, reader, pipelines)
  const documents = parseDocuments(reader, nowMs(), new IngestBudget(request.body.length))
  const docs = documents.map((document) =>
    request.isVerbose ? simulateVerbosely(pipeline, document) : simulateOne(pipeline, document),
  )
  return encodeJson({ docs })
}

function parseBody(body: Uint8Array): Config {
  try {
    const reader = new JsonReader().reset(Uint8Array.from(body))
    reader.next()
    const config = plainValue(reader, true)
    return isObject(config) ? config : {}
  } catch (error) {
    throw error instanceof JsonSyntaxError ? jsonSyntaxError(error) : error
  }
}

function pipelineOf(id: string | undefined, reader: ConfigReader, pipelines: Pipelines): PipelineRunner {
  if (id === undefined) return pipelines.compile(SIMULATED_ID, reader.map('pipeline'))
  const pipeline = pipelines.pipeline(id)
  if (pipeline === undefined) throw illegalArgument(`pipeline [${id}] does not exist`)
  return pipeline
}

function parseDocuments(reader: ConfigReader, nowMs: number, budget: IngestBudget): IngestDocument[] {
  const docs = reader.list('docs')
  if (docs.length === 0) throw illegalArgument('must specify at least one document in [docs]')
  return docs.map((doc) => {
    if (!isObject(doc)) throw illegalArgument('malformed [docs] section, should include an inner object')
    return parseDocument(new ConfigReader(undefined as unknown as string, undefined, doc), nowMs, budget)
  })
}

function parseDocument(reader: ConfigReader, nowMs: number, budget: IngestBudget): IngestDocument {
  const source = reader.map('_source')
  const index = reader.optionalStringOrInt('_index') ?? '_index'
  const id = reader.optionalStringOrInt('_id') ?? '_id'
  const routing = reader.optionalStringOrInt('_routing')
  const version = reader.optionalLong('_version') ?? -3
  const versionType = reader.optionalString('_version_type')
  const ifSeqNo = reader.optionalLong('_if_seq_no')
  const ifPrimaryTerm = reader.optionalLong('_if_primary_term')
  const metadata = { index, id, routing, version, versionType, ifSeqNo, ifPrimaryTerm }
  for (const name of ['_index', '_id', '_version', ...(routing === undefined ? [] : ['_routing'])]) {
    if (!Object.hasOwn(source, name)) continue
    throw illegalArgument(`unexpected metadata [${name}:${javaText(source[name], true)}] in source`)
  }
  try {
    const ctx = new IngestCtxMap(nowMs)
    for (const [name, value] of Object.entries(source)) ctx.put_2(name, javaOf(value))
    return IngestDocument.of(ctx, metadata, nowMs, budget)
  } catch (error) {
    throw toApiError(error)
  }
}

function simulateOne(pipeline: PipelineRunner, document: IngestDocument): unknown {
  try {
    runPipeline(pipeline, document)
  } catch (error) {
    // The budget is that of the whole request.
    if (error instanceof IngestBudgetError) throw error
    return { error: errorBody(toApiError(error)).error }
  }
  return document.isDropped ? null : { doc: documentJson(document) }
}

function simulateVerbosely(pipeline: PipelineRunner, document: IngestDocument): unknown {
  const tracker = new ResultTracker()
  try {
    runPipeline(pipeline, document, tracker)
  } catch (error) {
    if (error instanceof IngestBudgetError) throw error
    toApiError(error)
  }
  return { processor_results: tracker.results }
}

/** The document in the response of `_simulate`. Metadata are strings. */
function documentJson({ ctx, ingest, budget }: IngestDocument): Record<string, unknown> {
  const shown: Record<string, unknown> = {}
  for (const name of METADATA_NAMES) {
    const value = ctx.get_1(name)
    if (value !== null) shown[name] = javaString(value)
  }
  shown['_source'] = raw(sourceText(ctx, budget))
  shown['_ingest'] = raw(valueText(ingest as JHashMap))
  return shown
}

const raw = (text: string) => new RawJson(Buffer.from(text))

class ResultTracker implements StepObserver {
  readonly results: Record<string, unknown>[] = []

  skipped(step: Step): void {
    this.#add(step, 'skipped', false, {})
  }

  called(step: Step): void {
    this.#add(step, 'success', true, {})
  }

  succeeded(step: Step, document: IngestDocument): void {
    this.#add(step, 'success', true, { doc: documentJson(document) })
  }

  dropped(step: Step): void {
    this.#add(step, 'dropped', true, {})
  }

  failed(step: Step, failure: ApiError, document: IngestDocument): void {
    const { error } = errorBody(failure)
    if (step.ignoresFailure)
      this.#add(step, 'error_ignored', true, { ignored_error: { error }, doc: documentJson(document) })
    else this.#add(step, 'error', true, { error })
  }

  #add(step: Step, status: string, result: boolean, more: Record<string, unknown>): void {
    this.results.push({
      processor_type: step.type,
      status,
      ...(step.description === undefined ? {} : { description: step.description }),
      ...(step.tag === undefined ? {} : { tag: step.tag }),
      ...(step.condition === undefined ? {} : { if: { condition: step.condition.source, result } }),
      ...more,
    })
  }
}
