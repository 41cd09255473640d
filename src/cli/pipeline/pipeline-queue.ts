/** Opens the queues of a pipeline according to its settings. */
import { join, resolve } from 'node:path'
import { parseByteSize } from '../../base/byte-size.ts'
import { systemClock } from '../../base/clock.ts'
import { parseDuration } from '../../base/duration.ts'
import type { Log } from '../../base/log.ts'
import type { EventQueue } from '../../pipeline/plugin/event-queue.ts'
import type { DeadLetters } from '../../pipeline/plugin/plugin-context.ts'
import { DeadLetterQueue } from '../../pipeline/queue/dead-letter-queue.ts'
import { MemoryQueue } from '../../pipeline/queue/memory-queue.ts'
import { PersistedQueue } from '../../pipeline/queue/persisted-queue.ts'
import type { PipelineSettings } from '../../pipeline/runner/settings.ts'
import type { PipelineSettingValues } from './pipeline-settings.ts'

export async function openQueue(settings: PipelineSettingValues, own: PipelineSettings): Promise<EventQueue> {
  const countMax = own.workers * own.batchSize * 2
  if (settings.text('queue.type') === 'memory') return new MemoryQueue(countMax)
  return PersistedQueue.open({
    folder: join(folderOf(settings, 'path.queue', 'queue'), own.id),
    pageBytes: parseByteSize(settings.text('queue.page_capacity'), 'queue.page_capacity'),
    bytesMax: parseByteSize(settings.text('queue.max_bytes'), 'queue.max_bytes'),
    eventsMax: settings.number('queue.max_events'),
    // 0 disables checkpoints by count; only time triggers them.
    checkpointWrites: settings.number('queue.checkpoint.writes') || Number.MAX_SAFE_INTEGER,
    checkpointAcks: settings.number('queue.checkpoint.acks') || Number.MAX_SAFE_INTEGER,
    checkpointIntervalMs: settings.number('queue.checkpoint.interval') || 1000,
    drains: settings.flag('queue.drain'),
    memoryCountMax: countMax,
    log: own.log,
  })
}

/** Undefined unless the dead letter queue is enabled. */
export function openDeadLetters(settings: PipelineSettingValues, log: Log): DeadLetters | undefined {
  if (!settings.flag('dead_letter_queue.enable')) return undefined
  const age = settings.optional('dead_letter_queue.retain.age')
  const isOlderDropped = settings.text('dead_letter_queue.storage_policy') === 'drop_older'
  return new DeadLetterQueue({
    folder: join(folderOf(settings, 'path.dead_letter_queue', 'dead_letter_queue'), settings.text('pipeline.id')),
    bytesMax: parseByteSize(settings.text('dead_letter_queue.max_bytes'), 'dead_letter_queue.max_bytes'),
    policy: isOlderDropped ? 'drop_older' : 'drop_newer',
    keepMs: age === undefined ? undefined : parseDuration(age, 'dead_letter_queue.retain.age'),
    log,
    clock: systemClock,
  })
}

function folderOf(settings: PipelineSettingValues, name: string, standard: string): string {
  return resolve(settings.optional(name) ?? join(settings.text('path.data'), standard))
}
