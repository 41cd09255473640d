/**
 * Keeps the number of segments of a shard small, one merge at a time, concurrently with its writes.
 *
 * A merge reads segments as they were when it started. Deleted documents that it has to keep, and those deleted while
 * it ran, are deleted in its result too, through the map from old to new document numbers, before the result replaces
 * its inputs.
 */

import { breakers } from '../../../base/memory/process-memory.ts'
import type { ShardCounters } from '../shard-stats.ts'
import { diedBetween } from '../view/live-docs.ts'
import { type SegmentSet, segmentFileName, segmentNumberOf } from '../view/segment-set.ts'
import type { ShardSegment } from '../view/shard-segment.ts'
import { findForcedMerge, findMerge, type MergeCandidate, type MergePolicySettings } from './merge-policy.ts'
import type { MergeOutcome, MergeRunner } from './merge-runner.ts'

export interface MergeSchedulerOptions {
  readonly segments: SegmentSet
  readonly runner: MergeRunner
  readonly policy: () => MergePolicySettings
  readonly counters: ShardCounters
  /**
   * `wasCurrent` means that the view showed everything before, so that publishing the new list reveals nothing early.
   */
  readonly onMerged: (wasCurrent: boolean) => void
  readonly onFailure: (error: Error) => void
}

export class MergeScheduler {
  readonly #options: MergeSchedulerOptions
  #running: Promise<void> | undefined
  #stopped = false
  /** Increases when the list of segments is replaced during a merge. */
  #epoch = 0

  constructor(options: MergeSchedulerOptions) {
    this.#options = options
  }

  /** Called when the list of segments has changed. */
  consider(): void {
    if (this.#running !== undefined || this.#stopped) return
    const { segments } = this.#options.segments
    if (segments.length < 2 && segments.every((segment) => !segment.live.hasDeletes)) return
    const found = findMerge(this.#candidates('roughBytes'), this.#options.policy())
    if (found !== undefined) void this.#start(inTime(found)).then(() => this.consider(), ignore)
  }

  /**
   * `_forcemerge`: merges until at most the requested number of segments is left. Less than one leaves the choice to
   * the policy.
   */
  async force(options: { maxSegments: number; onlyExpungeDeletes: boolean }): Promise<void> {
    if (options.maxSegments < 1 && !options.onlyExpungeDeletes) {
      this.consider()
      await this.#running?.catch(ignore)
      return
    }
    while (!this.#stopped) {
      if (this.#running !== undefined) {
        await this.#running.catch(ignore)
        continue
      }
      const found = findForcedMerge(this.#candidates('luceneBytes'), options)
      if (found === undefined) return
      // Inputs and result are in memory at the same time. Automatic merges are small enough by their policy.
      const bytes = found.reduce((sum, candidate) => sum + candidate.bytes, 0)
      breakers().parent.check(bytes * 2, '<force_merge>')
      await this.#start(found)
      if (options.onlyExpungeDeletes) return
    }
  }

  /** The result of a running merge is discarded. */
  stop(): void {
    this.#stopped = true
  }

  /** The list of segments is replaced: the result of a running merge is useless. */
  abandon(): void {
    this.#epoch++
  }

  #candidates(size: 'luceneBytes' | 'roughBytes'): MergeCandidate[] {
    const { segments, retainedFrom, shape } = this.#options.segments
    return segments.map((segment, position) => {
      return {
        position,
        number: segmentNumberOf(segment.name)!,
        // Computed on demand: few segments are never merged.
        get bytes() {
          return segment[size](shape)
        },
        docCount: segment.docCount,
        keptCount: segment.keptCount(retainedFrom),
      }
    })
  }

  #start(candidates: readonly MergeCandidate[]): Promise<void> {
    const byName = new Map(this.#options.segments.segments.map((segment) => [segment.name, segment]))
    const inputs = candidates.map(({ number }) => byName.get(segmentFileName(number))!)
    this.#running = this.#merge(inputs).finally(() => {
      this.#running = undefined
    })
    return this.#running
  }

  async #merge(inputs: readonly ShardSegment[]): Promise<void> {
    const { segments, runner, counters, onFailure } = this.#options
    const outputName = segments.reserveName()
    const epoch = this.#epoch
    const { retainedFrom } = segments
    const kept = inputs.map((input) => input.keptDocs(retainedFrom))
    for (const input of inputs) {
      input.merging = true
      input.hold()
    }
    try {
      const outcome = await runner.run({
        directory: segments.directory,
        inputs: inputs.map((input, i) => ({ reader: input.reader, kept: kept[i] })),
        context: segments.mergeContext(),
        outputName,
      })
      if (this.#stopped || this.#epoch !== epoch) {
        segments.directory.delete(outputName)
        return
      }
      const merged = this.#open(outputName, outcome, inputs, kept)
      const wasCurrent = segments.isCurrent
      segments.replace(inputs, merged)
      segments.unpublished = true
      counters.mergeTotal++
      counters.mergedDocs += outcome.docCount
      counters.mergedBytes += merged?.fileBytes ?? 0
      this.#options.onMerged(wasCurrent)
    } catch (error) {
      segments.directory.delete(outputName)
      if (!this.#stopped) onFailure(error as Error)
      throw error
    } finally {
      for (const input of inputs) {
        input.merging = false
        input.release()
      }
    }
  }

  #open(
    name: string,
    outcome: MergeOutcome,
    inputs: readonly ShardSegment[],
    kept: readonly (Uint32Array | undefined)[],
  ): ShardSegment | undefined {
    if (outcome.docCount === 0) return undefined
    const merged = this.#options.segments.open(name)
    merged.synced = outcome.synced
    const { nested } = merged.use()
    inputs.forEach((input, i) => {
      diedBetween(kept[i], input.live.freeze(), input.docCount, (doc) => {
        const moved = outcome.docMaps[i]![doc]!
        const isRoot = nested === undefined || nested.pathOf[moved] === 0
        if (isRoot) merged.live.delete(moved, nested)
      })
    })
    merged.settle()
    return merged
  }
}

/**
 * Segments with many documents stay in the order in which they were written: numbers that increase over time then need
 * no index of their own. Elasticsearch's order depends on the timing of its threads.
 */
function inTime(candidates: readonly MergeCandidate[]): readonly MergeCandidate[] {
  const areSmall = candidates.every(({ docCount }) => docCount <= SMALL_DOCS_MAX)
  return areSmall ? candidates : [...candidates].sort((a, b) => a.position - b.position)
}

const SMALL_DOCS_MAX = 1000

function ignore(): void {}
