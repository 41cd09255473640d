/** Applies a request that writes one document: index, create, update or delete. */
import { illegalArgument } from '../../../base/api-error.ts'
import { SourceFilter } from '../../../engine/mapping/source/source-filter.ts'
import type { IngestRunner } from '../../ingest/run/ingest-runner.ts'
import type { OpenShard } from '../open-index.ts'
import type { WriteAnswer, WriteRequest } from '../shard-host.ts'
import type { DocumentToWrite, DocumentWriter } from './document-writer.ts'
import { parseUpdateRequest } from './update-request.ts'

export class SingleWrites {
  readonly #writer: DocumentWriter
  readonly #ingest: IngestRunner

  constructor(writer: DocumentWriter, ingest: IngestRunner) {
    this.#writer = writer
    this.#ingest = ingest
  }

  /** Fills `document` and applies it. The operation is durable after the next sync of the shard. */
  async apply(open: OpenShard, request: WriteRequest, document: DocumentToWrite): Promise<WriteAnswer> {
    const { index, shard, label } = open
    document.idBytes = Buffer.from(request.id)
    document.routing = request.routing
    document.condition = request
    document.requireTimestamp = request.requireTimestamp
    document.origin = request.origin
    if (request.action === 'delete') {
      const { existed, ...written } = this.#writer.delete(shard, document)
      return { result: existed ? 'deleted' : 'not_found', ...written, forcedRefresh: false, source: undefined }
    }
    if (request.action === 'update') {
      document.rerouted = true
      document.ingest = this.#updateIngest(open, request)
      const update = parseUpdateRequest(request.source!)
      const { source, ...updated } = await this.#writer.update(index, shard, label, document, update)
      if (updated.result === 'noop') shard.counters.noopUpdateTotal++
      const filter = request.sourceFilter
      if (updated.result === 'deleted') {
        return { ...updated, forcedRefresh: false, source: undefined, isSourceGone: filter?.enabled === true }
      }
      const shown =
        filter?.enabled === true ? new SourceFilter(filter.includes, filter.excludes).apply(source!) : undefined
      // Copied, because the source of an unchanged document is the shard's own memory.
      const copy = shown === undefined ? undefined : new Uint8Array(shown)
      return { ...updated, forcedRefresh: false, source: copy }
    }
    document.bytes = request.source!
    document.end = document.bytes.length
    document.create = request.action === 'create'
    document.dynamicTemplates = request.dynamicTemplates
    document.autoId = request.autoId
    const { existed, ...written } = await this.#writer.index(index, shard, document)
    return { result: existed ? 'updated' : 'created', ...written, forcedRefresh: false, source: undefined }
  }

  /** Runs the pipelines of the index on the updated document. They may not change its index or id. */
  #updateIngest({ index }: OpenShard, request: WriteRequest): DocumentToWrite['ingest'] {
    const { route } = request
    if (route === undefined || (route.default === undefined && route.final === undefined)) return undefined
    return (source) => {
      const metadata = {
        index: index.name,
        id: request.id,
        routing: request.routing,
        version: -3,
        versionType: 'internal',
      }
      const result = this.#ingest.run(
        {
          ...metadata,
          ifSeqNo: undefined,
          ifPrimaryTerm: undefined,
          source,
          pipeline: route.default,
          final: route.final,
        },
        { bytes: source, start: 0, end: source.length },
      )
      if (result === 'dropped') return undefined
      if (result instanceof Promise || result.index !== index.name || result.id !== request.id) {
        if (result instanceof Promise) result.catch(ignore)
        throw illegalArgument('a pipeline cannot change the index or the id of a document that an update writes')
      }
      return Buffer.from(result.source)
    }
  }
}

function ignore(): void {}
