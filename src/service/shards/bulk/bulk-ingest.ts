/**
 * Runs the documents of a bulk request through their ingest pipelines before anything is written. The results are
 * appended to the body, and the items then refer to them in place of their lines.
 */

import { decodeUtf8, JsonReader } from '../../../base/json/json-reader.ts'
import { breakers } from '../../../base/memory/process-memory.ts'
import type { IngestedDocument, IngestRequest, IngestResult, IngestRoute } from '../../ingest/run/definitions.ts'
import type { IngestRunner } from '../../ingest/run/ingest-runner.ts'
import { mayCreateStreamWithPipeline } from '../../metadata/built-in/ingest-pipelines.ts'
import type { BulkRequest, HostCallbacks, VersionType } from '../shard-host.ts'
import { encodeSource, readSourceObject, type SourceObject } from '../write/source-value.ts'
import type { BulkOutcome } from './bulk-answer.ts'
import { type BulkExtras, type BulkItems, DELETE, newExtras, UPDATE } from './bulk-items.ts'
import { Turns } from './turns.ts'

/** Documents that share a time limit. They take a few milliseconds. */
const WATCHED_TOGETHER = 256

export interface BulkIngestSurroundings {
  readonly ingest: IngestRunner
  readonly callbacks: HostCallbacks
  readonly fail: (item: number, error: unknown) => void
}

export class BulkIngest {
  readonly #request: BulkRequest
  readonly #items: BulkItems
  readonly #outcome: BulkOutcome
  readonly #around: BulkIngestSurroundings
  readonly #routes = new Map<string, IngestRoute>()
  /** The body, followed by the results of the pipelines. */
  #bytes: Uint8Array
  /** The same memory. */
  #buffer: Buffer
  #end: number
  #hasRun = false
  #hasGrown = false
  readonly #before = new Int32Array(8)
  #remembered = -1

  constructor(
    request: BulkRequest,
    body: Uint8Array,
    items: BulkItems,
    outcome: BulkOutcome,
    around: BulkIngestSurroundings,
  ) {
    this.#request = request
    this.#items = items
    this.#outcome = outcome
    this.#around = around
    this.#bytes = body
    this.#buffer = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
    this.#end = body.length
  }

  /** Whether a pipeline has run for any document, or failed. */
  get hasRun(): boolean {
    return this.#hasRun
  }

  /** Runs the pipelines and returns the body to which the items refer afterwards. */
  async run(): Promise<Uint8Array> {
    if (!this.#isNeeded()) return this.#bytes
    await this.#findRoutes()
    const { count } = this.#items
    const turns = new Turns()
    let item = 0
    while (item < count) {
      let waiting: Promise<void> | undefined
      const isFinished = this.#around.ingest.watch(() => {
        for (let left = WATCHED_TOGETHER; left > 0 && item < count && waiting === undefined; left--) {
          this.#remember(item)
          waiting = this.#ingest(item)
          item++
        }
      })
      // A document that waits has ended the batch. If the time limit expired after that, nothing was interrupted.
      if (!isFinished && waiting === undefined && item < count) {
        // The time limit may expire between two documents, so the changes of this item are undone first.
        this.#takeBack(item)
        waiting = this.#ingest(item++)
      }
      if (waiting !== undefined) await waiting
      await turns.next()
    }
    return this.#bytes.subarray(0, this.#end)
  }

  /** Notes where the item's parts are, before pipelines move them. */
  #remember(item: number): void {
    const items = this.#items
    const before = this.#before
    before[0] = items.target[item]!
    before[1] = items.idStart[item]!
    before[2] = items.idEnd[item]!
    before[3] = items.routingStart[item]!
    before[4] = items.routingEnd[item]!
    before[5] = items.sourceStart[item]!
    before[6] = items.sourceEnd[item]!
    before[7] = items.extra[item]!
    this.#remembered = item
  }

  #takeBack(item: number): void {
    if (this.#remembered !== item) return
    const items = this.#items
    const before = this.#before
    items.target[item] = before[0]!
    items.idStart[item] = before[1]!
    items.idEnd[item] = before[2]!
    items.routingStart[item] = before[3]!
    items.routingEnd[item] = before[4]!
    items.sourceStart[item] = before[5]!
    items.sourceEnd[item] = before[6]!
    items.extra[item] = before[7]!
    this.#outcome.dropped.delete(item)
  }

  #isNeeded(): boolean {
    const { defaultPipeline } = this.#request
    if (this.#around.ingest.isUsed || (defaultPipeline !== undefined && defaultPipeline !== '_none')) return true
    if (this.#items.targets.some(({ name }) => mayCreateStreamWithPipeline(name))) return true
    return this.#items.extras.some(({ pipeline }) => pipeline !== undefined && pipeline !== '_none')
  }

  /** Requests the pipelines of all names at once. */
  async #findRoutes(): Promise<void> {
    const names = [...new Set(this.#items.targets.filter(({ isDelete }) => !isDelete).map(({ name }) => name))]
    const routes = await this.#around.callbacks.ingestRoutes(names)
    for (const [i, name] of names.entries()) this.#routes.set(name, routes[i]!)
  }

  #ingest(item: number): Promise<void> | undefined {
    const items = this.#items
    const action = items.action[item]!
    if (action === DELETE || this.#outcome.skipped.has(item)) return undefined
    const extra = items.extra[item]! < 0 ? undefined : items.extras[items.extra[item]!]
    const { name } = items.targets[items.target[item]!]!
    const route = this.#routes.get(name)
    // The pipeline of a request is that of the upsert. The partial document of `doc_as_upsert` gets that of the index.
    const asked = extra?.update?.docAsUpsert === true ? undefined : (extra?.pipeline ?? this.#request.defaultPipeline)
    const wanted = asked ?? route?.default
    const pipeline = wanted === '_none' ? undefined : wanted
    if (pipeline === undefined && route?.final === undefined) return undefined
    if (action === UPDATE) return this.#ingestUpsert(item, extra!, pipeline, route?.final)
    this.#hasRun = true
    const range = { bytes: this.#bytes, start: items.sourceStart[item]!, end: items.sourceEnd[item]! }
    const request = this.#requestOf(item, name, extra, pipeline, route?.final)
    try {
      const result = this.#around.ingest.run(request, range)
      if (result instanceof Promise) {
        return result
          .then((value) => this.#keep(item, request, extra, value))
          .catch((error: unknown) => this.#failed(item, error))
      }
      this.#keep(item, request, extra, result)
    } catch (error) {
      this.#failed(item, error)
    }
    return undefined
  }

  /**
   * The pipelines of an update run for the document of the upsert. An existing document went through them when it was
   * written.
   */
  #ingestUpsert(
    item: number,
    extra: BulkExtras,
    pipeline: string | undefined,
    final: string | undefined,
  ): Promise<void> | undefined {
    const update = extra.update!
    const document = update.docAsUpsert ? update.doc : update.upsert
    if (document === undefined) return undefined
    this.#hasRun = true
    const bytes = encodeSource(document)
    const { name } = this.#items.targets[this.#items.target[item]!]!
    const keep = (result: IngestResult): undefined => {
      if (result === 'dropped') this.#outcome.dropped.add(item)
      else {
        const source = readObject(Buffer.from(result.source))
        extra.update = update.docAsUpsert ? { ...update, doc: source } : { ...update, upsert: source }
      }
      return undefined
    }
    try {
      const request = this.#requestOf(item, name, undefined, pipeline, final)
      const result = this.#around.ingest.run(request, { bytes, start: 0, end: bytes.length })
      if (result instanceof Promise) return result.then(keep).catch((error: unknown) => this.#failed(item, error))
      keep(result)
    } catch (error) {
      this.#failed(item, error)
    }
    return undefined
  }

  /** A failure, also a later one, belongs to the item. */
  #failed(item: number, error: unknown): void {
    this.#outcome.pipelineFailed.add(item)
    this.#around.fail(item, error)
  }

  /** One literal, because copying the members of another object takes longer than the pipeline of a short document. */
  #requestOf(
    item: number,
    index: string,
    extra: BulkExtras | undefined,
    pipeline: string | undefined,
    final: string | undefined,
  ): IngestRequest {
    const items = this.#items
    return {
      index,
      id: this.#text(items.idStart[item]!, items.idEnd[item]!),
      routing: this.#text(items.routingStart[item]!, items.routingEnd[item]!) ?? this.#request.defaultRouting,
      version: extra?.version ?? -3,
      versionType: extra?.versionType ?? 'internal',
      ifSeqNo: extra?.ifSeqNo,
      ifPrimaryTerm: extra?.ifPrimaryTerm,
      source: EMPTY,
      pipeline,
      final,
    }
  }

  #text(start: number, end: number): string | undefined {
    return start < 0 ? undefined : decodeUtf8(this.#bytes, start, end)
  }

  /** Replaces the item by the result of its pipelines. */
  #keep(item: number, request: IngestRequest, extra: BulkExtras | undefined, result: IngestResult): void {
    if (result === 'dropped') {
      this.#outcome.dropped.add(item)
      return
    }
    const items = this.#items
    const start = this.#append(result.source)
    items.sourceStart[item] = start
    items.sourceEnd[item] = this.#end
    if (result.id !== request.id) this.#keepText(result.id, items.idStart, items.idEnd, item)
    this.#keepText(result.routing, items.routingStart, items.routingEnd, item)
    if (result.index !== request.index) this.#moveTo(item, result.index)
    this.#keepExtras(item, extra, result)
  }

  /** An unchanged id or routing value is not copied. */
  #keepText(text: string | undefined, starts: Int32Array, ends: Int32Array, item: number): void {
    const start = starts[item]!
    if (text === undefined) {
      starts[item] = -1
      return
    }
    if (start >= 0 && decodeUtf8(this.#bytes, start, ends[item]!) === text) return
    starts[item] = this.#append(text)
    ends[item] = this.#end
  }

  #moveTo(item: number, name: string): void {
    const { targets, target } = this.#items
    const { requireAlias, requireDataStream, isDelete } = targets[target[item]!]!
    target[item] = this.#items.targetNumber({ name, requireAlias, requireDataStream, isDelete })
  }

  #keepExtras(item: number, extra: BulkExtras | undefined, result: IngestedDocument): void {
    const { version, versionType, ifSeqNo, ifPrimaryTerm, dynamicTemplates, executed } = result
    const hasOwn =
      version !== -3 || versionType !== 'internal' || ifSeqNo !== undefined || dynamicTemplates !== undefined
    if (this.#listsPipelines(extra)) this.#outcome.executed.set(item, executed)
    if (extra === undefined && !hasOwn) return
    const items = this.#items
    const changed = extra ?? newExtras()
    if (extra === undefined) items.extra[item] = items.extras.push(changed) - 1
    changed.version = version === -3 ? undefined : version
    changed.versionType = versionType as VersionType
    changed.ifSeqNo = ifSeqNo
    changed.ifPrimaryTerm = ifPrimaryTerm
    if (dynamicTemplates !== undefined) {
      changed.dynamicTemplates = { ...changed.dynamicTemplates, ...dynamicTemplates }
    }
  }

  #listsPipelines(extra: BulkExtras | undefined): boolean {
    return this.#request.listExecutedPipelines === true || extra?.listPipelines === true
  }

  /** Appends a text as UTF-8 and returns its offset. */
  #append(text: string): number {
    const start = this.#end
    // A character of the text takes three bytes at most.
    const needed = start + text.length * 3
    if (needed > this.#buffer.length) {
      const size = Math.max(needed, this.#expectedBytes(text), 4_096)
      // Pipelines may make a body many times larger. A document without room fails alone.
      breakers().request.check(size, '<ingest_pipelines>')
      const grown = Buffer.allocUnsafeSlow(size)
      grown.set(this.#buffer.subarray(0, start))
      this.#buffer = grown
      this.#bytes = new Uint8Array(grown.buffer)
    }
    this.#end = start + this.#buffer.write(text, start)
    return start
  }

  /**
   * The size of a larger body. At first the other documents are assumed to become as long as this one, because every buffer that is
   * outgrown is garbage of megabytes.
   */
  #expectedBytes(text: string): number {
    const { length } = this.#buffer
    const likely = this.#hasGrown ? 0 : this.#end + text.length * (this.#items.count + 4)
    this.#hasGrown = true
    return Math.max(Math.ceil(length * 1.8), Math.min(likely, length * LIKELY_GROWTH_MAX))
  }
}

const EMPTY = new Uint8Array(0)
/** A body does not become larger than this many times its size on the first document's word alone. */
const LIKELY_GROWTH_MAX = 8

function readObject(bytes: Uint8Array): SourceObject {
  const reader = new JsonReader().reset(bytes)
  reader.next()
  return readSourceObject(reader)
}
