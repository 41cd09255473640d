/** `POST|PUT /_bulk` and `/{index}/_bulk`. The body is passed on as bytes and not parsed on this thread. */

import { bodyRequired } from '../../../base/errors/http-errors.ts'
import { withoutSourceInJson } from '../../../base/errors/source-in-errors.ts'
import { RawJson } from '../../../base/json/json-writer.ts'
import type { SandpiperNode } from '../../../service/sandpiper-node.ts'
import { requestOrigin } from '../../request-id.ts'
import type { Routes } from '../../router.ts'
import { sourceParameter } from '../search/search-parameters.ts'
import { activeShards, refreshPolicy, shardCount, writeTimeout } from './document-parameters.ts'

export function bulkRoutes(routes: Routes, node: SandpiperNode): void {
  for (const path of ['/_bulk', '/{index}/_bulk']) {
    routes.add(['POST', 'PUT'], path, (request) => {
      const { query } = request
      const startedAtMs = Date.now()
      const routing = query.string('routing') || undefined
      const sourceFilter = sourceParameter(request)
      const pipeline = query.string('pipeline')
      // Mistakes in these are reported in this order.
      const listExecutedPipelines = query.boolean('list_executed_pipelines', false)
      const shards = shardCount(query)
      const requireAlias = query.boolean('require_alias', false)
      const requireDataStream = query.boolean('require_data_stream', false)
      const timeoutMs = writeTimeout(query)
      const wanted = {
        defaultIndex: request.param('index'),
        defaultRouting: routing,
        sourceFilter,
        defaultPipeline: pipeline,
        activeShards: activeShards(shards, timeoutMs),
        refresh: refreshPolicy(query),
        requireAlias,
        requireDataStream,
        listExecutedPipelines,
        startedAtMs,
        origin: requestOrigin(request, node.state),
        ...request.bulk,
      }
      const showsSource = query.boolean('include_source_on_error', true)
      if (!request.hasBody) throw bodyRequired()
      const body = request.body
      return async () => {
        const answer = await node.documents.bulk({ ...wanted, body }, request.access?.writes)
        return { status: 200, body: new RawJson(showsSource ? answer.body : withoutSourceInJson(answer.body)) }
      }
    })
  }
}
