/**
 * A running pipeline: inputs fill the queue; workers take batches through filters and outputs and acknowledge them.
 *
 * It ends when all inputs have ended, or after `stop`. In both cases the queued events are processed first.
 */
import type { Event } from '../event/event.ts'
import type { Batch, EventQueue, QueueState } from '../plugin/event-queue.ts'
import type { InputSink } from '../plugin/input-plugin.ts'
import { BatchRunner } from './batch-runner.ts'
import { BatchWatch, type Stall } from './batch-watch.ts'
import type { BuiltPipeline, InputSlot } from './build.ts'
import { FilterSite } from './filter-site.ts'
import { PipelineMetrics } from './metrics.ts'
import { OutputRouter } from './output-router.ts'
import type { FilterStep, FilterTap } from './program.ts'
import type { PipelineSettings } from './settings.ts'

const FLUSH_INTERVAL_MS = 5000

/** A failed delivery is reported where it is awaited. */
const NOTHING = () => {}

export class Pipeline {
  readonly #built: BuiltPipeline
  readonly #queue: EventQueue
  readonly #settings: PipelineSettings
  readonly #filterSite: FilterSite
  readonly #router: OutputRouter
  readonly #watch: BatchWatch
  readonly metrics: PipelineMetrics
  /** How many batches of one worker outputs may process concurrently. */
  readonly #batchesAhead: number
  #inFlight = 0
  #isFlushing = false

  constructor(built: BuiltPipeline, queue: EventQueue, settings: PipelineSettings) {
    this.#built = built
    this.#queue = queue
    this.#settings = settings
    const wanted = built.outputs.map(({ output }) => output.batchesAhead ?? 1)
    this.#batchesAhead = settings.workers === 1 ? 1 : Math.max(1, ...wanted)
    this.#watch = new BatchWatch(settings.id, settings.log)
    this.#filterSite = new FilterSite(built.filters, built.filterSources, settings, this.#watch)
    this.#router = new OutputRouter(built.routes, built.outputs, settings.log, settings.deadLetters, this.#watch)
    this.metrics = new PipelineMetrics({
      inputs: built.inputs,
      filters: built.filters.flatMap((step) =>
        step.op === 'filter' ? [{ ...step, counters: step.filter.counters }] : [],
      ),
      outputs: built.outputs.map((slot) => ({ ...slot, counters: slot.output.counters })),
    })
  }

  get queueState(): QueueState {
    return this.#queue.state
  }

  /** What batches wait for longer than they should. */
  get stalls(): readonly Stall[] {
    return this.#watch.stalls
  }

  /** Events that were taken from the queue and are not yet acknowledged. */
  get inFlight(): number {
    return this.#inFlight
  }

  /**
   * Shows the events of a filter, by id or name, until the returned function is called. Undefined if there is no such
   * filter.
   */
  tap(filter: string, listener: FilterTap): (() => void) | undefined {
    const steps = this.#built.filters.filter(
      (step): step is FilterStep => step.op === 'filter' && (step.id === filter || step.name === filter),
    )
    if (steps.length === 0) return undefined
    for (const step of steps) step.tap = listener
    return () => {
      for (const step of steps) if (step.tap === listener) step.tap = undefined
    }
  }

  /** Opens outputs, then inputs, so that a plugin that cannot start is reported before events flow. */
  async start(): Promise<void> {
    for (const { output } of this.#built.outputs) await output.start?.()
    for (const { input } of this.#built.inputs) await input.start?.()
  }

  /** Resolves when all events were processed. */
  async run(): Promise<void> {
    const workers = Array.from({ length: this.#settings.workers }, () => this.#work())
    const flushTimer = this.#startFlushing()
    this.#watch.start()
    try {
      const done = Promise.all(workers)
      const ended = Promise.all(this.#built.inputs.map((slot) => this.#runInput(slot)))
      // A worker ends before the inputs only after a failure. Waiting for the inputs would hide it forever.
      await Promise.race([ended, done])
      this.#queue.close()
      await done
      await this.#flush(true)
    } finally {
      clearInterval(flushTimer)
      this.#watch.stop()
    }
    await this.#filterSite.close()
    for (const { input } of this.#built.inputs) await input.close?.()
    for (const step of this.#built.filters) if (step.op === 'filter') await step.filter.close?.()
    for (const { output } of this.#built.outputs) await output.close?.()
    await this.#queue.release?.()
  }

  stop(): void {
    this.#queue.stop?.()
    for (const { input } of this.#built.inputs) input.stop()
  }

  async #runInput({ name, id, input, decorate, counts }: InputSlot): Promise<void> {
    const sink: InputSink = {
      push: (events, onAcknowledged) => {
        counts.out += events.length
        this.metrics.in += events.length
        if (decorate !== undefined) this.#decorate(events, decorate, name, id)
        const room = this.#queue.push(events, onAcknowledged)
        if (room === undefined) return undefined
        const startMs = performance.now()
        return room.then(() => {
          counts.durationMs += performance.now() - startMs
        })
      },
    }
    try {
      await input.run(sink)
    } catch (error) {
      this.#settings.log.error(`Input ${name} ended with an error`, { id, error })
    }
  }

  /** An event in which a decoration cannot be stored must not end the input. */
  #decorate(events: readonly Event[], decorate: (event: Event) => void, name: string, id: string): void {
    for (let i = 0; i < events.length; i++) {
      try {
        decorate(events[i]!)
      } catch (error) {
        this.#settings.log.warn(`Options of input ${name} could not be applied to an event`, { id, error })
      }
    }
  }

  async #work(): Promise<void> {
    const filter = this.#filterSite.worker()
    const { batchSize, batchDelayMs } = this.#settings
    const underWay = new Set<Promise<void>>()
    for (;;) {
      const batch = await this.#queue.take(batchSize, batchDelayMs)
      if (batch === undefined) break
      this.#inFlight += batch.events.length
      const startMs = performance.now()
      const events = await filter(batch.events)
      this.metrics.filtered += events.length
      const delivery = this.#deliver(batch, events, startMs)
      if (this.#batchesAhead === 1) {
        await delivery
        continue
      }
      underWay.add(delivery)
      delivery.then(() => underWay.delete(delivery), NOTHING)
      if (underWay.size >= this.#batchesAhead) await Promise.race(underWay)
    }
    await Promise.all(underWay)
  }

  async #deliver(batch: Batch, events: readonly Event[], startMs: number): Promise<void> {
    await this.#router.write(events)
    this.metrics.out += events.length
    this.metrics.durationMs += performance.now() - startMs
    batch.acknowledge()
    this.#inFlight -= batch.events.length
  }

  #startFlushing(): NodeJS.Timeout | undefined {
    if (!this.#built.filters.some((step) => step.op === 'filter' && step.periodicFlush && step.filter.flush))
      return undefined
    const timer = setInterval(() => this.#flushNow(), this.#settings.flushIntervalMs ?? FLUSH_INTERVAL_MS)
    timer.unref()
    return timer
  }

  /** One flush at a time. A filter that fails is flushed again the next time. */
  #flushNow(): void {
    if (this.#isFlushing) return
    this.#isFlushing = true
    this.#flush(false)
      .catch((error) => this.#settings.log.error('Events that filters held back could not be taken on', { error }))
      .finally(() => {
        this.#isFlushing = false
      })
  }

  /** Events that filters held back continue after the filter they come from. */
  async #flush(final: boolean): Promise<void> {
    const { filters } = this.#built
    for (let at = 0; at < filters.length; at++) {
      const step = filters[at]!
      if (step.op !== 'filter' || step.filter.flush === undefined || !(final || step.periodicFlush)) continue
      const events: Event[] = []
      step.filter.flush(events, final)
      if (events.length === 0) continue
      const runner = new BatchRunner(filters, this.#settings.log, this.#settings.deadLetters, this.#watch)
      await this.#router.write(await runner.run(events, at + 1))
    }
  }
}
