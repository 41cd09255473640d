/** `_stats`: counters of indices and their shards. */
import type { SandpiperNode } from '../../../service/sandpiper-node.ts'
import { parseLevel, parseMetrics } from '../../../service/stats/index-stats.ts'
import type { Routes } from '../../router.ts'
import { indexExpressions, indicesParameters } from '../indices-parameters.ts'
import { listParameter } from './indices.ts'

export function statsRoutes(routes: Routes, node: SandpiperNode): void {
  for (const path of ['/_stats', '/_stats/{metric}', '/{index}/_stats', '/{index}/_stats/{metric}']) {
    routes.add('GET', path, (request) => {
      const { query } = request
      const expressions = indexExpressions(request)
      const parameters = indicesParameters(request)
      const wanted = {
        metrics: parseMetrics(listParameter(request, 'metric'), request.path),
        level: parseLevel(query.string('level', 'indices')),
        groups: query.list('groups', []),
        fields: query.list('fields', []),
        fielddataFields: query.list('fielddata_fields', []),
        completionFields: query.list('completion_fields', []),
        forbidClosed: query.boolean('forbid_closed_indices', true),
        includeUnloadedSegments: query.boolean('include_unloaded_segments', false),
        human: query.boolean('human', false),
      }
      query.accept('include_segment_file_sizes', 'types')
      return async () => ({ status: 200, body: await node.stats.get(expressions, parameters, wanted) })
    })
  }
}
