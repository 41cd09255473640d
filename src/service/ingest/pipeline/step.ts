/**
 * Runs the processors of a pipeline on a document, with conditions, `ignore_failure`, `on_failure` and statistics. A
 * failure carries its processor and pipeline; `on_failure` processors read them in the ingest metadata.
 */
import { ApiError } from '../../../base/api-error.ts'
import { JavaThrowable, wireType } from '../../../engine/painless/index.ts'
import { IngestBudgetError } from '../document/ingest-budget.ts'
import type { IngestDocument } from '../document/ingest-document.ts'
import type { Processor } from './processor.ts'

/** One in this many documents is timed, because reading the clock takes longer than most processors. */
export const TIMED_OF = 16

/**
 * Counters of a pipeline or processor. They are never read while a document is processed, so running documents are not
 * counted.
 */
export class StepCounters {
  count = 0
  failed = 0
  timeMs = 0
}

export interface Condition {
  readonly source: string
  holds(document: IngestDocument): boolean
}

/** A processor of a pipeline with its condition, failure handling and counters. */
export interface Step {
  readonly type: string
  readonly tag: string | undefined
  readonly description: string | undefined
  readonly condition: Condition | undefined
  readonly ignoresFailure: boolean
  readonly onFailure: readonly Step[]
  readonly run: Processor
  /** For a pipeline processor: the pipeline that it calls for a document. */
  readonly calls: ((document: IngestDocument) => PipelineRunner | undefined) | undefined
  readonly counters: StepCounters
}

/** A compiled pipeline. */
export interface PipelineRunner {
  readonly id: string
  readonly steps: readonly Step[]
  readonly onFailure: readonly Step[]
  readonly counters: StepCounters
}

/** The failure of a processor. `cause` is the error in the response. */
export class ProcessorFailure extends Error {
  override readonly cause: ApiError
  readonly type: string
  readonly tag: string | undefined
  /** The pipelines that were running, outermost first. */
  readonly pipelines: readonly string[]

  constructor(cause: ApiError, step: Pick<Step, 'type' | 'tag'>, pipelines: readonly string[]) {
    super(cause.message)
    this.cause = cause
    this.type = step.type
    this.tag = step.tag
    this.pipelines = pipelines
  }
}

/** Receives the result of every processor, for the verbose simulation. */
export interface StepObserver {
  skipped(step: Step): void
  called(step: Step): void
  succeeded(step: Step, document: IngestDocument): void
  dropped(step: Step): void
  failed(step: Step, error: ApiError, document: IngestDocument): void
}

/** Runs a whole pipeline, at the top level or called by another pipeline. */
export function runPipeline(pipeline: PipelineRunner, document: IngestDocument, observer?: StepObserver): void {
  document.enter(pipeline.id)
  const { counters } = pipeline
  const isTimed = counters.count++ % TIMED_OF === 0
  const start = isTimed ? performance.now() : 0
  try {
    runSteps(pipeline.steps, pipeline.onFailure, document, observer)
  } catch (error) {
    counters.failed++
    throw error
  } finally {
    if (isTimed) counters.timeMs += (performance.now() - start) * TIMED_OF
    document.isTerminated = false
    document.leave()
  }
}

function runSteps(
  steps: readonly Step[],
  onFailure: readonly Step[],
  document: IngestDocument,
  observer: StepObserver | undefined,
): void {
  for (let i = 0; i < steps.length; i++) {
    if (document.isDropped || document.isTerminated || document.isRerouted) return
    try {
      runStep(steps[i]!, document, observer)
    } catch (error) {
      if (error instanceof IngestBudgetError) throw error
      const step = observer === undefined ? conditional(steps[i]!) : steps[i]!
      const failure = failureOf(error, step, document)
      if (onFailure.length === 0) throw failure
      runOnFailure(onFailure, failure, document, observer)
      return
    }
  }
}

function runStep(step: Step, document: IngestDocument, observer: StepObserver | undefined): void {
  const { counters } = step
  document.budget.run(step.type)
  let holds: boolean
  try {
    holds = step.condition === undefined || step.condition.holds(document)
  } catch (error) {
    if (error instanceof IngestBudgetError) throw error
    // Elasticsearch's verbose simulation evaluates the condition inside the failure handling of the processor; a normal
    // run evaluates it outside.
    const isHandled = observer !== undefined && (step.ignoresFailure || step.onFailure.length > 0)
    if (!isHandled) throw error
    if (!step.ignoresFailure) runOnFailure(step.onFailure, failureOf(error, step, document), document, observer)
    return
  }
  if (!holds) {
    observer?.skipped(step)
    return
  }
  const isTimed = counters.count++ % TIMED_OF === 0
  const start = isTimed ? performance.now() : 0
  try {
    if (observer === undefined) step.run(document)
    else runObserved(step, document, observer)
  } catch (error) {
    counters.failed++
    if (error instanceof IngestBudgetError) throw error
    if (step.ignoresFailure) return
    const failure = failureOf(error, step, document)
    // In a verbose simulation the processor itself has failed, and not the condition around it.
    if (step.onFailure.length === 0) throw observer === undefined ? error : failure
    runOnFailure(step.onFailure, failure, document, observer)
  } finally {
    if (isTimed) counters.timeMs += (performance.now() - start) * TIMED_OF
  }
}

/**
 * Runs a processor inside another one. Its failure is the failure of the outer processor, unless it handles the failure
 * itself.
 */
export function runInner(step: Step, document: IngestDocument): void {
  document.budget.run(step.type)
  if (step.onFailure.length > 0 || step.ignoresFailure) {
    runStep(step, document, undefined)
    return
  }
  if (step.condition === undefined || step.condition.holds(document)) step.run(document)
}

function runObserved(step: Step, document: IngestDocument, observer: StepObserver): void {
  if (step.calls !== undefined) {
    const called = step.calls(document)
    if (called !== undefined) {
      observer.called(step)
      runPipeline(called, document, observer)
      return
    }
  }
  try {
    step.run(document)
  } catch (error) {
    if (error instanceof IngestBudgetError) throw error
    observer.failed(step, toApiError(error), document)
    throw error
  }
  if (document.isDropped) observer.dropped(step)
  else observer.succeeded(step, document)
}

function runOnFailure(
  steps: readonly Step[],
  failure: ProcessorFailure,
  document: IngestDocument,
  observer: StepObserver | undefined,
): void {
  const { ingest } = document
  let root: ApiError = failure.cause
  while (root.causedBy !== undefined) root = root.causedBy
  ingest.put_2('on_failure_message', root.message)
  ingest.put_2('on_failure_processor_type', failure.type)
  ingest.put_2('on_failure_processor_tag', failure.tag ?? null)
  const pipeline = failure.pipelines.at(-1)
  if (pipeline !== undefined) ingest.put_2('on_failure_pipeline', pipeline)
  try {
    for (const step of steps) {
      if (document.isDropped || document.isTerminated || document.isRerouted) return
      runStep(step, document, observer)
    }
  } finally {
    for (const name of FAILURE_FACTS) ingest.remove_1(name)
  }
}

const FAILURE_FACTS = [
  'on_failure_message',
  'on_failure_processor_type',
  'on_failure_processor_tag',
  'on_failure_pipeline',
]

/** Elasticsearch wraps a processor with a condition in a conditional processor, and reports that one as failed. */
const conditional = (step: Step): Pick<Step, 'type' | 'tag'> =>
  step.condition === undefined ? step : { type: 'conditional', tag: step.tag }

function failureOf(error: unknown, step: Pick<Step, 'type' | 'tag'>, document: IngestDocument): ProcessorFailure {
  if (error instanceof ProcessorFailure) return error
  return new ProcessorFailure(toApiError(error), step, [...document.pipelineStack])
}

/** The error of a processor in a response. Java exceptions are client errors. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ProcessorFailure) return error.cause
  if (error instanceof ApiError) return error
  if (error instanceof JavaThrowable) {
    const causedBy = error.causedBy === undefined ? undefined : toApiError(error.causedBy)
    const details = error.detail === null ? { reason: null } : {}
    return new ApiError(400, wireType(error.javaClass), error.detail ?? '', { causedBy, details })
  }
  throw error
}
