/**
 * Runs the processors of a pipeline on a document: conditions, `ignore_failure`, `on_failure`, statistics. A failure carries the
 * processor and the pipeline it comes from, which `on_failure` processors read in the ingest metadata.
 */
import { ApiError } from '../../../base/api-error.ts'
import { JavaThrowable, wireType } from '../../../engine/painless/index.ts'
import type { IngestDocument } from '../document/ingest-document.ts'
import type { Processor } from './processor.ts'

/** One document of so many is timed: reading the clock takes longer than most processors. */
export const TIMED_OF = 16

/** What a pipeline or processor did. Nobody looks while it runs, so that there is no count of those under way. */
export class StepCounters {
  count = 0
  failed = 0
  timeMs = 0
}

export interface Condition {
  readonly source: string
  holds(document: IngestDocument): boolean
}

/** One processor of a pipeline with everything around it. */
export interface Step {
  readonly type: string
  readonly tag: string | undefined
  readonly description: string | undefined
  readonly condition: Condition | undefined
  readonly ignoresFailure: boolean
  readonly onFailure: readonly Step[]
  readonly run: Processor
  /** The pipeline that a pipeline processor calls for a document. */
  readonly calls: ((document: IngestDocument) => PipelineRunner | undefined) | undefined
  readonly counters: StepCounters
}

/** A pipeline that can be run. */
export interface PipelineRunner {
  readonly id: string
  readonly steps: readonly Step[]
  readonly onFailure: readonly Step[]
  readonly counters: StepCounters
}

/** A processor failed. `cause` is what the answer shows. */
export class ProcessorFailure extends Error {
  override readonly cause: ApiError
  readonly type: string
  readonly tag: string | undefined
  readonly pipeline: string | undefined

  constructor(cause: ApiError, step: Pick<Step, 'type' | 'tag'>, pipeline: string | undefined) {
    super(cause.message)
    this.cause = cause
    this.type = step.type
    this.tag = step.tag
    this.pipeline = pipeline
  }
}

/** Watches a run, for the verbose simulation. */
export interface StepObserver {
  skipped(step: Step): void
  called(step: Step): void
  succeeded(step: Step, document: IngestDocument): void
  dropped(step: Step): void
  failed(step: Step, error: ApiError, document: IngestDocument): void
}

/** Runs a pipeline from its beginning, as the outermost or within another. */
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
      const failure = failureOf(error, conditional(steps[i]!), document)
      if (onFailure.length === 0) throw failure
      runOnFailure(onFailure, failure, document, observer)
      return
    }
  }
}

function runStep(step: Step, document: IngestDocument, observer: StepObserver | undefined): void {
  const { counters } = step
  let holds: boolean
  try {
    holds = step.condition === undefined || step.condition.holds(document)
  } catch (error) {
    // The verbose simulation of Elasticsearch evaluates the condition inside of what handles failures, a run outside of it.
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
    if (step.ignoresFailure) return
    if (step.onFailure.length === 0) throw error
    const failure = failureOf(error, step, document)
    runOnFailure(step.onFailure, failure, document, observer)
  } finally {
    if (isTimed) counters.timeMs += (performance.now() - start) * TIMED_OF
  }
}

/** Runs a processor within another one: its failure is that of the outer one, unless it deals with it itself. */
export function runInner(step: Step, document: IngestDocument): void {
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
  if (failure.pipeline !== undefined) ingest.put_2('on_failure_pipeline', failure.pipeline)
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

/** Elasticsearch puts a processor with a condition into another one, which is then the one that failed. */
const conditional = (step: Step): Pick<Step, 'type' | 'tag'> =>
  step.condition === undefined ? step : { type: 'conditional', tag: step.tag }

function failureOf(error: unknown, step: Pick<Step, 'type' | 'tag'>, document: IngestDocument): ProcessorFailure {
  if (error instanceof ProcessorFailure) return error
  return new ProcessorFailure(toApiError(error), step, document.pipelineStack.at(-1))
}

/** The error of a processor as it is answered. Errors of Java's classes are the document's fault. */
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
