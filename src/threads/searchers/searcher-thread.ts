/**
 * A searcher thread: answers search requests, from bytes to bytes, on views lent by the main thread. It answers one
 * request at a time; concurrency comes from more threads.
 */

import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { forwardedLog } from '../../base/forwarded-log.ts'
import { isLentMemory, keepAnswerMemory } from '../../base/memory/answer-memory.ts'
import { borrowed } from '../../base/memory/lent-bytes.ts'
import { attachMemory, breakers } from '../../base/memory/process-memory.ts'
import { sharesMemory } from '../../base/memory/short-lived-copies.ts'
import { Arena } from '../../engine/memory/arena.ts'
import { searchApiRoutes } from '../../http/api/index.ts'
import { Dispatcher } from '../../http/dispatcher.ts'
import type { WorkLimits } from '../../service/search/request-guard.ts'
import { HelpingCrew, LeadingCrew } from './crew.ts'
import { SearchReplica } from './search-replica.ts'
import type { ForwardedAnswer, ForwardedSearch, FromSearcher, SearcherStart, ToSearcher } from './searcher-messages.ts'

const start = workerData as SearcherStart
attachMemory(start.breakers)
const port = parentPort!
const post = (message: FromSearcher, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer)

const replica = new SearchReplica(
  Arena.attach(start.memory, start.arenaBytes, start.owner),
  start.nodeName,
  (shardId, generation) => post({ kind: 'released', shardId, generation }),
  start.databaseFolder,
)
const dispatcher = new Dispatcher(searchApiRoutes(replica), {
  strictMediaTypes: start.strictMediaTypes,
  errorHelp: start.errorHelp,
  log: forwardedLog(post),
  warningAgent: start.warningAgent,
})

/** Ports to other searchers, by number. */
const peers = new Map<number, MessagePort>()
let last: Promise<void> = Promise.resolve()

port.on('message', (message: ToSearcher) => {
  last = last.then(() => receive(message)).then(() => breakers().collectIfAsked())
})

async function receive(message: ToSearcher): Promise<void> {
  if (message.kind === 'search') return search(message.request)
  if (message.kind === 'help') return help(message.request)
  if (message.kind === 'meet') return void peers.set(message.peer, message.port)
  if (message.kind === 'memory') return keepAnswerMemory(message.memory)
  if (message.kind === 'end') return replica.forgetContext(message.context)
  const at = message.shardId.lastIndexOf('/')
  replica.forget({ indexUuid: message.shardId.slice(0, at), shard: Number(message.shardId.slice(at + 1)) })
}

/** Metadata and views are sent once, so they are applied even for a cancelled search. */
const learn = ({ changes, transientSettings, views, context }: ForwardedSearch) =>
  replica.learn(changes, transientSettings, views, context)

function dispatch({ method, uri, headers, body, access, isOwn }: ForwardedSearch, limits: WorkLimits) {
  const { signal } = new AbortController()
  const incoming = {
    method,
    uri,
    headers,
    body: asBuffer(body),
    signal: () => signal,
    limits,
    carriedAccess: access,
    isOwn,
  }
  return dispatcher.dispatch(incoming)
}

/** Reports a request as finished without a response. */
function postNothing(id: number): void {
  const nothing = { answer: undefined, columns: [], contextUse: undefined, opened: undefined }
  post({ kind: 'answer', id, records: [], helpless: false, ...nothing })
}

/** Searches a part of the segments for the thread that answers. */
async function help(request: ForwardedSearch): Promise<void> {
  const { peer, words, request: number } = request.crew!
  const crew = new HelpingCrew(words, peers.get(peer)!, number)
  await learn(request)
  if (crew.begin()) {
    const isCancelled = () => crew.isWithdrawn || Atomics.load(request.cancelled, 0) === 1
    await dispatch(request, { isCancelled, crew })
    crew.end()
  }
  replica.finish()
  postNothing(request.id)
}

async function search(request: ForwardedSearch): Promise<void> {
  const { id, context, cancelled, crew } = request
  const leading = crew && new LeadingCrew(crew.words, peers.get(crew.peer)!, crew.request)
  await learn(request)
  const read = request.lendsColumns ? replica.listColumns() : undefined
  const isCancelled = () => Atomics.load(cancelled, 0) === 1
  const answer = await dispatch(request, { isCancelled, columns: read, crew: leading })
  leading?.dismiss()
  const { records, lacking, columns, contextUse, opened } = replica.finish()
  if (lacking) return postNothing(id)
  const isPage = context !== undefined || opened !== undefined
  const bytes = sendableBytes(borrowed(answer.body), isPage)
  const forwarded: ForwardedAnswer = { status: answer.status, headers: answer.headers, body: bytes }
  const helpless = leading?.wasOfUse === false
  const moved = bytes.buffer instanceof ArrayBuffer ? [bytes.buffer] : []
  post({ kind: 'answer', id, answer: forwarded, records, helpless, columns, contextUse, opened }, moved)
}

/**
 * Bytes that can be transferred, or are in shared memory. Pages of scrolls and points in time are not cached, and a buffer larger than
 * Node's pool owns its memory, so such a page is sent without a copy.
 */
function sendableBytes(body: Buffer, isPage: boolean): Uint8Array {
  if (isLentMemory(body)) return body
  const ownsMemory = body.buffer.byteLength > Buffer.poolSize && !sharesMemory(body)
  return isPage && ownsMemory ? body : new Uint8Array(body)
}

const asBuffer = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
