/**
 * Index, create, get, update, delete and multi-get: finds the index of a request and the shard of its document, and
 * builds the response. The shard host does the work.
 *
 * Checks have Elasticsearch's order: the request itself, then pipelines, then the name (which may create the index),
 * then routing, then the shard.
 */
import { ApiError, errorBody, fromErrorData, illegalArgument, validationFailed } from '../../base/api-error.ts'
import { formatDuration } from '../../base/duration.ts'
import {
  documentNotFound,
  emptyId,
  noIngestPipelines,
  notEnoughActiveCopies,
  onlyCreateInDataStream,
  routingMissing,
  sourceNotFound,
} from '../../base/errors/document-errors.ts'
import { dataStreamExcluded, indexGone } from '../../base/errors/index-errors.ts'
import { versionDiffers } from '../../base/errors/shard-errors.ts'
import { type ShardRouting, shardOfDocument } from '../../base/shard-routing.ts'
import { type IndexLimits, limitsOf } from '../../engine/limits/read-limits.ts'
import type { IngestRoute } from '../ingest/run/definitions.ts'
import type {
  BulkAnswer,
  BulkRequest,
  GetAnswer,
  GetRequest,
  HostCallbacks,
  ShardHost,
  WriteTarget,
} from '../shards/shard-host.ts'
import { describeDelete, describeIndex, missingCopies } from '../shards/write/active-shards.ts'
import { AutoIds } from '../shards/write/auto-id.ts'
import { checkDataStreamRules } from '../shards/write/data-stream-rules.ts'
import { failureDocument, isKept, notKept, withFailureStore } from '../shards/write/failure-document.ts'
import { resolveRouting } from '../shards/write/routing.ts'
import { encodeSource } from '../shards/write/source-value.ts'
import { parseUpdateRequest, type UpdateRequest, updateProblems } from '../shards/write/update-request.ts'
import { conditionProblems, idProblems, indexProblems, updateConditionProblems } from '../shards/write/write-rules.ts'
import type { WriteAuthorization } from '../shards/write-authorization.ts'
import type { DocumentAnswer, DocumentGet, DocumentWrite } from './document-requests.ts'
import { filteredSource, foundBody, notFoundBody } from './get-answer.ts'
import type { MultiGetItem } from './multi-get-request.ts'
import { writeAnswer } from './write-answer.ts'

/** The single index of a read. */
export interface ReadTarget extends ShardRouting {
  readonly indexName: string
  readonly indexUuid: string
  readonly routingRequired: boolean
  readonly aliasRouting: string | undefined
  /** Names that lead the caller to the index, for the limits of what it may read. */
  readonly reachedBy: readonly string[]
}

/** Resolves names to indices, using the metadata. */
export interface DocumentNames {
  writeTarget: HostCallbacks['writeTarget']
  failureTarget: HostCallbacks['failureTarget']
  /** Throws if the name means no index, several, a closed or a blocked one. */
  readTarget(name: string): ReadTarget
  hasIndex(uuid: string): boolean
  /** The pipelines of the index behind a name. */
  ingestRoute(name: string): IngestRoute
}

/** Reads a document for a caller who may not read everything. */
export type LimitedGet = (request: GetRequest, limits: IndexLimits) => Promise<GetAnswer | undefined>

type FoundTarget = Exclude<WriteTarget, { error: unknown }>

export class DocumentService {
  readonly #host: ShardHost
  readonly #names: DocumentNames
  readonly #limitedGet: LimitedGet
  readonly #nowMs: () => number
  readonly #autoIds = new AutoIds()
  readonly #authorizations = new Map<number, WriteAuthorization>()
  #lastAuthorization = 0

  constructor(host: ShardHost, names: DocumentNames, limitedGet: LimitedGet, nowMs: () => number = Date.now) {
    this.#nowMs = nowMs
    this.#host = host
    this.#names = names
    this.#limitedGet = limitedGet
  }

  /**
   * `authorization` is called with the name that is finally written to, because pipelines may change the name of the
   * request.
   */
  async write(request: DocumentWrite, authorization?: WriteAuthorization): Promise<DocumentAnswer> {
    if (authorization === undefined) return await this.#writeAs(request, undefined)
    return await this.#authorized(authorization, (id) => this.#writeAs(request, id))
  }

  async #writeAs(request: DocumentWrite, authorization: number | undefined): Promise<DocumentAnswer> {
    const update = request.action === 'update' ? parseUpdateRequest(request.body) : undefined
    const problems = writeProblems(request, update)
    if (problems.length > 0) throw validationFailed(...problems)
    const route = request.action === 'delete' ? undefined : this.#names.ingestRoute(request.index)
    if (request.action === 'index' || request.action === 'create') {
      let ingested: DocumentWrite | 'dropped'
      try {
        ingested = await this.#ingested(request, route!)
      } catch (error) {
        const index = error instanceof ApiError ? error.pipelineTrace?.index : undefined
        if (index === undefined) throw error
        return await this.#keepFailure(request, error as ApiError, index, authorization)
      }
      if (ingested === 'dropped') return droppedAnswer(request)
      return await this.#write(ingested, undefined, undefined, authorization)
    }
    return await this.#write(request, update, route, authorization)
  }

  /** The request after its pipelines changed it. */
  async #ingested(request: DocumentWrite, route: IngestRoute): Promise<DocumentWrite | 'dropped'> {
    const wanted = request.pipeline ?? route.default
    const pipeline = wanted === '_none' ? undefined : wanted
    if (pipeline === undefined && route.final === undefined) return request
    const { index, id, versionType, ifSeqNo, ifPrimaryTerm } = request
    const routing = emptyToUndefined(request.routing)
    const version = request.version ?? MATCH_ANY
    const metadata = { index, id, routing, version, versionType, ifSeqNo, ifPrimaryTerm }
    if (this.#host.ingest === undefined) throw noIngestPipelines()
    const result = await this.#host.ingest.run({ ...metadata, source: request.body, pipeline, final: route.final })
    if (result === 'dropped') return result
    return {
      ...request,
      index: result.index,
      id: result.id,
      routing: result.routing,
      version: result.version === MATCH_ANY ? undefined : result.version,
      versionType: result.versionType as DocumentWrite['versionType'],
      ifSeqNo: result.ifSeqNo,
      ifPrimaryTerm: result.ifPrimaryTerm,
      body: Buffer.from(result.source),
      dynamicTemplates: result.dynamicTemplates,
    }
  }

  async #write(
    request: DocumentWrite,
    update: UpdateRequest | undefined,
    route: IngestRoute | undefined,
    authorization: number | undefined,
  ): Promise<DocumentAnswer> {
    const target = await this.#writeTarget(request, authorization)
    if (target.appendOnly && request.action !== 'create') {
      throw onlyCreateInDataStream(dataStreamExcluded(request.index))
    }
    checkDataStreamRules(target, request.action, emptyToUndefined(request.routing), request.ifSeqNo !== undefined)
    const routing = resolveRouting(request.index, target.aliasRouting, emptyToUndefined(request.routing))
    const autoId = request.id === undefined
    const id = request.id ?? this.#autoIds.next()
    if (target.routingRequired && routing === undefined) throw routingMissing(target.indexName, id)
    if (id === '') throw emptyId()

    const shard = shardOfDocument(target, id, routing)
    const key = { indexUuid: target.indexUuid, shard }
    if (request.activeShards !== undefined) await checkActiveShards(request, update, target, id, shard)
    const writing = this.#host.write({
      key,
      action: request.action,
      id,
      autoId,
      routing,
      source: request.action === 'delete' ? undefined : request.body,
      version: request.version,
      versionType: request.versionType,
      ifSeqNo: update?.ifSeqNo ?? request.ifSeqNo,
      ifPrimaryTerm: update?.ifPrimaryTerm ?? request.ifPrimaryTerm,
      refresh: request.refresh,
      retryOnConflict: request.retryOnConflict,
      requireTimestamp: target.requireTimestamp,
      route,
      dynamicTemplates: request.dynamicTemplates,
      sourceFilter: update?.sourceFilter ?? request.sourceFilter,
      origin: request.origin,
    })
    const { failureStore } = target
    if (failureStore === undefined) {
      const written = await writing.catch((error: unknown) => this.#refused(target, error))
      return writeAnswer(target.indexName, id, target.replicas, written)
    }
    try {
      const written = await writing.catch((error: unknown) => this.#refused(target, error))
      return writeAnswer(target.indexName, id, target.replicas, written)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (failureStore === 'not_enabled') throw withFailureStore(error, 'not_enabled')
      if (request.action === 'update' || request.action === 'delete' || !isKept(error)) throw error
      return await this.#keepFailure({ ...request, id }, error, target.indexName, authorization)
    }
  }

  /** Writes a document that failed into the failure store of its data stream. Throws its error if it has none. */
  async #keepFailure(
    request: DocumentWrite,
    error: ApiError,
    index: string,
    authorization: number | undefined,
  ): Promise<DocumentAnswer> {
    const target = await this.#names.failureTarget(index, authorization)
    if (target === undefined) throw error
    if (target === 'not_enabled') throw withFailureStore(error, 'not_enabled')
    try {
      if ('error' in target) throw fromErrorData(target.error)
      const failed = { id: request.id, routing: emptyToUndefined(request.routing), index: request.index }
      const source = failureDocument({ ...failed, source: request.body, error }, this.#nowMs())
      const id = this.#autoIds.next()
      const key = { indexUuid: target.indexUuid, shard: shardOfDocument(target, id, undefined) }
      const written = await this.#host.write({ ...FAILURE_WRITE, key, id, source, refresh: request.refresh })
      const { status, body } = writeAnswer(target.indexName, id, target.replicas, written)
      return { status, body: { ...body, failure_store: 'used' } }
    } catch (problem) {
      if (!(problem instanceof ApiError)) throw problem
      throw withFailureStore(notKept(error, problem), 'failed')
    }
  }

  async get(request: DocumentGet): Promise<DocumentAnswer> {
    const { target, found } = await this.#find(request)
    return found === undefined
      ? { status: 404, body: notFoundBody(target.indexName, request.id) }
      : { status: 200, body: foundBody(target.indexName, request, found) }
  }

  async exists(request: DocumentGet): Promise<boolean> {
    return (await this.#find(request)).found !== undefined
  }

  /** The source alone. A missing document and a missing source are different errors. */
  async source(request: DocumentGet): Promise<Uint8Array> {
    const { found } = await this.#find(request)
    if (found === undefined) throw documentNotFound(request.index, request.id)
    if (found.source === undefined) throw sourceNotFound(request.index, request.id)
    return filteredSource(found.source, request.sourceFilter)
  }

  /** The document as stored. */
  async read(request: DocumentGet): Promise<GetAnswer | undefined> {
    return (await this.#find(request)).found
  }

  /** Answers each document separately; a failure takes the place of its document. */
  async multiGet(
    items: readonly MultiGetItem[],
    refuse?: (index: string) => ApiError | undefined,
  ): Promise<{ docs: Record<string, unknown>[] }> {
    return { docs: await Promise.all(items.map((item) => this.#getOne(item, refuse))) }
  }

  /** `authorization` is called for each name that items write to. Without it all writes are allowed. */
  async bulk(request: BulkRequest, authorization?: WriteAuthorization): Promise<BulkAnswer> {
    if (authorization === undefined) return await this.#host.bulk(request)
    return await this.#authorized(authorization, (id) => this.#host.bulk({ ...request, authorization: id }))
  }

  /** Keeps an authorization under a number for as long as the work takes. */
  async #authorized<T>(authorization: WriteAuthorization, work: (id: number) => Promise<T>): Promise<T> {
    const id = ++this.#lastAuthorization
    this.#authorizations.set(id, authorization)
    try {
      return await work(id)
    } finally {
      this.#authorizations.delete(id)
    }
  }

  /** The authorization of a write under way. */
  authorization(id: number): WriteAuthorization | undefined {
    return this.#authorizations.get(id)
  }

  async #getOne(
    item: MultiGetItem,
    refuse: ((index: string) => ApiError | undefined) | undefined,
  ): Promise<Record<string, unknown>> {
    try {
      const refused = refuse?.(item.index)
      if (refused !== undefined) throw refused
      return (await this.get(item)).body
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      // A document without its required routing was looked for, so that its index is known.
      const index =
        error.type === 'routing_missing_exception' ? String(error.details?.['index'] ?? item.index) : item.index
      return { _index: index, _id: item.id, error: errorBody(error).error }
    }
  }

  async #find(request: DocumentGet): Promise<{ target: ReadTarget; found: GetAnswer | undefined }> {
    const target = this.#names.readTarget(request.index)
    const routing = resolveRouting(request.index, target.aliasRouting, request.routing)
    if (target.routingRequired && routing === undefined) throw routingMissing(target.indexName, request.id)
    if (request.id === '') throw illegalArgument("Ids can't be empty")
    const version = request.version === MATCH_ANY ? undefined : request.version
    if (version !== undefined && version <= 0 && !request.allowsAnyVersion) {
      throw validationFailed(`illegal version value [${version}] for version type [INTERNAL]`)
    }
    const shard = shardOfDocument(target, request.id, routing)
    const key = { indexUuid: target.indexUuid, shard }
    // A realtime get needs no refresh.
    if (request.refresh && !request.realtime) await this.#host.refresh(key)
    const storedFields = request.storedFields ?? []
    const get = { key, id: request.id, realtime: request.realtime, storedFields }
    const limits = limitsOf(request.limits, target.reachedBy)
    const reading = limits === undefined ? this.#host.get(get) : this.#limitedGet(get, limits)
    const found = await reading.catch((error: unknown) => this.#refused(target, error))
    if (found !== undefined && version !== undefined && version !== found.version) {
      const label = { index: target.indexName, indexUuid: target.indexUuid, shard }
      throw versionDiffers(label, request.id, found.version, version)
    }
    return { target, found }
  }

  /** A request whose index was deleted meanwhile fails with `index_not_found_exception`, whatever error occurred. */
  #refused({ indexName, indexUuid }: { indexName: string; indexUuid: string }, error: unknown): never {
    const isUnavailable = error instanceof ApiError && error.status === 503
    throw isUnavailable && !this.#names.hasIndex(indexUuid) ? indexGone(indexName, indexUuid) : error
  }

  async #writeTarget(request: DocumentWrite, authorization: number | undefined): Promise<FoundTarget> {
    const target = await this.#names.writeTarget(request.index, {
      requireAlias: request.requireAlias,
      requireDataStream: request.requireDataStream,
      // An external version is stored even for a document that never existed, so such a delete may create the index.
      isDelete: request.action === 'delete' && request.versionType === 'internal',
      authorization,
    })
    if ('error' in target) throw fromErrorData(target.error)
    const refused = target.refused?.[request.action]
    if (refused !== undefined) throw fromErrorData(refused)
    return target
  }
}

/** A document of a failure store: new, with an id of its own. */
const FAILURE_WRITE = {
  action: 'create',
  autoId: true,
  routing: undefined,
  version: undefined,
  versionType: 'internal',
  ifSeqNo: undefined,
  ifPrimaryTerm: undefined,
  retryOnConflict: 0,
  requireTimestamp: false,
  sourceFilter: undefined,
} as const

function writeProblems(request: DocumentWrite, update: UpdateRequest | undefined): string[] {
  switch (request.action) {
    case 'delete':
      return conditionProblems(request)
    case 'update': {
      const { ifSeqNo, ifPrimaryTerm } = update!
      const conditions = {
        ...request,
        ifSeqNo: ifSeqNo ?? request.ifSeqNo,
        ifPrimaryTerm: ifPrimaryTerm ?? request.ifPrimaryTerm,
      }
      return [
        ...updateConditionProblems(conditions, {
          retryOnConflict: request.retryOnConflict,
          docAsUpsert: update!.docAsUpsert,
          hasUpsert: update!.upsert !== undefined,
        }),
        ...idProblems(request.id!),
        ...updateProblems(update!),
      ]
    }
    default: {
      const create = request.action === 'create'
      const problems = indexProblems(request, create, request.id !== undefined)
      return request.id === undefined ? problems : [...problems, ...idProblems(request.id)]
    }
  }
}

/** The version of a request without a version. */
const MATCH_ANY = -3

/** A pipeline dropped the document, so nothing was written. */
const droppedAnswer = ({ index, id }: DocumentWrite): DocumentAnswer => ({
  status: 200,
  body: {
    _index: index,
    _id: id ?? 'auto-generated',
    _version: MATCH_ANY,
    result: 'noop',
    _shards: { total: 0, successful: 0, failed: 0 },
  },
})

async function checkActiveShards(
  request: DocumentWrite,
  update: UpdateRequest | undefined,
  target: FoundTarget,
  id: string,
  shard: number,
): Promise<void> {
  if (request.activeShards === undefined) return
  const missing = missingCopies(request.activeShards, target.replicas)
  if (missing === undefined) return
  const { timeoutMs } = request.activeShards
  await new Promise((resolve) => setTimeout(resolve, timeoutMs))
  const source = update?.doc === undefined ? request.body : encodeSource(update.doc)
  const operation =
    request.action === 'delete' ? describeDelete(target.indexName, id) : describeIndex(target.indexName, id, source)
  const label = { index: target.indexName, indexUuid: target.indexUuid, shard }
  throw notEnoughActiveCopies(label, missing, formatDuration(timeoutMs), operation)
}

function emptyToUndefined(text: string | undefined): string | undefined {
  return text === '' ? undefined : text
}
