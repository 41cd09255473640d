/** `_data_stream/{name}/_lifecycle`, `_lifecycle/explain` and `_lifecycle/stats`. */
import { formatDuration } from '../../../base/duration.ts'
import { resolverOf } from '../../../service/catalog/index-context.ts'
import { failuresLifecycle, printFailuresLifecycle } from '../../../service/definitions/failure-store.ts'
import {
  generationTimeMs,
  managerOf,
  parseStreamLifecycle,
  printStreamLifecycle,
} from '../../../service/definitions/stream-lifecycle.ts'
import type { IndexMetadata, JsonObject } from '../../../service/metadata/metadata.ts'
import { isFailureIndex } from '../../../service/metadata/metadata-state.ts'
import { EXPAND_OPEN, withParameters } from '../../../service/names/indices-options.ts'
import type { SandpiperNode } from '../../../service/sandpiper-node.ts'
import type { Routes } from '../../router.ts'
import { indexExpressions, indicesParameters } from '../indices-parameters.ts'
import { acceptTimeouts, listParameter } from './indices.ts'

export function dataStreamLifecycleRoutes(routes: Routes, node: SandpiperNode): void {
  routes.add('PUT', '/_data_stream/{name}/_lifecycle', (request) => {
    const names = listParameter(request, 'name')
    const parameters = indicesParameters(request)
    acceptTimeouts(request)
    const lifecycle = parseStreamLifecycle((request.json() ?? {}) as JsonObject)
    return async () => ({
      status: 200,
      body: await node.dataStreams.change(names, parameters, (stream) => ({ ...stream, lifecycle })),
    })
  })

  routes.add('GET', '/_data_stream/{name}/_lifecycle', (request) => {
    const names = listParameter(request, 'name')
    const parameters = indicesParameters(request)
    request.query.accept('include_defaults', 'master_timeout')
    return () => {
      const global = node.lifecycle.globalRetention()
      const streams = node.dataStreams.find(names, parameters).map(({ name, lifecycle }) => ({
        name,
        ...(lifecycle === undefined ? {} : { lifecycle: printStreamLifecycle(lifecycle, global) }),
      }))
      const shown = (name: string, ms: number | undefined) => (ms === undefined ? {} : { [name]: formatDuration(ms) })
      const retention = { ...shown('max_retention', global.maxMs), ...shown('default_retention', global.defaultMs) }
      return { status: 200, body: { data_streams: streams, global_retention: retention } }
    }
  })

  routes.add('DELETE', '/_data_stream/{name}/_lifecycle', (request) => {
    const names = listParameter(request, 'name')
    const parameters = indicesParameters(request)
    acceptTimeouts(request)
    return async () => ({
      status: 200,
      body: await node.dataStreams.change(names, parameters, ({ lifecycle: _removed, ...stream }) => stream),
    })
  })

  routes.add('GET', '/{index}/_lifecycle/explain', (request) => {
    const expressions = indexExpressions(request)
    const parameters = indicesParameters(request)
    request.query.accept('include_defaults', 'master_timeout')
    return () => {
      const indices = resolverOf(node.context).indices(expressions, withParameters(EXPAND_OPEN, parameters))
      return {
        status: 200,
        body: { indices: Object.fromEntries(indices.map((index) => [index.name, explain(node, index)])) },
      }
    }
  })

  routes.add('GET', '/_lifecycle/stats', () => () => {
    const streams = [...node.state.dataStreams.values()].filter(({ lifecycle }) => lifecycle?.enabled === true)
    const shown = streams.map(({ name, indices }) => ({
      name,
      backing_indices_in_total: indices.length,
      backing_indices_in_error: indices.filter((index) => node.lifecycle.streams.failures.has(index)).length,
    }))
    return { status: 200, body: { data_stream_count: streams.length, data_streams: shown } }
  })
}

function explain(node: SandpiperNode, index: IndexMetadata): JsonObject {
  const stream = node.state.streamOf(index.name)
  const ofFailures = isFailureIndex(stream, index.name)
  const lifecycle = ofFailures ? failuresLifecycle(stream!, node.dataStreams.keepsFailures(stream!)) : stream?.lifecycle
  if (lifecycle === undefined || managerOf(index.settings, lifecycle) !== 'Data stream lifecycle') {
    return { index: index.name, managed_by_lifecycle: false }
  }
  const now = node.context.clock.nowMs()
  const rolledOver = index.rolledOver?.timeMs
  const generation = generationTimeMs(index)
  const failure = node.lifecycle.streams.failures.get(index.name)
  return {
    index: index.name,
    managed_by_lifecycle: true,
    index_creation_date_millis: index.creationDate,
    time_since_index_creation: formatDuration(now - index.creationDate),
    ...(rolledOver === undefined
      ? {}
      : { rollover_date_millis: rolledOver, time_since_rollover: formatDuration(now - rolledOver) }),
    ...(generation === undefined ? {} : { generation_time: formatDuration(now - generation) }),
    lifecycle: (ofFailures ? printFailuresLifecycle : printStreamLifecycle)(
      lifecycle,
      node.lifecycle.globalRetention(),
    ),
    ...(failure === undefined
      ? {}
      : {
          error: {
            error: failure.message,
            first_occurrence_timestamp: failure.firstMs,
            recorded_timestamp: failure.lastMs,
            retry_count: failure.retries,
          },
        }),
  }
}
