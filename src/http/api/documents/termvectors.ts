/** `_termvectors` of one document, stored or sent along, and `_mtermvectors` of several. */
import { indexGone } from '../../../base/errors/index-errors.ts'
import { encodeJson, RawJson } from '../../../base/json/json-writer.ts'
import { TermVectorService } from '../../../service/documents/term-vectors.ts'
import {
  parseMultiTermVectors,
  parseTermVectors,
  type TermVectorsRequest,
} from '../../../service/documents/term-vectors-request.ts'
import type { SandpiperNode } from '../../../service/sandpiper-node.ts'
import type { HttpRequest } from '../../request.ts'
import type { Routes } from '../../router.ts'
import { checkDocumentPreference } from '../search/search-parameters.ts'
import { versionType } from './document-parameters.ts'

export function termVectorRoutes(routes: Routes, node: SandpiperNode): void {
  const service = new TermVectorService({
    documents: node.documents,
    host: node.host,
    readTarget: (name) => node.writeTargets.resolveRead(name),
    index({ indexName, indexUuid }) {
      const index = node.state.indexByUuid(indexUuid)
      if (index === undefined) throw indexGone(indexName, indexUuid)
      return { mapping: node.mappingCache.of(index), analysis: node.mappingCache.analysis(index) }
    },
  })

  for (const path of ['/{index}/_termvectors', '/{index}/_termvectors/{id}']) {
    routes.add(['GET', 'POST'], path, (request) => {
      const wanted = parseTermVectors(request.body, parameters(request))
      return async () => ({ status: 200, body: await service.get(wanted) })
    })
  }
  for (const path of ['/_mtermvectors', '/{index}/_mtermvectors']) {
    routes.add(['GET', 'POST'], path, (request) => {
      const defaults = parameters(request)
      const ids = request.query.list('ids', [])
      const wanted = parseMultiTermVectors(request.body, ids, defaults)
      return async () => {
        const { signal } = request
        const { docs, release } = await service.getAll(wanted, request.access?.refuseItem, () => signal.aborted)
        try {
          return { status: 200, body: { docs: new RawJson(encodeJson(docs)) } }
        } finally {
          release()
        }
      }
    })
  }
}

function parameters(request: HttpRequest): TermVectorsRequest {
  const { query } = request
  checkDocumentPreference(request)
  versionType(query)
  query.boolean('payloads')
  return {
    index: request.params['index'],
    id: request.params['id'],
    doc: undefined,
    routing: query.string('routing'),
    realtime: query.boolean('realtime', true),
    version: query.long('version'),
    fields: query.list('fields'),
    positions: query.boolean('positions', true),
    offsets: query.boolean('offsets', true),
    termStatistics: query.boolean('term_statistics', false),
    fieldStatistics: query.boolean('field_statistics', true),
    perFieldAnalyzer: {},
    filter: undefined,
    limits: request.carriedAccess?.limits,
  }
}
