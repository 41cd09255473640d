/**
 * What the main thread and a writer thread tell each other. Everything is plain data; bytes change hands rather than being
 * copied, and live-document bits are shared memory.
 */

import { ApiError, type ApiErrorData, fromErrorData, toErrorData } from '../../base/api-error.ts'
import type { LogFields, LogLevel } from '../../base/log.ts'
import type { SharedBreakers } from '../../base/memory/circuit-breakers.ts'
import type { ViewDescriptor } from '../../engine/shard/view/published-view.ts'
import type { HostCallbacks, ShardKey } from '../../service/shards/shard-host.ts'

/** Requests a writer thread takes; the names are those of the executor's methods. */
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
  | 'reopenView'
  | 'close'

/** Questions a writer thread asks the main thread while it works. */
export type CallbackName = Exclude<keyof HostCallbacks, 'shardFailed'>

export type Outcome = { readonly value: unknown } | { readonly error: ThrownError }

export type ToWriter =
  | { readonly kind: 'call'; readonly id: number; readonly method: WriterMethod; readonly args: readonly unknown[] }
  | { readonly kind: 'reply'; readonly id: number; readonly outcome: Outcome }
  /** Nobody on the main thread reads this view any more. */
  | { readonly kind: 'releaseView'; readonly shardId: string; readonly generation: number }

export type ToMain =
  | { readonly kind: 'answer'; readonly id: number; readonly outcome: Outcome }
  | { readonly kind: 'ask'; readonly id: number; readonly name: CallbackName; readonly args: readonly unknown[] }
  | { readonly kind: 'shardFailed'; readonly key: ShardKey; readonly reason: string }
  /** A log line of the writer. The main thread owns the log's level, format and file. */
  | {
      readonly kind: 'log'
      readonly level: LogLevel
      readonly message: string
      readonly fields?: LogFields | undefined
    }
  | {
      readonly kind: 'view'
      readonly shardId: string
      readonly folder: string
      readonly view: ViewDescriptor
      /** The name of a view from before the start, instead of a new one. */
      readonly kept?: string
    }

/** The number of the writer thread among those that use the arena. The main thread is the first. */
export const WRITER_OWNER = 2

/** What the writer thread is started with. */
export interface WriterStart {
  readonly breakers: SharedBreakers
  readonly memory: WebAssembly.Memory
  readonly arenaBytes: number
}

/** An error on its way to another thread: an instance would arrive without its members. */
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
 * The bytes in memory of their own, so that they can be handed over: sending a slice would copy all of the memory behind it,
 * and what lies behind small buffers is Node's pool.
 */
export function ownBytes(bytes: Uint8Array): Uint8Array {
  const { buffer, byteOffset, byteLength } = bytes
  const isOwn = buffer instanceof ArrayBuffer && byteOffset === 0 && byteLength * 2 >= buffer.byteLength
  return isOwn && byteLength > POOLED_BYTES_MAX ? new Uint8Array(buffer, 0, byteLength) : new Uint8Array(bytes)
}

/** Buffers up to this size may come out of Node's pool, which must stay where it is. */
const POOLED_BYTES_MAX = 8192
