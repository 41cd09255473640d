/** The writer thread: an executor behind messages. The first message is its startup data (`writer-start.ts`). */
import { parentPort } from 'node:worker_threads'
import { forwardedLog } from '../../base/forwarded-log.ts'
import { isBodyMemory } from '../../base/memory/body-memory.ts'
import { attachMemory, breakers, noteGarbage } from '../../base/memory/process-memory.ts'
import { Arena } from '../../engine/memory/arena.ts'
import { BackgroundSealer } from '../../engine/shard/refresh/sealer.ts'
import { continueGenerations, type PublishedView } from '../../engine/shard/view/published-view.ts'
import { ShardExecutor } from '../../service/shards/shard-executor.ts'
import type {
  BulkAnswer,
  BulkRequest,
  GetAnswer,
  HostCallbacks,
  ShardChanges,
  ShardConfig,
  ShardKey,
  WriteAnswer,
} from '../../service/shards/shard-host.ts'
import { shardIdOf } from '../../service/shards/shard-id.ts'
import {
  type DocumentCall,
  type DocumentReply,
  isDocumentCall,
  packFound,
  packWritten,
  unpackGet,
  unpackWrite,
} from './document-messages.ts'
import {
  type CallbackName,
  type Outcome,
  packError,
  type ToMain,
  type ToWriter,
  unpackError,
  WRITER_OWNER,
  type WriterStart,
} from './thread-messages.ts'

const port = parentPort!
let executor: ShardExecutor

/** Requests to the main thread that wait for their reply. */
const asked = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>()
let lastAsked = 0

/** Views that the main thread may still read, by shard and generation. */
const lent = new Map<string, Map<number, PublishedView>>()

const callbacks: HostCallbacks = {
  mappingUpdate: (...args) => ask('mappingUpdate', args),
  findScript: (...args) => ask('findScript', args),
  writeTarget: (...args) => ask('writeTarget', args),
  failureTarget: (...args) => ask('failureTarget', args),
  ingestRoutes: (...args) => ask('ingestRoutes', args),
  shardFailed: (key, reason) => post({ kind: 'shardFailed', key, reason }),
}

port.once('message', ({ memory, arenaBytes, breakers: shared, lastGeneration }: WriterStart) => {
  attachMemory(shared)
  continueGenerations(lastGeneration)
  executor = new ShardExecutor({
    arena: Arena.attach(memory, arenaBytes, WRITER_OWNER),
    callbacks,
    sealer: new BackgroundSealer(),
    log: forwardedLog(post),
    onPublish: lend,
  })
  port.on('message', (message: ToWriter) => {
    if (isDocumentCall(message)) void answerDocument(message)
    else if (message.kind === 'call') void answer(message)
    else if (message.kind === 'reply') settle(message.id, message.outcome)
    else takeBack(message.shardId, message.generation)
  })
})

/** An answer that does not fit into a tuple, or an error, is sent as the answer of an ordinary call. */
async function answerDocument(call: DocumentCall): Promise<void> {
  const id = call[1]
  try {
    let value: WriteAnswer | GetAnswer | undefined
    let tuple: DocumentReply | undefined
    if (call[0] === 'write') {
      const written = await executor.write(unpackWrite(call))
      value = written
      tuple = packWritten(id, written)
    } else {
      const found = await executor.get(unpackGet(call))
      value = found
      tuple = packFound(id, found)
    }
    if (tuple !== undefined) post(tuple)
    else port.postMessage({ kind: 'answer', id, outcome: { value } } satisfies ToMain, handedOver(call[0], value))
  } catch (error) {
    post({ kind: 'answer', id, outcome: { error: packError(error) } })
  }
  breakers().collectIfAsked()
}

async function answer({ id, method, args }: Extract<ToWriter, { kind: 'call' }>): Promise<void> {
  let outcome: Outcome
  const bulkBytes = method === 'bulk' ? (args[0] as BulkRequest).body.byteLength : 0
  try {
    const value: unknown = await (executor[method] as (...args: unknown[]) => unknown).apply(executor, [...args])
    if (method === 'reopenView') reopened(args as [ShardKey, string], value as PublishedView)
    outcome = { value: method === 'reopenView' ? undefined : value }
    const body = method === 'bulk' ? returnedBody(args[0] as BulkRequest) : undefined
    const answered = { kind: 'answer', id, outcome } as const
    const moved = handedOver(method, value)
    if (body === undefined) port.postMessage(answered satisfies ToMain, moved)
    else port.postMessage({ ...answered, body } satisfies ToMain, [...moved, body])
  } catch (error) {
    outcome = { error: packError(error) }
    post({ kind: 'answer', id, outcome })
  }
  breakers().collectIfAsked()
  // The log batch, and the body unless it returned to the main thread: then it is empty here.
  if (method === 'bulk') noteGarbage(bulkBytes + (args[0] as BulkRequest).body.byteLength)
  // Nothing is left to do, so the thread ends.
  if (method === 'close') port.close()
}

/** A view cannot be sent, so its description is sent before the reply. */
function reopened([key, name]: [ShardKey, string], view: PublishedView): void {
  lend({ ...key, folder: executor.shard(key.indexUuid, key.shard).folder }, view, name)
  view.release()
}

/** The memory of a bulk request's body, if it can be reused. Nothing reads the body of a completed request. */
const returnedBody = ({ body }: BulkRequest): ArrayBuffer | undefined =>
  isBodyMemory(body) ? (body.buffer as ArrayBuffer) : undefined

/** Transfers the bytes of a reply, which own their memory. */
function handedOver(method: string, value: unknown): ArrayBuffer[] {
  const bytes =
    method === 'bulk' || method === 'readHistory'
      ? (value as BulkAnswer | ShardChanges).body
      : method === 'get' || method === 'write'
        ? (value as GetAnswer | WriteAnswer | undefined)?.source
        : undefined
  return bytes?.buffer instanceof ArrayBuffer && bytes.byteLength > 0 ? [bytes.buffer] : []
}

function ask<T>(name: CallbackName, args: readonly unknown[]): Promise<T> {
  const id = ++lastAsked
  post({ kind: 'ask', id, name, args })
  return new Promise((resolve, reject) => asked.set(id, { resolve: resolve as (value: unknown) => void, reject }))
}

function settle(id: number, outcome: Outcome): void {
  const waiting = asked.get(id)
  asked.delete(id)
  if ('error' in outcome) waiting?.reject(unpackError(outcome.error))
  else waiting?.resolve(outcome.value)
}

function lend(config: Pick<ShardConfig, 'indexUuid' | 'shard' | 'folder'>, view: PublishedView, kept?: string): void {
  if (config.folder === undefined) return
  const shardId = shardIdOf(config)
  view.hold()
  const views = lent.get(shardId) ?? new Map<number, PublishedView>()
  views.set(view.generation, view)
  lent.set(shardId, views)
  post({ kind: 'view', shardId, folder: config.folder, view: view.describe(), ...(kept === undefined ? {} : { kept }) })
}

function takeBack(shardId: string, generation: number): void {
  const views = lent.get(shardId)
  const view = views?.get(generation)
  if (views === undefined || view === undefined) return
  views.delete(generation)
  if (views.size === 0) lent.delete(shardId)
  view.release()
}

function post(message: ToMain): void {
  port.postMessage(message)
}
