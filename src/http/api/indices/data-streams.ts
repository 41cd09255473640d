/** `_data_stream`: creates, shows, deletes and modifies data streams and their options, and reports their statistics. */
import { parseFailure } from '../../../base/api-error.ts'
import { migrateAlias } from '../../../service/data-streams/migrate-alias.ts'
import { parseStreamOptions, printStreamOptions } from '../../../service/definitions/failure-store.ts'
import type { JsonObject } from '../../../service/metadata/metadata.ts'
import type { SandpiperNode } from '../../../service/sandpiper-node.ts'
import type { Routes } from '../../router.ts'
import { indicesParameters } from '../indices-parameters.ts'
import { acceptTimeouts, listParameter } from './indices.ts'

export function dataStreamRoutes(routes: Routes, node: SandpiperNode): void {
  routes.add('PUT', '/_data_stream/{name}', (request) => {
    acceptTimeouts(request)
    return async () => ({ status: 200, body: await node.dataStreams.create(request.params['name']!) })
  })

  for (const path of ['/_data_stream', '/_data_stream/{name}']) {
    routes.add('GET', path, (request) => {
      const names = listParameter(request, 'name')
      const parameters = indicesParameters(request)
      request.query.accept('include_defaults', 'master_timeout')
      const isVerbose = request.query.boolean('verbose', false)
      return async () => {
        const streams = node.dataStreams
        const global = node.lifecycle.globalRetention()
        const body = isVerbose
          ? await streams.getVerbose(names, parameters, global)
          : streams.get(names, parameters, global)
        return { status: 200, body }
      }
    })
  }

  routes.add('DELETE', '/_data_stream/{name}', (request) => {
    const names = listParameter(request, 'name')
    const parameters = indicesParameters(request)
    acceptTimeouts(request)
    return async () => ({ status: 200, body: await node.dataStreams.delete(names, parameters) })
  })

  for (const path of ['/_data_stream/_stats', '/_data_stream/{name}/_stats']) {
    routes.add('GET', path, (request) => {
      const names = listParameter(request, 'name')
      const parameters = indicesParameters(request)
      return async () => ({ status: 200, body: await node.dataStreams.stats(names, parameters) })
    })
  }

  routes.add('POST', '/_data_stream/_migrate/{name}', (request) => {
    acceptTimeouts(request)
    return async () => ({ status: 200, body: await migrateAlias(node.context, request.params['name']!) })
  })

  routes.add('POST', '/_data_stream/_modify', (request) => {
    acceptTimeouts(request)
    if (!request.hasBody) throw parseFailure('request body is required')
    const body = request.body
    return async () => ({ status: 200, body: await node.dataStreams.modify(body) })
  })
  optionsRoutes(routes, node)
}

/** The options say whether data streams have a failure store, and how long it keeps documents. */
const OPTIONS = '/_data_stream/{name}/_options'

function optionsRoutes(routes: Routes, node: SandpiperNode): void {
  routes.add('GET', OPTIONS, (request) => {
    const names = listParameter(request, 'name')
    const parameters = indicesParameters(request)
    request.query.accept('master_timeout')
    return () => {
      const streams = node.dataStreams.find(names, parameters)
      const shown = streams.map(({ name, options }) => ({
        name,
        ...(options?.failureStore === undefined ? {} : { options: printStreamOptions(options) }),
      }))
      return { status: 200, body: { data_streams: shown } }
    }
  })

  routes.add('PUT', OPTIONS, (request) => {
    const names = listParameter(request, 'name')
    const parameters = indicesParameters(request)
    acceptTimeouts(request)
    if (!request.hasBody) throw parseFailure('request body is required')
    const options = parseStreamOptions((request.json() ?? {}) as JsonObject)
    return async () => ({
      status: 200,
      body: await node.dataStreams.change(names, parameters, (stream) => ({ ...stream, options })),
    })
  })

  routes.add('DELETE', OPTIONS, (request) => {
    const names = listParameter(request, 'name')
    const parameters = indicesParameters(request)
    acceptTimeouts(request)
    return async () => ({
      status: 200,
      body: await node.dataStreams.change(names, parameters, ({ options: _removed, ...stream }) => stream),
    })
  })
}
