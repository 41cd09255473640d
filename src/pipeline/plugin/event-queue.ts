/** The queue between inputs and workers. */
import type { Event } from '../event/event.ts'

/** Consecutive events of the queue. */
export interface Batch {
  readonly events: Event[]
  /** The events passed filters and outputs: the queue removes them and notifies their inputs. */
  acknowledge(): void
}

/** The fill level of a queue, for the monitoring API. */
export interface QueueState {
  readonly type: 'memory' | 'persisted'
  readonly events: number
  /** 0 for a memory queue, which counts events and not bytes. */
  readonly bytes: number
  readonly bytesMax: number
}

export interface EventQueue {
  readonly state: QueueState
  /** Returns a promise while the queue is full. The caller must await it before pushing again. */
  push(events: Event[], onAcknowledged?: () => void): Promise<void> | undefined
  /**
   * Takes up to `countMax` events, as soon as that many are available or `delayMs` after the first. Undefined once the
   * queue is closed and empty.
   */
  take(countMax: number, delayMs: number): Promise<Batch | undefined>
  /** No more pushes will follow. */
  close(): void
  /** The pipeline is stopping: a persistent queue need not hand out the rest. */
  stop?(): void
  /** Releases files. Called after the last acknowledgement. */
  release?(): Promise<void>
}
