/** Work that goes on after its request was answered (`wait_for_completion=false`), and what came of it. */
import { ApiError, errorBody } from '../../base/api-error.ts'
import type { Clock } from '../../base/clock.ts'
import { RunningRequests } from './running-requests.ts'

export interface Task {
  readonly id: number
  readonly action: string
  readonly description: string
  readonly startedAtMs: number
  /** Set when it is over. */
  finishedAtMs: number | undefined
  response: unknown
  error: Record<string, unknown> | undefined
  /** Settles with the work and never rejects. */
  readonly done: Promise<void>
}

/** Finished tasks that can still be asked about. */
const FINISHED_MAX = 1000

export class TaskRegistry {
  readonly #clock: Clock
  readonly #tasks = new Map<number, Task>()
  readonly requests: RunningRequests
  #lastId = 0

  constructor(clock: Clock) {
    this.#clock = clock
    this.requests = new RunningRequests(clock, () => this.nextId())
  }

  /** A number no task had before: requests that are tasks of their own take one too. */
  nextId(): number {
    return ++this.#lastId
  }

  start(action: string, description: string, work: Promise<unknown>): Task {
    const task: Task = {
      id: this.nextId(),
      action,
      description,
      startedAtMs: this.#clock.nowMs(),
      finishedAtMs: undefined,
      response: undefined,
      error: undefined,
      done: work.then(
        (response) => this.#finish(task, response, undefined),
        (error: unknown) => this.#finish(task, undefined, error),
      ),
    }
    this.#tasks.set(task.id, task)
    return task
  }

  /** Those that are not over yet, oldest first. */
  running(): Task[] {
    return [...this.#tasks.values()].filter((task) => task.finishedAtMs === undefined)
  }

  get(id: number): Task | undefined {
    return this.#tasks.get(id)
  }

  #finish(task: Task, response: unknown, error: unknown): void {
    task.finishedAtMs = this.#clock.nowMs()
    task.response = response
    if (error !== undefined) task.error = describeError(error)
    const finished = [...this.#tasks.values()].filter((other) => other.finishedAtMs !== undefined)
    for (const old of finished.slice(0, Math.max(0, finished.length - FINISHED_MAX))) this.#tasks.delete(old.id)
  }
}

function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof ApiError)) return { type: 'exception', reason: String(error) }
  const { root_cause: _roots, ...described } = errorBody(error).error
  return described
}
