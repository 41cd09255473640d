/**
 * Applies single operations to a shard: parses the document, extends the mapping if needed, checks conditions and
 * writes.
 *
 * An operation is applied without yielding, so an update sees the document it replaces. Only if a document has new
 * fields does it wait for the main thread, and then starts over with the updated mapping. The result is usually a value
 * and not a promise, because an await per document would cost more than parsing it.
 */

import { ApiError } from '../../../base/api-error.ts'
import { documentMissing, documentSourceMissing } from '../../../base/errors/document-errors.ts'
import { storedScriptMissing } from '../../../base/errors/script-errors.ts'
import { type ShardLabel, seqNoDiffers } from '../../../base/errors/shard-errors.ts'
import { JsonOutput } from '../../../base/json/json-output.ts'
import { decodeUtf8, JsonReader } from '../../../base/json/json-reader.ts'
import type { Log } from '../../../base/log.ts'
import { copyOfLent, readLent } from '../../../base/memory/lent-bytes.ts'
import { ParsedDocument } from '../../../engine/document/parsed-document.ts'
import type { DocumentParser, MappingJson, ParseContext } from '../../../engine/mapping/mapping-api.ts'
import { writeJava } from '../../../engine/painless/index.ts'
import { type Ctx, failedToExecute, javaSource, runUpdateScript } from '../../../engine/scripts/ctx-script.ts'
import type { Script } from '../../../engine/scripts/script.ts'
import {
  type CurrentDocument,
  NO_CONDITION,
  type WriteCondition,
  type WriteResult,
} from '../../../engine/shard/operations.ts'
import type { Shard } from '../../../engine/shard/shard.ts'
import type { StoredScript } from '../../metadata/metadata.ts'
import { newRequestId, type RequestOrigin } from '../../slow-log/request-origin.ts'
import { logSlowWrite } from '../../slow-log/write-slow-log.ts'
import type { OpenIndex } from '../open-index.ts'
import { encodeSource, objectInHashOrder, readSourceObject, type SourceObject } from './source-value.ts'
import { mergeSource } from './update-merge.ts'
import type { UpdateRequest } from './update-request.ts'

/** A document to be written. One object serves a whole bulk request; it must not change while its write waits. */
export class DocumentToWrite {
  idBytes: Uint8Array = EMPTY
  routing: string | undefined
  /** The document is `bytes[start, end)`. */
  bytes: Uint8Array = EMPTY
  start = 0
  end = 0
  create = false
  autoId = false
  /** Whether the document was read in this turn, as an update does. */
  isFound = false
  condition: WriteCondition = NO_CONDITION
  requireTimestamp = false
  /** Whether an update replaces the document's routing by that of the request. */
  rerouted = false
  /** Whether the update reached the write; earlier failures have no effect on the shard. */
  updateWrites = false
  dynamicTemplates: Readonly<Record<string, string>> | undefined
  /** Sends the document an update makes through its pipelines; undefined drops it. */
  ingest: ((source: Uint8Array) => Uint8Array | undefined) | undefined
  /** What the slow log shows of the request. */
  origin: RequestOrigin | undefined
}

const EMPTY = new Uint8Array(0)

/** The result of an update. `source` is the encoded document after it. */
export interface UpdateResult {
  readonly result: 'created' | 'updated' | 'deleted' | 'noop'
  readonly version: number
  readonly seqNo: number
  readonly primaryTerm: number
  /** Undefined if the document no longer exists. */
  readonly source: Uint8Array | undefined
}

/** A document's id as text, created only if an error or a mapping needs it. */
class LazyContext implements ParseContext {
  document: DocumentToWrite | undefined

  get id(): string {
    const bytes = this.document!.idBytes
    return decodeUtf8(bytes, 0, bytes.length)
  }
  get routing(): string | undefined {
    return this.document!.routing
  }
  get dynamicTemplates(): Readonly<Record<string, string>> | undefined {
    return this.document!.dynamicTemplates
  }
  get requireTimestamp(): boolean {
    return this.document!.requireTimestamp
  }
}

export class DocumentWriter {
  readonly #parser: DocumentParser
  readonly #growMapping: (index: OpenIndex, update: MappingJson) => Promise<void>
  readonly #findScript: (id: string) => Promise<StoredScript | undefined>
  readonly #nowMs: () => number
  readonly #log: Log
  readonly #parsed = new ParsedDocument()
  readonly #context = new LazyContext()
  readonly #reader = new JsonReader()
  readonly #operation = {
    idBytes: EMPTY as Uint8Array,
    routing: undefined as string | undefined,
    source: EMPTY as Uint8Array,
    storedSource: undefined as Uint8Array | undefined,
    parsed: this.#parsed,
    schemas: [] as OpenIndex['mapping']['schemas'],
    create: false,
    autoId: false,
    isFound: false,
    condition: NO_CONDITION,
  }

  constructor(
    parser: DocumentParser,
    growMapping: (index: OpenIndex, update: MappingJson) => Promise<void>,
    around: { findScript: (id: string) => Promise<StoredScript | undefined>; nowMs: () => number; log: Log },
  ) {
    this.#parser = parser
    this.#findScript = around.findScript
    this.#nowMs = around.nowMs
    this.#log = around.log
    this.#growMapping = growMapping
  }

  /** Indexes or creates. Throws or rejects with the error of the document. */
  index(index: OpenIndex, shard: Shard, document: DocumentToWrite): WriteResult | Promise<WriteResult> {
    if (index.slowIndexing === undefined) return this.#index(index, shard, document)
    const startedMs = performance.now()
    const result = this.#index(index, shard, document)
    if (!(result instanceof Promise)) {
      this.#logIfSlow(index, document, performance.now() - startedMs)
      return result
    }
    return result.then((written) => {
      this.#logIfSlow(index, document, performance.now() - startedMs)
      return written
    })
  }

  #logIfSlow(index: OpenIndex, document: DocumentToWrite, tookMs: number): void {
    const level = index.slowIndexing?.levelOf(tookMs)
    if (level === undefined) return
    const { idBytes, routing, bytes, start, end } = document
    const { user, ...ids } = originOf(document)
    logSlowWrite(this.#log, {
      level,
      index: index.name,
      tookMs,
      id: decodeUtf8(idBytes, 0, idBytes.length),
      routing,
      source: index.slowSource(decodeUtf8(bytes, start, end)),
      origin: { ...ids, user: index.slowLogShowsUser ? user : undefined },
    })
  }

  #index(index: OpenIndex, shard: Shard, document: DocumentToWrite): WriteResult | Promise<WriteResult> {
    const update = this.#parse(index, document)
    if (update !== undefined) return this.#indexAfterGrowth(index, shard, document, update)
    return this.#apply(index, shard, document)
  }

  delete(shard: Shard, document: DocumentToWrite): WriteResult {
    return shard.delete({ idBytes: document.idBytes, routing: document.routing, condition: document.condition })
  }

  /**
   * Merges, inserts, or does nothing. `document` has id, routing and conditions; its bytes are created here. `label`
   * names the shard in errors.
   */
  update(
    index: OpenIndex,
    shard: Shard,
    label: ShardLabel,
    document: DocumentToWrite,
    request: UpdateRequest,
  ): UpdateResult | Promise<UpdateResult> {
    const { script } = request
    if (script?.id !== undefined) return this.#updateStored(index, shard, label, document, { ...request, script })
    return this.#updateInline(index, shard, label, document, request)
  }

  #updateInline(
    index: OpenIndex,
    shard: Shard,
    label: ShardLabel,
    document: DocumentToWrite,
    request: UpdateRequest,
  ): UpdateResult | Promise<UpdateResult> {
    const step = this.#updateStep(index, shard, label, document, request)
    return 'growth' in step ? this.#updateAfterGrowth(index, shard, label, document, request, step.growth) : step
  }

  /** Stored scripts are in the main thread. A missing one fails the update only if the script is run. */
  async #updateStored(
    index: OpenIndex,
    shard: Shard,
    label: ShardLabel,
    document: DocumentToWrite,
    request: UpdateRequest & { script: Script },
  ): Promise<UpdateResult> {
    const { id, params } = request.script
    const found = await this.#findScript(id!)
    const script: Script =
      found === undefined
        ? request.script
        : { source: found.source, lang: found.lang, id: undefined, params, options: {} }
    return await this.#updateInline(index, shard, label, document, { ...request, script })
  }

  #parse(index: OpenIndex, document: DocumentToWrite): MappingJson | undefined {
    this.#context.document = document
    this.#parsed.reset()
    const source = document.bytes.subarray(document.start, document.end)
    this.#operation.source = source
    return this.#parser.parse(index.mapping, source, 0, source.length, this.#context, this.#parsed)
  }

  /** Must follow `#parse` of the same document, which sets its source and its fields. */
  #apply(index: OpenIndex, shard: Shard, document: DocumentToWrite): WriteResult {
    const { mapping } = index
    const operation = this.#operation
    const { source } = operation
    operation.idBytes = document.idBytes
    operation.routing = document.routing
    operation.storedSource = index.storesWholeSource
      ? source
      : mapping.sourceEnabled
        ? mapping.storedSource(source)
        : undefined
    operation.schemas = mapping.schemas
    operation.create = document.create
    operation.autoId = document.autoId
    operation.isFound = document.isFound
    operation.condition = document.condition
    return shard.index(operation)
  }

  async #indexAfterGrowth(
    index: OpenIndex,
    shard: Shard,
    document: DocumentToWrite,
    growth: MappingJson,
  ): Promise<WriteResult> {
    let update: MappingJson | undefined = growth
    for (let round = 0; update !== undefined; round++) {
      checkGrowth(round)
      await this.#growMapping(index, update)
      update = this.#parse(index, document)
    }
    return this.#apply(index, shard, document)
  }

  async #updateAfterGrowth(
    index: OpenIndex,
    shard: Shard,
    label: ShardLabel,
    document: DocumentToWrite,
    request: UpdateRequest,
    growth: MappingJson,
  ): Promise<UpdateResult> {
    let update = growth
    for (let round = 0; ; round++) {
      checkGrowth(round)
      await this.#growMapping(index, update)
      // The document may have changed meanwhile, so it is read again too.
      const step = this.#updateStep(index, shard, label, document, request)
      if (!('growth' in step)) return step
      update = step.growth
    }
  }

  #updateStep(
    index: OpenIndex,
    shard: Shard,
    label: ShardLabel,
    document: DocumentToWrite,
    request: UpdateRequest,
  ): UpdateResult | { growth: MappingJson } {
    const id = decodeUtf8(document.idBytes, 0, document.idBytes.length)
    const stored = shard.current(document.idBytes)
    const wanted = document.condition
    if (stored === undefined) {
      const upsert = request.docAsUpsert ? request.doc : request.upsert
      if (upsert === undefined) throw documentMissing(label, id)
      if (request.script !== undefined && request.scriptedUpsert) {
        return this.#insertScripted(index, shard, document, request.script, upsert)
      }
      return this.#writeUpdated(index, shard, document, encodeSource(upsert), NO_CONDITION, document.routing, true)
    }
    if (
      wanted.ifSeqNo !== undefined &&
      (wanted.ifSeqNo !== stored.seqNo || wanted.ifPrimaryTerm !== stored.primaryTerm)
    ) {
      throw seqNoDiffers(label, id, { seqNo: wanted.ifSeqNo, primaryTerm: wanted.ifPrimaryTerm ?? 0 }, stored)
    }
    if (stored.source === undefined) throw documentSourceMissing(label, id)
    const condition = { ...NO_CONDITION, ifSeqNo: stored.seqNo, ifPrimaryTerm: stored.primaryTerm }
    const routing = document.rerouted ? (document.routing ?? stored.routing) : stored.routing
    if (request.script !== undefined) {
      // In the order in which scripts see the members.
      const ctx = {
        _source: readLent(stored.source, javaSource),
        _routing: stored.routing ?? null,
        op: 'index',
        _index: index.name,
        _type: '_doc',
        _id: id,
        _now: this.#nowMs(),
        _version: stored.version,
      }
      const { op, source } = scripted(request.script, ctx)
      if (op === 'index') {
        return this.#writeUpdated(index, shard, document, encodeScripted(source), condition, routing, false)
      }
      if (op !== 'delete') return unchanged(stored)
      document.updateWrites = true
      const deleted = shard.delete({ idBytes: document.idBytes, routing, condition })
      return { result: 'deleted', ...written(deleted), source: undefined }
    }
    const source = readLent(stored.source, (bytes) => this.#readSource(bytes))
    const changed = mergeSource(source, objectInHashOrder(request.doc!))
    if (request.detectNoop && !changed) return unchanged(stored)
    return this.#writeUpdated(index, shard, document, encodeSource(source), condition, routing, false)
  }

  /** Runs the script on the upsert document; it may decide not to insert. */
  #insertScripted(
    index: OpenIndex,
    shard: Shard,
    document: DocumentToWrite,
    script: Script,
    upsert: SourceObject,
  ): UpdateResult | { growth: MappingJson } {
    const id = decodeUtf8(document.idBytes, 0, document.idBytes.length)
    const given = encodeSource(upsert)
    const _source = javaSource(given)
    const { op, source } = scripted(script, { _index: index.name, _id: id, op: 'create', _now: this.#nowMs(), _source })
    if (op === 'create') {
      return this.#writeUpdated(index, shard, document, encodeScripted(source), NO_CONDITION, document.routing, true)
    }
    return { result: 'noop', version: -1, seqNo: -2, primaryTerm: 0, source: given }
  }

  #writeUpdated(
    index: OpenIndex,
    shard: Shard,
    update: DocumentToWrite,
    source: Uint8Array,
    condition: WriteCondition,
    routing: string | undefined,
    create: boolean,
  ): UpdateResult | { growth: MappingJson } {
    const ingested = update.ingest === undefined ? source : update.ingest(source)
    if (ingested === undefined) return { result: 'noop', version: -3, seqNo: -2, primaryTerm: 0, source }
    update.updateWrites = true
    const document = new DocumentToWrite()
    if (index.slowIndexing !== undefined) document.origin = originOf(update)
    document.idBytes = update.idBytes
    document.routing = routing
    document.bytes = ingested
    document.end = ingested.length
    document.create = create
    document.isFound = update.ingest === undefined
    document.condition = condition
    document.requireTimestamp = update.requireTimestamp
    document.dynamicTemplates = update.dynamicTemplates
    const startedMs = index.slowIndexing === undefined ? 0 : performance.now()
    const growth = this.#parse(index, document)
    if (growth !== undefined) return { growth }
    const { version, seqNo, primaryTerm } = this.#apply(index, shard, document)
    if (index.slowIndexing !== undefined) this.#logIfSlow(index, document, performance.now() - startedMs)
    return { result: create ? 'created' : 'updated', version, seqNo, primaryTerm, source: ingested }
  }

  /** Copied, because the reader unescapes in place and the stored bytes belong to the shard. */
  #readSource(stored: Uint8Array) {
    this.#reader.reset(new Uint8Array(stored)).next()
    return readSourceObject(this.#reader)
  }
}

/** The origin is kept with the document, so that all lines about a bulk request have the same id. */
function originOf(document: DocumentToWrite): RequestOrigin {
  const { requestId = newRequestId(), opaqueId, user } = document.origin ?? {}
  document.origin = { requestId, opaqueId, user }
  return document.origin
}

/** Maximum rounds until the mapping has all fields of a document, because other documents add theirs in between. */
const GROWTH_ROUNDS_MAX = 100

/** A mapping that does not keep new fields would cause an endless loop that blocks this thread. */
function checkGrowth(round: number): void {
  if (round >= GROWTH_ROUNDS_MAX) throw new Error('the mapping does not take the fields of this document')
}

/** Runs a script on a document. Returns the requested operation and the resulting source. */
function scripted(script: Script, ctx: Ctx): { readonly op: string; readonly source: unknown } {
  try {
    if (script.id !== undefined) throw storedScriptMissing(script.id)
    const { op, source } = runUpdateScript(script, ctx)
    return { op: op === 'none' ? 'noop' : String(op), source }
  } catch (error) {
    if (!(error instanceof ApiError) || isUnwritable(error)) throw error
    throw failedToExecute(error)
  }
}

/** The source that a script left, as JSON. */
function encodeScripted(source: unknown): Uint8Array {
  if (source === null) return NO_MEMBERS
  const out = new JsonOutput()
  writeJava(source, out)
  return out.toBuffer()
}

const NO_MEMBERS = Buffer.from('{}')

/** The source is copied, because the shard's memory may change before it is shown. */
function unchanged({ version, seqNo, primaryTerm, source }: CurrentDocument): UpdateResult {
  return { result: 'noop', version, seqNo, primaryTerm, source: copyOfLent(source!) }
}

const written = ({ version, seqNo, primaryTerm }: WriteResult) => ({ version, seqNo, primaryTerm })

/** The script left a value that a source cannot contain. */
const isUnwritable = ({ message }: ApiError) => /^cannot write xcontent|^Iterable object is self-ref/.test(message)
