/**
 * Messages between the main thread and a writer thread. They are plain data; bytes are transferred rather than copied,
 * and live-docs bits are in shared memory.
 */

import { ApiError, type ApiErrorData, fromErrorData, toErrorData } from '../../base/api-error.ts'
import type { LogMessage } from '../../base/forwarded-log.ts'
import type { SharedBreakers } from '../../base/memory/circuit-breakers.ts'
import type { ViewDescriptor } from '../../engine/shard/view/published-view.ts'
import type { HostCallbacks, ShardKey } from '../../service/shards/shard-host.ts'
import type { DocumentCall, DocumentReply } from './document-messages.ts'

/** Requests to a writer thread, named after the executor's methods. */
export type WriterMethod =
  | 'openShard'
  | 'closeShard'
  | 'setMapping'
  | 'setSettings'
  | 'write'
  | 'bulk'
  | 'get'
  | 'refresh'
  | 'flush'
  | 'forceMerge'
  | 'stats'
  | 'segments'
  | 'noteSearch'
  | 'defineIngest'
  | 'runIngest'
  | 'simulateIngest'
  | 'ingestStats'
  | 'keepView'
  | 'dropView'
  | 'dropUnclaimedViews'
  | 'failShard'
  | 'reopenView'
  | 'leaseHistory'
  | 'releaseHistory'
  | 'readHistory'
  | 'close'

/** Requests of a writer thread to the main thread. */
export type CallbackName = Exclude<keyof HostCallbacks, 'shardFailed'>

export type Outcome = { readonly value: unknown } | { readonly error: ThrownError }

export type ToWriter =
  | DocumentCall
  | { readonly kind: 'call'; readonly id: number; readonly method: WriterMethod; readonly args: readonly unknown[] }
  | { readonly kind: 'reply'; readonly id: number; readonly outcome: Outcome }
  /** The main thread no longer reads this view. */
  | { readonly kind: 'releaseView'; readonly shardId: string; readonly generation: number }

export type ToMain =
  | DocumentReply
  | {
      readonly kind: 'answer'
      readonly id: number
      readonly outcome: Outcome
      /** The memory of the request's body, for another one. */
      readonly body?: ArrayBuffer
    }
  | { readonly kind: 'ask'; readonly id: number; readonly name: CallbackName; readonly args: readonly unknown[] }
  | { readonly kind: 'shardFailed'; readonly key: ShardKey; readonly reason: string }
  | LogMessage
  | {
      readonly kind: 'view'
      readonly shardId: string
      readonly folder: string
      readonly view: ViewDescriptor
      /** The name of a view from before the restart, in place of a new one. */
      readonly kept?: string
    }

/** The writer thread's number among the users of the arena. The main thread is the first. */
export const WRITER_OWNER = 2

/** The startup data of the writer thread, its first message. */
export interface WriterStart {
  readonly breakers: SharedBreakers
  readonly memory: WebAssembly.Memory
  readonly arenaBytes: number
  /** The last view of the thread's predecessor: the main thread may still hold it, so no other view gets its number. */
  readonly lastGeneration: number
}

/** An error sent to another thread. An instance would arrive without its members. */
export type ThrownError =
  | { readonly api: ApiErrorData }
  | { readonly message: string; readonly stack: string | undefined; readonly code: string | undefined }

export function packError(error: unknown): ThrownError {
  if (error instanceof ApiError) return { api: toErrorData(error) }
  const { message, stack, code } = (error instanceof Error ? error : new Error(String(error))) as NodeJS.ErrnoException
  return { message, stack, code }
}

export function unpackError(error: ThrownError): Error {
  if ('api' in error) return fromErrorData(error.api)
  const unpacked = new Error(error.message)
  if (error.stack !== undefined) unpacked.stack = error.stack
  // The system's error code: a full disk is answered differently from a bug.
  if (error.code !== undefined) Object.assign(unpacked, { code: error.code })
  return unpacked
}

/**
 * The bytes in a buffer of their own, so that they can be transferred. Sending a slice would copy the whole buffer
 * behind it, which for small buffers is Node's pool.
 */
export function ownBytes(bytes: Uint8Array): Uint8Array {
  const { buffer, byteOffset, byteLength } = bytes
  const isOwn = buffer instanceof ArrayBuffer && byteOffset === 0 && byteLength * 2 >= buffer.byteLength
  return isOwn && byteLength > POOLED_BYTES_MAX ? new Uint8Array(buffer, 0, byteLength) : new Uint8Array(bytes)
}

/** Buffers up to this size may come from Node's pool, which must not be transferred. */
const POOLED_BYTES_MAX = 8192
