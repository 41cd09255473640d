/** Statistics of pipelines for `_nodes/stats/ingest`. */
import { newMembers } from '../../../base/json/members.ts'
import { type PipelineRunner, type Step, StepCounters, TIMED_OF } from '../pipeline/step.ts'
import type { CounterStats, IngestStats, PipelineStats } from './definitions.ts'

interface PipelineCounters {
  runner: PipelineRunner
  /** The counts of earlier definitions of the pipeline. */
  readonly before: StepCounters
  ingestedBytes: number
  producedBytes: number
}

export class IngestCounters {
  readonly #total = new StepCounters()
  readonly #pipelines = new Map<string, PipelineCounters>()

  /** Called when a document starts. Returns the start time to pass to `ends`, or 0 if the document is not timed. */
  begins(): number {
    return this.#total.count++ % TIMED_OF === 0 ? performance.now() : 0
  }

  ends(startMs: number, hasFailed: boolean): void {
    if (startMs > 0) this.#total.timeMs += (performance.now() - startMs) * TIMED_OF
    if (hasFailed) this.#total.failed++
  }

  /** Bytes are counted for the first pipeline of a document. */
  produced(first: string | undefined, ingestedBytes: number, producedBytes: number): void {
    const counters = first === undefined ? undefined : this.#pipelines.get(first)
    if (counters === undefined) return
    counters.ingestedBytes += ingestedBytes
    counters.producedBytes += producedBytes
  }

  /** Called when a pipeline was compiled. The pipeline keeps its counts; those of its processors restart. */
  adopt(id: string, runner: PipelineRunner): void {
    const known = this.#pipelines.get(id)
    if (known === undefined) {
      this.#pipelines.set(id, { runner, before: new StepCounters(), ingestedBytes: 0, producedBytes: 0 })
      return
    }
    const { before } = known
    const { counters } = known.runner
    before.count += counters.count
    before.failed += counters.failed
    before.timeMs += counters.timeMs
    known.runner = runner
  }

  keepOnly(ids: readonly string[]): void {
    for (const id of this.#pipelines.keys()) if (!ids.includes(id)) this.#pipelines.delete(id)
  }

  stats(ids: readonly string[]): IngestStats {
    const pipelines: Record<string, PipelineStats> = newMembers()
    for (const id of ids) {
      const counters = this.#pipelines.get(id)
      if (counters !== undefined) pipelines[id] = pipelineStats(counters)
    }
    return { total: shown(this.#total), pipelines }
  }
}

function pipelineStats({ runner, before, ingestedBytes, producedBytes }: PipelineCounters): PipelineStats {
  const { counters, steps } = runner
  return {
    count: before.count + counters.count,
    failed: before.failed + counters.failed,
    timeMs: Math.round(before.timeMs + counters.timeMs),
    current: 0,
    ingestedBytes,
    producedBytes,
    processors: steps.map((step: Step) => ({ type: step.type, tag: step.tag, ...shown(step.counters) })),
  }
}

const shown = ({ count, failed, timeMs }: StepCounters): CounterStats => ({
  count,
  failed,
  current: 0,
  timeMs: Math.round(timeMs),
})
