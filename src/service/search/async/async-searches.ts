/**
 * Asynchronous searches. They continue after their request was answered, and their results are kept until they expire,
 * including restarts. A search that was running when the process ended is lost.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { ApiReply } from '../../../base/api-client.ts'
import { resourceNotFound } from '../../../base/api-error.ts'
import type { Clock } from '../../../base/clock.ts'
import type { Log } from '../../../base/log.ts'
import type { Directory } from '../../../engine/store/directory.ts'
import type { TaskRegistry } from '../../tasks/task-registry.ts'
import { AsyncSearchFiles, type StoredAsyncSearch } from './async-search-files.ts'
import { type AsyncSearchId, asyncSearchName, newAsyncSearchId } from './async-search-id.ts'

export interface AsyncSearchOptions {
  readonly keepAliveMs: number
  readonly typedKeys: boolean
  /** The number of shards that are searched, for the answer while it runs. */
  readonly shards: number
  /** The identity of the caller, whose search it is; undefined without authentication. */
  readonly owner: string | undefined
  /** What the list of tasks shows. */
  readonly description: string
  readonly run: (signal: AbortSignal) => Promise<ApiReply>
}

/** A search that runs, or has just finished. */
export interface AsyncSearch {
  readonly id: AsyncSearchId
  readonly owner: string | undefined
  readonly typedKeys: boolean
  readonly shards: number
  readonly startedAtMs: number
  expiresAtMs: number
  finishedAtMs: number | undefined
  reply: ApiReply | undefined
  /** Whether the result is stored when the search has finished. */
  isKept: boolean
  readonly done: Promise<void>
  cancel(): void
}

/** A search as requests see it, running or finished. */
export type FoundSearch = Pick<
  AsyncSearch,
  'typedKeys' | 'shards' | 'startedAtMs' | 'expiresAtMs' | 'finishedAtMs' | 'reply'
> & {
  readonly id: string
}

export interface AsyncSearchesOptions {
  readonly clock: Clock
  readonly tasks: TaskRegistry
  readonly nodeId: () => string
  /** The folder of the results; undefined for a node in memory. */
  readonly directory: Directory | undefined
  readonly log: Log
}

export class AsyncSearches {
  readonly #options: AsyncSearchesOptions
  readonly #files: AsyncSearchFiles | undefined
  readonly #searches = new Map<string, AsyncSearch>()
  /** Expiry of stored results, by name, so that expired files are found without reading all. */
  readonly #stored = new Map<string, number>()

  constructor(options: AsyncSearchesOptions) {
    this.#options = options
    this.#files = options.directory && new AsyncSearchFiles(options.directory, options.log)
  }

  /** Finds the results of earlier runs. */
  recover(): void {
    for (const name of this.#files?.names() ?? []) {
      const found = this.#files?.read(name)
      if (found !== undefined) this.#stored.set(name, found.expiresAtMs)
    }
    this.removeExpired()
  }

  submit(options: AsyncSearchOptions): AsyncSearch {
    const { clock, tasks, nodeId } = this.#options
    this.removeExpired()
    const abort = new AbortController()
    const startedAtMs = clock.nowMs()
    const running = options.run(abort.signal)
    const controls = { describe: () => ({}), cancel: () => abort.abort(), rethrottle: () => {} }
    const work = running.then((reply) => this.#finish(search, reply))
    const search: AsyncSearch = {
      id: newAsyncSearchId(nodeId(), tasks.nextId()),
      owner: options.owner,
      typedKeys: options.typedKeys,
      shards: options.shards,
      startedAtMs,
      expiresAtMs: startedAtMs + options.keepAliveMs,
      finishedAtMs: undefined,
      reply: undefined,
      isKept: true,
      done: work.catch(() => {}),
      cancel: () => abort.abort(),
    }
    this.#searches.set(search.id.name, search)
    tasks.requests.track(
      { action: ACTION, description: options.description, opaqueId: undefined, parts: [], cancel: controls.cancel },
      search.done,
    )
    return search
  }

  /** The search of an id, after it has run for `waitMs` more. Throws if there is none that the caller may see. */
  async get(text: string, owner: string | undefined, waitMs = 0, keepAliveMs?: number): Promise<FoundSearch> {
    const name = asyncSearchName(text)
    this.removeExpired()
    const running = this.#searches.get(name)
    if (running !== undefined && running.owner === owner) {
      if (keepAliveMs !== undefined) running.expiresAtMs = this.#options.clock.nowMs() + keepAliveMs
      await finishedWithin(running, waitMs)
      return { ...running, id: running.id.text }
    }
    const stored = this.#stored.has(name) ? this.#files?.read(name) : undefined
    if (stored === undefined || stored.owner !== owner) throw resourceNotFound(text)
    const expiresAtMs = keepAliveMs === undefined ? stored.expiresAtMs : this.#options.clock.nowMs() + keepAliveMs
    if (keepAliveMs !== undefined) {
      await this.#files?.write(name, { ...stored, expiresAtMs })
      this.#stored.set(name, expiresAtMs)
    }
    const reply = { status: stored.status, body: Buffer.from(stored.body) }
    return { ...stored, expiresAtMs, shards: 0, reply }
  }

  /** Ends a search, or removes its result. Throws if there is none that the caller may remove. */
  async delete(text: string, owner: string | undefined): Promise<void> {
    await this.get(text, owner)
    this.#remove(asyncSearchName(text))
  }

  /** The result is not stored, because the client has it. */
  forget(search: AsyncSearch): void {
    search.isKept = false
    this.#remove(search.id.name)
  }

  removeExpired(): void {
    const now = this.#options.clock.nowMs()
    for (const [name, { expiresAtMs }] of this.#searches) if (expiresAtMs <= now) this.#remove(name)
    for (const [name, expiresAtMs] of this.#stored) if (expiresAtMs <= now) this.#remove(name)
  }

  #remove(name: string): void {
    this.#searches.get(name)?.cancel()
    this.#searches.delete(name)
    if (this.#stored.delete(name)) this.#files?.delete(name)
  }

  async #finish(search: AsyncSearch, reply: ApiReply): Promise<void> {
    search.reply = reply
    search.finishedAtMs = this.#options.clock.nowMs()
    const { name, text } = search.id
    if (!search.isKept || this.#searches.get(name) !== search || this.#files === undefined) return
    const stored: StoredAsyncSearch = {
      id: text,
      owner: search.owner,
      typedKeys: search.typedKeys,
      startedAtMs: search.startedAtMs,
      expiresAtMs: search.expiresAtMs,
      finishedAtMs: search.finishedAtMs,
      status: reply.status,
      body: reply.body,
    }
    await this.#files.write(name, stored)
    // The request that started the search may have got its result meanwhile, or the search was deleted.
    if (!search.isKept || this.#searches.get(name) !== search) this.#files.delete(name)
    else {
      this.#stored.set(name, search.expiresAtMs)
      this.#searches.delete(name)
    }
  }
}

const ACTION = 'indices:data/read/async_search/submit'

/** Whether the search finished within that time. */
export async function finishedWithin({ done }: AsyncSearch, ms: number): Promise<boolean> {
  const abort = new AbortController()
  const late = sleep(ms, false, { signal: abort.signal, ref: false }).catch(() => false)
  const finished = await Promise.race([done.then(() => true), late])
  abort.abort()
  return finished
}
