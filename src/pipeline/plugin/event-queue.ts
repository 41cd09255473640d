/** What stands between inputs and workers. */
import type { Event } from '../event/event.ts'

/** Some events of the queue, in order. */
export interface Batch {
  readonly events: Event[]
  /** The events went through filters and outputs: the queue forgets them and tells their inputs. */
  acknowledge(): void
}

/** How full a queue is, for the monitoring API. */
export interface QueueState {
  readonly type: 'memory' | 'persisted'
  readonly events: number
  /** 0 in memory, where events are counted and not bytes. */
  readonly bytes: number
  readonly bytesMax: number
}

export interface EventQueue {
  readonly state: QueueState
  /** A promise while there is no room: whoever pushes waits for it before pushing again. */
  push(events: Event[], onAcknowledged?: () => void): Promise<void> | undefined
  /**
   * Up to `countMax` events, as soon as that many are there or `delayMs` after the first. Undefined once the queue is
   * closed and nothing is left to hand out.
   */
  take(countMax: number, delayMs: number): Promise<Batch | undefined>
  /** No more pushes will come. */
  close(): void
  /** The operator wants to end: a queue that keeps its events safe need not hand out the rest. */
  stop?(): void
  /** Releases files; after the last acknowledgement. */
  release?(): Promise<void>
}
