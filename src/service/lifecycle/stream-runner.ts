/** Runs the lifecycles of data streams and their failure stores: rolls them over, merges indices that are no longer written to, deletes old ones. */
import type { Log } from '../../base/log.ts'
import { putIndex } from '../catalog/index-context.ts'
import { parseRollover } from '../data-streams/rollover-conditions.ts'
import { failuresLifecycle, failuresRetention } from '../definitions/failure-store.ts'
import {
  type EffectiveRetention,
  effectiveRetention,
  type GlobalRetention,
  generationTimeMs,
  managerOf,
  rolloverConditions,
} from '../definitions/stream-lifecycle.ts'
import type { IndexMetadata, StreamLifecycle } from '../metadata/metadata.ts'
import { FAILURES } from '../metadata/metadata-state.ts'
import type { LifecycleServices } from './ilm-steps.ts'

/** The merge policy of indices that are no longer written to: fewer, larger segments. */
const TAIL_MERGING = { 'index.merge.policy.floor_segment': '100mb', 'index.merge.policy.merge_factor': '16' }

export interface StreamFailure {
  readonly message: string
  readonly firstMs: number
  readonly lastMs: number
  readonly retries: number
}

interface StreamPart {
  readonly indices: readonly IndexMetadata[]
  readonly lifecycle: StreamLifecycle
  readonly retention: EffectiveRetention | undefined
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
    for (const { name } of [...this.#services.context.store.state.dataStreams.values()]) {
      for (const target of [name, `${name}${FAILURES}`]) {
        await this.#rollOver(target)
        await this.#merge(target)
        await this.#retain(target)
      }
    }
    const { state } = this.#services.context.store
    for (const name of this.failures.keys()) if (state.index(name) === undefined) this.failures.delete(name)
  }

  async #rollOver(target: string): Promise<void> {
    const part = this.#part(target)
    const index = part?.indices.at(-1)
    if (part === undefined || index === undefined || !isManaged(index, part)) return
    await this.#attempt(index.name, async () => {
      const request = parseRollover(Buffer.from(JSON.stringify({ conditions: rolloverConditions(part.retention) })))
      await this.#services.rollover.rollover(target, request, { newIndex: undefined, dryRun: false, lazy: false })
    })
  }

  async #merge(target: string): Promise<void> {
    const { settings, operations, context } = this.#services
    for (const index of this.#tail(target)) {
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

  async #retain(target: string): Promise<void> {
    const retention = this.#part(target)?.retention
    if (retention === undefined) return
    const now = this.#services.context.clock.nowMs()
    for (const index of this.#tail(target)) {
      const since = generationTimeMs(index)
      if (since === undefined || now - since < retention.ms) continue
      await this.#attempt(index.name, async () => void (await this.#services.indices.delete([index.name], {})))
    }
  }

  /** The indices behind a stream, or behind its failure store, with their lifecycle; undefined if it is not enabled. */
  #part(target: string): StreamPart | undefined {
    const thing = this.#services.context.store.state.named(target)
    if (thing?.kind !== 'dataStream') return undefined
    const { stream, indices } = thing
    const ofFailures = target.endsWith(FAILURES)
    const lifecycle = ofFailures
      ? failuresLifecycle(stream, this.#services.dataStreams.keepsFailures(stream))
      : stream.lifecycle
    if (lifecycle?.enabled !== true) return undefined
    const retention = (ofFailures ? failuresRetention : effectiveRetention)(lifecycle, this.#global())
    return { indices, lifecycle, retention }
  }

  /** The indices that are no longer written to and have no policy of their own. */
  #tail(target: string): IndexMetadata[] {
    const part = this.#part(target)
    return part?.indices.slice(0, -1).filter((index) => isManaged(index, part)) ?? []
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

const isManaged = (index: IndexMetadata, { lifecycle }: StreamPart) =>
  managerOf(index.settings, lifecycle) === 'Data stream lifecycle'
