/** Runs the lifecycles of data streams: rolls them over, merges indices that are no longer written to, deletes old ones. */
import type { Log } from '../../base/log.ts'
import { putIndex } from '../catalog/index-context.ts'
import { parseRollover } from '../data-streams/rollover-conditions.ts'
import {
  effectiveRetention,
  type GlobalRetention,
  generationTimeMs,
  managerOf,
  rolloverConditions,
} from '../definitions/stream-lifecycle.ts'
import type { DataStream, IndexMetadata } from '../metadata/metadata.ts'
import type { LifecycleServices } from './ilm-steps.ts'

/** The merge policy of indices that are no longer written to: fewer, larger segments. */
const TAIL_MERGING = { 'index.merge.policy.floor_segment': '100mb', 'index.merge.policy.merge_factor': '16' }

export interface StreamFailure {
  readonly message: string
  readonly firstMs: number
  readonly lastMs: number
  readonly retries: number
}

export class StreamRunner {
  readonly #services: LifecycleServices
  readonly #global: () => GlobalRetention
  readonly #log: Log
  /** The last problem of each index, until it is over. */
  readonly failures = new Map<string, StreamFailure>()

  constructor(services: LifecycleServices, global: () => GlobalRetention, log: Log) {
    this.#services = services
    this.#global = global
    this.#log = log
  }

  async run(): Promise<void> {
    for (const { name, lifecycle } of [...this.#services.context.store.state.dataStreams.values()]) {
      if (lifecycle?.enabled !== true) continue
      await this.#rollOver(name)
      await this.#merge(name)
      await this.#retain(name)
    }
    const { state } = this.#services.context.store
    for (const name of this.failures.keys()) if (state.index(name) === undefined) this.failures.delete(name)
  }

  async #rollOver(name: string): Promise<void> {
    const stream = this.#stream(name)
    const write = stream?.indices.at(-1)
    const index = write === undefined ? undefined : this.#services.context.store.state.index(write)
    if (stream === undefined || index === undefined || !isManaged(index, stream)) return
    await this.#attempt(index.name, async () => {
      const conditions = rolloverConditions(effectiveRetention(stream.lifecycle!, this.#global()))
      const request = parseRollover(Buffer.from(JSON.stringify({ conditions })))
      await this.#services.rollover.rollover(name, request, { newIndex: undefined, dryRun: false, lazy: false })
    })
  }

  async #merge(name: string): Promise<void> {
    const { settings, operations, context } = this.#services
    for (const index of this.#tail(name)) {
      if (index.mergedAtMs !== undefined || index.state !== 'open') continue
      await this.#attempt(index.name, async () => {
        await settings.put([index.name], TAIL_MERGING, {}, { preserveExisting: false, reopen: false })
        await operations.forceMerge(
          [index.name],
          {},
          { maxSegments: undefined, onlyExpungeDeletes: false, flush: true },
        )
        await context.store.update((state) => {
          const current = state.indexByUuid(index.uuid)
          return current === undefined ? [] : [putIndex({ ...current, mergedAtMs: context.clock.nowMs() })]
        })
      })
    }
  }

  async #retain(name: string): Promise<void> {
    const stream = this.#stream(name)
    const retention = stream?.lifecycle && effectiveRetention(stream.lifecycle, this.#global())
    if (retention === undefined) return
    const now = this.#services.context.clock.nowMs()
    for (const index of this.#tail(name)) {
      const since = generationTimeMs(index)
      if (since === undefined || now - since < retention.ms) continue
      await this.#attempt(index.name, async () => void (await this.#services.indices.delete([index.name], {})))
    }
  }

  #stream(name: string): DataStream | undefined {
    const stream = this.#services.context.store.state.dataStream(name)
    return stream?.lifecycle?.enabled === true ? stream : undefined
  }

  /** The indices of a stream that are no longer written to and have no policy of their own. */
  #tail(name: string): IndexMetadata[] {
    const { state } = this.#services.context.store
    const stream = this.#stream(name)
    return (stream?.indices.slice(0, -1) ?? [])
      .map((index) => state.index(index))
      .filter((index) => index !== undefined && isManaged(index, stream!)) as IndexMetadata[]
  }

  async #attempt(index: string, work: () => Promise<void>): Promise<void> {
    try {
      await work()
      this.failures.delete(index)
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      const now = this.#services.context.clock.nowMs()
      const before = this.failures.get(index)
      this.failures.set(index, {
        message,
        firstMs: before?.firstMs ?? now,
        lastMs: now,
        retries: (before?.retries ?? -1) + 1,
      })
      this.#log.warn('a data stream lifecycle step failed', { index, reason: message })
    }
  }
}

const isManaged = (index: IndexMetadata, stream: DataStream) =>
  managerOf(index.settings, stream.lifecycle) === 'Data stream lifecycle'
