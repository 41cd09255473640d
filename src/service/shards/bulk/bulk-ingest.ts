/**
 * Runs the documents of a bulk request through their ingest pipelines before anything is written. The results are
 * appended to the body, and the items then refer to them in place of their lines.
 */
import { ApiError } from '../../../base/api-error.ts'
import { unexpectedFailure } from '../../../base/errors/http-errors.ts'
import { decodeUtf8, JsonReader } from '../../../base/json/json-reader.ts'
import type { IngestedDocument, IngestResult, IngestRoute } from '../../ingest/run/definitions.ts'
import type { IngestRunner } from '../../ingest/run/ingest-runner.ts'
import type { BulkRequest, HostCallbacks, VersionType } from '../shard-host.ts'
import { encodeSource, readSourceObject, type SourceObject } from '../write/source-value.ts'
import type { BulkOutcome } from './bulk-answer.ts'
import { type BulkExtras, type BulkItems, DELETE, newExtras, UPDATE } from './bulk-items.ts'
import { Turns } from './turns.ts'

export interface BulkIngestSurroundings {
  readonly ingest: IngestRunner
  readonly callbacks: HostCallbacks
  readonly fail: (item: number, error: ApiError) => void
}

export class BulkIngest {
  readonly #request: BulkRequest
  readonly #items: BulkItems
  readonly #outcome: BulkOutcome
  readonly #around: BulkIngestSurroundings
  readonly #routes = new Map<string, IngestRoute>()
  /** The body, followed by the results of the pipelines. */
  #bytes: Uint8Array
  #end: number
  #hasRun = false

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
    for (let item = 0; item < count; item++) {
      const waiting = this.#ingest(item)
      if (waiting !== undefined) await waiting
      if (turns.isOver()) await turns.next()
    }
    return this.#bytes.subarray(0, this.#end)
  }

  #isNeeded(): boolean {
    const { defaultPipeline } = this.#request
    if (this.#around.ingest.isUsed || (defaultPipeline !== undefined && defaultPipeline !== '_none')) return true
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
    if (action === DELETE) return undefined
    const extra = items.extra[item]! < 0 ? undefined : items.extras[items.extra[item]!]
    const { name } = items.targets[items.target[item]!]!
    const route = this.#routes.get(name)
    const wanted = extra?.pipeline ?? this.#request.defaultPipeline ?? route?.default
    const pipeline = wanted === '_none' ? undefined : wanted
    if (pipeline === undefined && route?.final === undefined) return undefined
    if (action === UPDATE) return this.#ingestUpsert(item, extra!, pipeline, route?.final)
    this.#hasRun = true
    const range = { bytes: this.#bytes, start: items.sourceStart[item]!, end: items.sourceEnd[item]! }
    return this.#try(item, () => {
      const result = this.#around.ingest.run(
        { ...this.#metadata(item, name, extra), source: EMPTY, pipeline, final: route?.final },
        range,
      )
      return result instanceof Promise
        ? result.then((value) => this.#keep(item, name, extra, value))
        : this.#keep(item, name, extra, result)
    })
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
        const source = readObject(result.source)
        extra.update = update.docAsUpsert ? { ...update, doc: source } : { ...update, upsert: source }
      }
      return undefined
    }
    return this.#try(item, () => {
      const request = { ...this.#metadata(item, name, undefined), source: EMPTY, pipeline, final }
      const result = this.#around.ingest.run(request, { bytes, start: 0, end: bytes.length })
      return result instanceof Promise ? result.then(keep) : keep(result)
    })
  }

  /** A failure, also a later one, belongs to the item. */
  #try(item: number, work: () => Promise<void> | undefined): Promise<void> | undefined {
    const failed = (error: unknown) => {
      this.#outcome.pipelineFailed.add(item)
      this.#around.fail(item, error instanceof ApiError ? error : unexpectedFailure(error))
    }
    try {
      return work()?.catch(failed)
    } catch (error) {
      failed(error)
      return undefined
    }
  }

  #metadata(item: number, index: string, extra: BulkExtras | undefined) {
    const items = this.#items
    const text = (start: number, end: number) => (start < 0 ? undefined : decodeUtf8(this.#bytes, start, end))
    return {
      index,
      id: text(items.idStart[item]!, items.idEnd[item]!),
      routing: text(items.routingStart[item]!, items.routingEnd[item]!) ?? this.#request.defaultRouting,
      version: extra?.version ?? -3,
      versionType: extra?.versionType ?? 'internal',
      ifSeqNo: extra?.ifSeqNo,
      ifPrimaryTerm: extra?.ifPrimaryTerm,
    }
  }

  /** Replaces the item by the result of its pipelines. */
  #keep(item: number, name: string, extra: BulkExtras | undefined, result: IngestResult): undefined {
    if (result === 'dropped') {
      this.#outcome.dropped.add(item)
      return undefined
    }
    const items = this.#items
    const start = this.#append(result.source)
    items.sourceStart[item] = start
    items.sourceEnd[item] = this.#end
    this.#keepText(result.id, items.idStart, items.idEnd, item)
    this.#keepText(result.routing, items.routingStart, items.routingEnd, item)
    if (result.index !== name) this.#moveTo(item, result.index)
    this.#keepExtras(item, extra, result)
    return undefined
  }

  /** An unchanged id or routing value is not copied. */
  #keepText(text: string | undefined, starts: Int32Array, ends: Int32Array, item: number): void {
    const start = starts[item]!
    if (text === undefined) {
      starts[item] = -1
      return
    }
    if (start >= 0 && decodeUtf8(this.#bytes, start, ends[item]!) === text) return
    starts[item] = this.#append(Buffer.from(text))
    ends[item] = this.#end
  }

  #moveTo(item: number, name: string): void {
    const { targets, target } = this.#items
    const { requireAlias, requireDataStream, isDelete } = targets[target[item]!]!
    let number = targets.findIndex(
      (other) =>
        other.name === name &&
        other.isDelete === isDelete &&
        other.requireAlias === requireAlias &&
        other.requireDataStream === requireDataStream,
    )
    if (number < 0) number = targets.push({ name, requireAlias, requireDataStream, isDelete }) - 1
    target[item] = number
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

  #append(bytes: Uint8Array): number {
    const start = this.#end
    const end = start + bytes.length
    if (end > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(end, Math.ceil(this.#bytes.length * 1.6), 4_096))
      grown.set(this.#bytes.subarray(0, start))
      this.#bytes = grown
    }
    this.#bytes.set(bytes, start)
    this.#end = end
    return start
  }
}

const EMPTY = new Uint8Array(0)

function readObject(bytes: Uint8Array): SourceObject {
  const reader = new JsonReader().reset(bytes)
  reader.next()
  return readSourceObject(reader)
}
