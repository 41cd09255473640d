/** Operations that continue after their request was answered (`wait_for_completion=false`), and their results. */
import { AnsweredError, ApiError, errorBody } from '../../base/api-error.ts'
import type { Clock } from '../../base/clock.ts'
import { RunningRequests } from './running-requests.ts'

/** The controls that a running operation offers to its task. */
export interface TaskControls {
  /** The `status` member of the task. */
  describe(): Record<string, unknown>
  cancel(reason: string): void
  rethrottle(requestsPerSecond: number): void
}

export interface TaskOptions {
  readonly controls?: TaskControls
  /** The client's `X-Opaque-Id`. */
  readonly opaqueId?: string | undefined
}

export interface Task extends TaskOptions {
  readonly id: number
  isCancelled: boolean
  readonly action: string
  readonly description: string
  readonly startedAtMs: number
  /** Set when the task has finished. */
  finishedAtMs: number | undefined
  response: unknown
  error: Record<string, unknown> | undefined
  /** Settles with the work and never rejects. */
  readonly done: Promise<void>
}

/** Where results are kept beyond the life of the process. */
export interface TaskStore {
  load(): Task[]
  keep(task: Task): Promise<void>
}

/** Maximum finished tasks that are kept. */
const FINISHED_MAX = 1000

export class TaskRegistry {
  readonly #clock: Clock
  readonly #tasks = new Map<number, Task>()
  readonly requests: RunningRequests
  readonly #store: TaskStore | undefined
  #lastId = 0

  constructor(clock: Clock, store?: TaskStore) {
    this.#clock = clock
    this.#store = store
    for (const task of store?.load() ?? []) {
      this.#tasks.set(task.id, task)
      this.#lastId = Math.max(this.#lastId, task.id)
    }
    this.requests = new RunningRequests(clock, () => this.nextId())
  }

  /** A new id. Requests that are tasks themselves take one too. */
  nextId(): number {
    return ++this.#lastId
  }

  start(action: string, description: string, work: Promise<unknown>, options: TaskOptions = {}): Task {
    const task: Task = {
      ...options,
      id: this.nextId(),
      isCancelled: false,
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

  /** The unfinished tasks, oldest first. */
  running(): Task[] {
    return [...this.#tasks.values()].filter((task) => task.finishedAtMs === undefined)
  }

  /** Cancels a running operation; undefined if it does not exist or was already cancelled. */
  cancel(id: number, reason: string): Task | undefined {
    const task = this.#tasks.get(id)
    if (task?.controls === undefined || task.finishedAtMs !== undefined || task.isCancelled) return undefined
    task.isCancelled = true
    task.controls.cancel(reason)
    return task
  }

  /** Whether the result of any task is kept. */
  get hasResults(): boolean {
    for (const { finishedAtMs } of this.#tasks.values()) if (finishedAtMs !== undefined) return true
    return false
  }

  get(id: number): Task | undefined {
    return this.#tasks.get(id)
  }

  async #finish(task: Task, response: unknown, error: unknown): Promise<void> {
    task.finishedAtMs = this.#clock.nowMs()
    task.response = response
    if (error !== undefined) task.error = describeError(error)
    const finished = [...this.#tasks.values()].filter((other) => other.finishedAtMs !== undefined)
    for (const old of finished.slice(0, Math.max(0, finished.length - FINISHED_MAX))) this.#tasks.delete(old.id)
    // The operation is complete. The metadata log reports that its result could not be stored.
    await this.#store?.keep(task).catch(() => {})
  }
}

function describeError(error: unknown): Record<string, unknown> {
  if (error instanceof AnsweredError) {
    const { root_cause: _roots, ...described } = error.answer()
    return described
  }
  if (!(error instanceof ApiError)) return { type: 'exception', reason: String(error) }
  const { root_cause: _roots, ...described } = errorBody(error).error
  return described
}
