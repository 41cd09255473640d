/**
 * The shadow: a node of ours in memory that holds the metadata of the cluster and no documents. What Elasticsearch would
 * refuse, the shadow refuses, in Elasticsearch's words. Its metadata is brought up to date before its judgement counts.
 */

import type { Log } from '../../base/log.ts'
import { copyOfLent, lentBytes, readLent } from '../../base/memory/lent-bytes.ts'
import type { Answer, IncomingRequest, RequestDispatcher } from '../../http/dispatcher.ts'
import type { QueryParameters } from '../../http/query-parameters.ts'
import type { Routes } from '../../http/router.ts'
import type { JsonObject } from '../../service/metadata/metadata.ts'
import { EXPAND_OPEN_FORBID_CLOSED, withParameters } from '../../service/names/indices-options.ts'
import type { SandpiperNode } from '../../service/sandpiper-node.ts'
import type { Cluster } from '../upstream/cluster.ts'
import { type ClusterMetadata, type DefinitionOf, readMetadata, stateMark } from './cluster-metadata.ts'
import { ShadowIndices } from './shadow-indices.ts'
import { SharedLock } from './shared-lock.ts'

/** What the server gives the gateway to make a shadow of. */
export interface ShadowNode {
  readonly node: SandpiperNode
  readonly routes: Routes
  /** Answers requests from the shadow alone. */
  readonly dispatcher: RequestDispatcher
}

/** Makes a request for the shadow. Points in time of the shadow are closed when its metadata changes, so that it is made when it is needed. */
export type MakeRequest = () => IncomingRequest | Promise<IncomingRequest>

/** The cluster must return its metadata within this time. Otherwise errors are translated without the shadow. */
const SYNC_MS = 10_000
const PITS_MAX = 50
const PIT_HOURS = 12

export class Shadow {
  readonly routes: Routes
  readonly #node: SandpiperNode
  readonly #dispatcher: RequestDispatcher
  readonly #cluster: Cluster
  readonly #log: Log
  readonly #indices: ShadowIndices
  readonly #lock = new SharedLock()
  readonly #definitions = new Map<string, DefinitionOf>()
  /** Points in time of the shadow by the names of their indices. */
  readonly #pits = new Map<string, { readonly id: string; readonly usableUntilMs: number }>()
  #mark: string | undefined
  #generation = 0
  #syncing: Promise<void> | undefined
  #nextSync: Promise<void> | undefined
  #syncedAtMs = 0

  constructor({ node, routes, dispatcher }: ShadowNode, cluster: Cluster, log: Log) {
    this.#node = node
    this.routes = routes
    this.#dispatcher = dispatcher
    this.#cluster = cluster
    this.#log = log
    this.#indices = new ShadowIndices(node)
  }

  get node(): SandpiperNode {
    return this.#node
  }

  /** Changes whenever the metadata of the shadow may have changed. */
  get generation(): number {
    return this.#generation
  }

  /** When the shadow was last known to be up to date. */
  get syncedAtMs(): number {
    return this.#syncedAtMs
  }

  /** Indices that the shadow cannot judge, with the reason. */
  get opaque(): ReadonlyMap<string, string> {
    return this.#indices.opaque
  }

  /** The mapping of an index as the cluster has it. */
  clusterMapping(name: string): JsonObject {
    return this.#indices.clusterMapping(name)
  }

  /** Whether the shadow knows the mappings of all these indices. */
  knows(names: Iterable<string>): boolean {
    for (const name of names) if (!this.#indices.isKnown(name)) return false
    return true
  }

  /**
   * Brings the metadata up to date with a state of the cluster that is no older than this call. False when the cluster
   * does not describe itself.
   */
  async sync(): Promise<boolean> {
    try {
      // A running synchronization may have read an older state, so all callers that arrive meanwhile share the next
      // one.
      if (this.#syncing === undefined) await this.#startSync()
      else await (this.#nextSync ??= this.#syncing.catch(() => {}).then(() => this.#startSync()))
      return true
    } catch (error) {
      this.#log.debug('the metadata of the cluster cannot be read', { reason: (error as Error).message })
      return false
    }
  }

  /** Names of the indices that a search reaches; empty when the names cannot be resolved. */
  searchedIndices(expression: string, query: QueryParameters): string[] {
    try {
      const parameters = {
        ignoreUnavailable: query.strictBoolean('ignore_unavailable'),
        allowNoIndices: query.strictBoolean('allow_no_indices'),
        expandWildcards: query.list('expand_wildcards'),
      }
      const expressions = expression === '' ? [] : expression.split(',')
      const found = this.#node.names().indices(expressions, withParameters(EXPAND_OPEN_FORBID_CLOSED, parameters))
      return found.map(({ name }) => name)
    } catch {
      return []
    }
  }

  /** A point in time of the shadow over these indices, in place of the cluster's. */
  async pitFor(indices: readonly string[]): Promise<string> {
    const key = indices.join(',')
    const known = this.#pits.get(key)
    if (known !== undefined && known.usableUntilMs > Date.now()) return known.id
    // The point in time may have been opened through another gateway, on an index that is new here.
    if (indices.some((name) => this.#node.state.index(name) === undefined)) await this.sync()
    if (this.#pits.size >= PITS_MAX) await this.#closePits()
    const names = indices.length === 0 ? 'no-index-*' : indices.map(encodeURIComponent).join(',')
    const uri = `/${names}/_pit?keep_alive=${PIT_HOURS}h&ignore_unavailable=true`
    const { body } = await this.read(requestOf('POST', uri, ''))
    const { id = '' } = readLent(body, (bytes) => JSON.parse(bytes.toString('utf8'))) as { id?: string }
    this.#pits.set(key, { id, usableUntilMs: Date.now() + (PIT_HOURS - 1) * 3_600_000 })
    return id
  }

  /** Closes the point in time or the scroll that a read of the shadow has opened: clients use that of the cluster. */
  async closeContext({ status, body }: Answer): Promise<void> {
    if (status >= 400) return
    const text = readLent(body, (bytes) => bytes.toString('utf8'))
    const { id, _scroll_id: scrollId } = JSON.parse(text) as { id?: string; _scroll_id?: string }
    if (id !== undefined) await this.#dispatch(requestOf('DELETE', '/_pit', JSON.stringify({ id })))
    if (scrollId !== undefined)
      await this.#dispatch(requestOf('DELETE', '/_search/scroll', JSON.stringify({ scroll_id: scrollId })))
  }

  async #closePits(): Promise<void> {
    const ids = [...this.#pits.values()].map(({ id }) => id)
    this.#pits.clear()
    for (const id of ids) await this.#dispatch(requestOf('DELETE', '/_pit', JSON.stringify({ id })))
  }

  /** Answers a read from the shadow as it is. */
  read(request: IncomingRequest): Promise<Answer> {
    return this.#lock.read(() => this.#dispatch(request))
  }

  /** Puts a request to the shadow after bringing it up to date. Undefined when the shadow cannot judge. */
  async judge(makeRequest: MakeRequest, isWrite: boolean): Promise<Answer | undefined> {
    if (!(await this.sync())) return undefined
    const request = await makeRequest()
    return isWrite ? this.#judgeWrite(request) : this.read(request)
  }

  /** What a write changes in the shadow is undone by the next synchronization. */
  #judgeWrite(request: IncomingRequest): Promise<Answer> {
    return this.#lock.write(async () => {
      const answer = await this.#dispatch(request)
      const text = readLent(answer.body, (bytes) => bytes.toString('latin1'))
      const written = [...text.matchAll(/"_index":"([^"]+)"/g)].map(([, name]) => name!)
      const changed = this.#indices.changed()
      if (written.length > 0 || changed.length > 0 || answer.status < 400) {
        this.#indices.forget([...written, ...changed])
        this.#definitions.clear()
        this.#mark = undefined
        this.#generation++
      }
      return answer
    })
  }

  async #dispatch(request: IncomingRequest): Promise<Answer> {
    const answer = await this.#dispatcher.dispatch(request)
    if (answer.onSent === undefined) return answer
    // The buffer of an answer is used again once it was sent.
    const body = lentBytes(copyOfLent(answer.body))
    answer.onSent()
    return { status: answer.status, headers: answer.headers, body }
  }

  #startSync(): Promise<void> {
    this.#nextSync = undefined
    const running = this.#sync().finally(() => {
      if (this.#syncing === running) this.#syncing = undefined
    })
    this.#syncing = running
    return running
  }

  async #sync(): Promise<void> {
    const startedMs = Date.now()
    const mark = await stateMark(this.#cluster)
    if (mark !== this.#mark) {
      const metadata = await readMetadata(this.#cluster)
      await this.#lock.write(() => this.#apply(metadata))
      this.#mark = mark
    }
    if (Date.now() - startedMs > SYNC_MS) throw new Error('the cluster took too long')
    this.#syncedAtMs = startedMs
  }

  async #apply(metadata: ClusterMetadata): Promise<void> {
    const { metadata: store } = this.#node
    this.#generation++
    await this.#closePits()
    await this.#indices.apply(metadata.indices)
    await this.#applyStreams(metadata)
    await this.#applyDefinitions(metadata.definitions)
    store.setTransientSettings(metadata.transientSettings)
    await store.update(() => [{ section: 'clusterSettings', name: 'persistent', value: metadata.persistentSettings }])
  }

  async #applyStreams({ dataStreams }: ClusterMetadata): Promise<void> {
    await this.#node.metadata.update((state) => {
      const known = state.sections.dataStreams
      const gone = [...known.keys()].filter((name) => !dataStreams.has(name))
      return [
        ...gone.map((name) => ({ section: 'dataStreams', name, value: undefined }) as const),
        ...[...dataStreams].map(([name, { indices, generation }]) => {
          const value = { name, indices, generation, hidden: false, allowCustomRouting: false, ...known.get(name) }
          return { section: 'dataStreams', name, value: { ...value, indices, generation } } as const
        }),
      ]
    })
  }

  /** Templates, scripts and pipelines are stored through their APIs, which check them and convert them. */
  async #applyDefinitions(definitions: ReadonlyMap<string, DefinitionOf>): Promise<void> {
    const gone = [...this.#stored()].filter((path) => !definitions.has(path))
    for (const path of gone.reverse()) {
      this.#definitions.delete(path)
      await this.#dispatch(requestOf('DELETE', path, ''))
    }
    for (const definition of definitions.values()) {
      const { path, body } = definition
      if (this.#definitions.get(path)?.body === body) continue
      const answer = await this.#dispatch(requestOf('PUT', path, body))
      if (answer.status >= 400)
        this.#log.warn('a definition of the cluster is not understood and not shown', {
          path,
          answer: readLent(answer.body, (bytes) => bytes.toString('utf8', 0, 300)),
        })
      this.#definitions.set(path, definition)
    }
  }

  /** Paths of everything that is stored in the shadow, in the order of `readDefinitions`. */
  *#stored(): Generator<string> {
    const { sections } = this.#node.state
    for (const name of sections.storedScripts.keys()) yield `/_scripts/${encodeURIComponent(name)}`
    for (const name of sections.ingestPipelines.keys()) yield `/_ingest/pipeline/${encodeURIComponent(name)}`
    for (const name of sections.componentTemplates.keys()) yield `/_component_template/${encodeURIComponent(name)}`
    for (const name of sections.indexTemplates.keys()) yield `/_index_template/${encodeURIComponent(name)}`
    for (const name of sections.legacyTemplates.keys()) yield `/_template/${encodeURIComponent(name)}`
  }
}

/** A request of the gateway to its own shadow. */
export function requestOf(method: string, uri: string, body: string | Buffer): IncomingRequest {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  return {
    method,
    uri,
    headers: bytes.length === 0 ? {} : { 'content-type': 'application/json' },
    body: bytes,
    signal: () => NEVER,
  }
}

const NEVER = new AbortController().signal
