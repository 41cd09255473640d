/**
 * Worker threads that run filters. Events move between threads as text, which costs about ten microseconds each. That
 * is worth it only for filters that take many times longer; filter-site.ts decides.
 */
import type { Worker } from 'node:worker_threads'
import { systemClock } from '../../base/clock.ts'
import type { Log, LogFields } from '../../base/log.ts'
import { startWorker } from '../../base/start-worker.ts'
import type { ConfigFile } from '../config/config-files.ts'
import type { Event } from '../event/event.ts'
import { currentEscapeStyle, type EscapeStyle } from '../event/field-reference.ts'
import { decodeEvent, encodeEvent } from '../queue/stored-event.ts'
import type { FilterStep, Instruction } from './program.ts'
import type { PipelineSettings } from './settings.ts'

/** The text of a file that contains filters. */
export type FilterSource = Omit<ConfigFile, 'path'> & { readonly path: string | undefined }

/** The settings of a worker thread: all that can be sent between threads. */
export interface FilterThreadStart extends Omit<PipelineSettings, 'clock' | 'log' | 'deadLetters'> {
  readonly sources: readonly FilterSource[]
  readonly escapeStyle: EscapeStyle
  /** The time of a fixed clock. */
  readonly nowMs: number | undefined
}

export interface FilterBatch {
  readonly number: number
  readonly events: readonly string[]
}

export interface FilteredBatch extends FilterBatch {
  readonly counts: readonly StepCounts[]
}

export interface StepCounts {
  readonly in: number
  readonly out: number
  readonly durationMs: number
  readonly counters: Readonly<Record<string, number>>
}

export interface ThreadLogLine {
  readonly level: keyof Log
  readonly message: string
  readonly fields: LogFields | undefined
}

interface Waiting {
  resolve(events: Event[]): void
  reject(error: Error): void
}

interface Thread {
  readonly worker: Worker
  readonly waiting: Map<number, Waiting>
}

export class FilterThreads {
  readonly #threads: Thread[] = []
  readonly #steps: readonly FilterStep[]
  readonly #log: Log
  #number = 0

  private constructor(program: readonly Instruction[], log: Log) {
    this.#steps = program.filter((step): step is FilterStep => step.op === 'filter')
    this.#log = log
  }

  /** Resolves when all threads are ready. Rejects if one cannot build the filters, although this thread could. */
  static async start(
    count: number,
    program: readonly Instruction[],
    sources: readonly FilterSource[],
    settings: PipelineSettings,
  ): Promise<FilterThreads> {
    const { clock, log, deadLetters: _here, ...rest } = settings
    const nowMs = clock === systemClock ? undefined : clock.nowMs()
    const start: FilterThreadStart = { ...rest, sources, escapeStyle: currentEscapeStyle(), nowMs }
    const threads = new FilterThreads(program, log)
    try {
      await Promise.all(Array.from({ length: count }, () => threads.#startOne(start)))
    } catch (error) {
      await threads.close()
      throw error
    }
    return threads
  }

  /** Rejects if the thread died; the events are then unchanged. */
  async run(events: readonly Event[]): Promise<Event[]> {
    const [thread] = [...this.#threads].sort((a, b) => a.waiting.size - b.waiting.size)
    if (thread === undefined) throw new Error('no thread is left')
    const number = ++this.#number
    const encoded = events.map(encodeEvent)
    return new Promise((resolve, reject) => {
      thread.waiting.set(number, { resolve, reject })
      thread.worker.postMessage({ number, events: encoded } satisfies FilterBatch)
    })
  }

  /** Rejects the running batches. */
  async close(): Promise<void> {
    for (const thread of [...this.#threads]) {
      this.#lose(thread, new Error('the filter threads were closed'))
      await thread.worker.terminate()
    }
  }

  #startOne(start: FilterThreadStart): Promise<void> {
    const worker = startWorker('./filter-thread', import.meta.url, { workerData: start })
    const thread: Thread = { worker, waiting: new Map() }
    this.#threads.push(thread)
    // The pipeline keeps the process alive as long as there is something to filter.
    worker.unref()
    return new Promise((resolve, reject) => {
      worker.on('message', (message: 'ready' | FilteredBatch | ThreadLogLine) => {
        if (message === 'ready') resolve()
        else if ('level' in message) this.#log[message.level](message.message, message.fields)
        else this.#finish(thread, message)
      })
      const lose = (error: Error) => {
        reject(error)
        this.#lose(thread, error)
      }
      worker.on('error', lose)
      // A thread may also end without an error: by `process.exit`, or because somebody terminated it.
      worker.on('exit', (code) => lose(new Error(`the thread has ended with code ${code}`)))
    })
  }

  #finish(thread: Thread, { number, events, counts }: FilteredBatch): void {
    counts.forEach((counted, i) => {
      const { counts: own, filter } = this.#steps[i]!
      own.in += counted.in
      own.out += counted.out
      own.durationMs += counted.durationMs
      const counters = filter.counters as Record<string, number> | undefined
      for (const name in counters) counters[name]! += counted.counters[name] ?? 0
    })
    const waiting = thread.waiting.get(number)
    thread.waiting.delete(number)
    try {
      waiting?.resolve(events.map(decodeEvent))
    } catch (error) {
      waiting?.reject(error as Error)
    }
  }

  #lose(thread: Thread, error: Error): void {
    const at = this.#threads.indexOf(thread)
    if (at >= 0) this.#threads.splice(at, 1)
    for (const { reject } of thread.waiting.values()) reject(error)
    thread.waiting.clear()
  }
}
