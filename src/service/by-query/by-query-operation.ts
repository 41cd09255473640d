/** A complete reindex or by-query operation: one run, or one concurrent run per slice, and the combined response. */
import { AnsweredError, ApiError, errorObject, firstOfErrors } from '../../base/api-error.ts'
import { encodeJson } from '../../base/json/json-writer.ts'
import type { JsonObject } from '../metadata/metadata.ts'
import { type ByQueryOutcome, type ByQueryPlan, ByQueryRun } from './by-query-run.ts'
import { type ByQueryKind, ByQueryStatus } from './by-query-status.ts'

export interface OperationOptions {
  readonly kind: ByQueryKind
  readonly plan: ByQueryPlan
  readonly search: JsonObject
  /** 1 for an operation that is not sliced. */
  readonly slices: number
  /** The slice number given in the body. */
  readonly manualSlice: number | undefined
  readonly requestsPerSecond: number
}

export interface OperationResult {
  readonly status: number
  readonly body: JsonObject
}

export class ByQueryOperation {
  readonly #options: OperationOptions
  readonly #runs: { readonly run: ByQueryRun; readonly status: ByQueryStatus }[] = []
  #requestsPerSecond: number

  constructor(options: OperationOptions) {
    const { slices, plan, search, requestsPerSecond, manualSlice } = options
    this.#options = options
    this.#requestsPerSecond = requestsPerSecond
    for (let id = 0; id < slices; id++) {
      const body = slices === 1 ? search : { ...search, slice: { id, max: slices } }
      const status = new ByQueryStatus(requestsPerSecond / slices, slices === 1 ? manualSlice : id)
      const maxDocs = slices === 1 ? plan.maxDocs : shareOf(plan.maxDocs, id, slices)
      this.#runs.push({ status, run: new ByQueryRun(plan, { body: encodeJson(body), maxDocs }, status) })
    }
  }

  cancel(reason: string): void {
    for (const { run } of this.#runs) run.cancel(reason)
  }

  rethrottle(requestsPerSecond: number): void {
    this.#requestsPerSecond = requestsPerSecond
    for (const { run } of this.#runs) run.rethrottle(requestsPerSecond / this.#runs.length)
  }

  /** The counts so far, for tasks. */
  describe(): JsonObject {
    const nowMs = Date.now()
    const whole = this.#whole().printForTask(nowMs)
    return this.#isSliced ? { ...whole, slices: this.#runs.map(({ status }) => status.printForTask(nowMs)) } : whole
  }

  /** The indices that were written to, if the plan notes them. */
  get written(): string[] {
    return [...new Set(this.#runs.flatMap(({ run }) => [...run.written]))]
  }

  async run(): Promise<OperationResult> {
    const startedMs = performance.now()
    const settled = await Promise.allSettled(this.#runs.map(({ run }) => run.run()))
    const failed = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []))
    if (failed.length > 0) throw joinFailures(failed)
    const outcomes = settled.map((one) => (one as PromiseFulfilledResult<ByQueryOutcome>).value)
    const failures = [
      ...outcomes.flatMap((outcome) => outcome.failures),
      ...outcomes.flatMap((outcome) => outcome.searchFailures),
    ]
    const statuses = outcomes.flatMap(({ failures: own, searchFailures }) => [
      ...own.map((failure) => failure.status),
      ...searchFailures.map(statusOfSearchFailure),
    ])
    const nowMs = Date.now()
    const { kind } = this.#options
    return {
      status: Math.max(200, ...statuses),
      body: {
        took: Math.round(performance.now() - startedMs),
        timed_out: outcomes.some((outcome) => outcome.timedOut),
        ...this.#whole().print(kind, nowMs),
        ...(this.#isSliced ? { slices: this.#runs.map((slice) => slice.status.print(kind, nowMs)) } : {}),
        failures,
      },
    }
  }

  get #isSliced(): boolean {
    return this.#runs.length > 1
  }

  #whole(): ByQueryStatus {
    if (!this.#isSliced) return this.#runs[0]!.status
    return ByQueryStatus.sum(
      this.#runs.map(({ status }) => status),
      this.#requestsPerSecond,
    )
  }
}

/** The failure of the first slice, with those of the others as `suppressed`. */
function joinFailures(failures: readonly unknown[]): unknown {
  if (failures.every((failure) => failure instanceof ApiError)) return firstOfErrors(failures)
  const [first, ...others] = failures
  if (!(first instanceof AnsweredError) || others.length === 0) return first
  const suppressed = others.flatMap((other) => {
    if (other instanceof ApiError) return [errorObject(other)]
    if (!(other instanceof AnsweredError)) return []
    const { root_cause: _, ...error } = other.answer()
    return [error]
  })
  const body = { error: { ...first.answer(), suppressed }, status: first.status }
  return new AnsweredError(first.status, Buffer.from(encodeJson(body)))
}

/** A scroll that ended early is a missing resource; other failed searches are server failures. */
function statusOfSearchFailure(failure: unknown): number {
  const { reason } = failure as { readonly reason?: { readonly type?: unknown } }
  return reason?.type === 'search_context_missing_exception' ? 404 : 500
}

/** Distributes `total` documents over `slices`; the first slices take the remainder. */
function shareOf(total: number, slice: number, slices: number): number {
  if (total === Infinity) return total
  return Math.floor(total / slices) + (slice < total % slices ? 1 : 0)
}
