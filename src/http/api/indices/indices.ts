/** Whole indices: create, show, delete, open, close, refresh, flush, merge, roll over, resolve. */

import { parseRollover } from '../../../service/data-streams/rollover-conditions.ts'
import { parseIndexDefinition } from '../../../service/definitions/create-index-request.ts'
import type { CreateOptions } from '../../../service/indices/index-service.ts'
import { checkFeatures } from '../../../service/indices/print-index.ts'
import { resolveNames } from '../../../service/indices/resolve-names.ts'
import type { SandpiperNode } from '../../../service/sandpiper-node.ts'
import { parseActiveShardCount } from '../../../service/settings/index-setting-checks.ts'
import { warnWithoutEffect } from '../../../service/settings/settings-without-effect.ts'
import type { RequestMetrics } from '../../metrics/request-metrics.ts'
import type { HttpRequest } from '../../request.ts'
import type { Routes } from '../../router.ts'
import { metricsResponse } from '../cluster/observability.ts'
import { indexExpressions, indicesParameters } from '../indices-parameters.ts'
import { sourceModeWarnings } from './source-mode-warnings.ts'

export function indicesRoutes(routes: Routes, node: SandpiperNode, metrics?: RequestMetrics): void {
  lifeRoutes(routes, node, metrics)
  stateRoutes(routes, node)
  shardRoutes(routes, node)
  fileRoutes(routes, node)

  routes.add('PUT', '/{index}/_block/{block}', (request) => {
    const expressions = indexExpressions(request)
    const parameters = indicesParameters(request)
    acceptTimeouts(request)
    return async () => ({
      status: 200,
      body: await node.indexSettings.addBlock(expressions, request.params['block']!, parameters),
    })
  })

  for (const path of ['/{index}/_rollover', '/{index}/_rollover/{new_index}']) {
    routes.add('POST', path, (request) => {
      const options = {
        newIndex: request.params['new_index'],
        dryRun: request.query.boolean('dry_run', false),
        lazy: request.query.boolean('lazy', false),
        ...waitOptions(request),
      }
      acceptTimeouts(request)
      const body = parseRollover(request.body)
      return async () => ({ status: 200, body: await node.rollover.rollover(request.params['index']!, body, options) })
    })
  }

  routes.add('GET', '/_resolve/index/{name}', (request) => {
    const names = request.params['name']!.split(',')
    const parameters = indicesParameters(request)
    return () => ({ status: 200, body: resolveNames(node.context, names, parameters) })
  })
}

/** The default path of Prometheus. An index of this name takes precedence. */
const METRICS_NAME = 'metrics'

function lifeRoutes(routes: Routes, node: SandpiperNode, metrics: RequestMetrics | undefined): void {
  routes.add('PUT', '/{index}', (request) => {
    const definition = parseIndexDefinition(request.json())
    const waitForActiveShards = parseActiveShardCount(request.query.string('wait_for_active_shards', '1'))
    acceptTimeouts(request)
    return async () => ({
      status: 200,
      body: await node.indices.create(request.params['index']!, definition, { waitForActiveShards }),
      warnings: [...sourceModeWarnings(definition.mappings), ...warnWithoutEffect(Object.keys(definition.settings))],
    })
  })

  routes.add('GET', '/{index}', (request) => {
    const { query } = request
    const expressions = indexExpressions(request)
    const parameters = indicesParameters(request)
    const options = {
      flatSettings: query.boolean('flat_settings', false),
      includeDefaults: query.boolean('include_defaults', false),
      human: query.boolean('human', false),
      features: query.list('features'),
    }
    checkFeatures(options.features)
    query.accept('local', 'master_timeout')
    const isMetrics = request.params['index'] === METRICS_NAME && node.state.abstraction(METRICS_NAME) === undefined
    if (isMetrics) return () => metricsResponse(node, metrics)
    return () => ({ status: 200, body: node.indices.get(expressions, parameters, options) })
  })

  routes.add('HEAD', '/{index}', (request) => {
    const expressions = indexExpressions(request)
    const parameters = indicesParameters(request)
    request.query.accept('local', 'flat_settings', 'include_defaults', 'master_timeout')
    return () => ({ status: node.indices.exists(expressions, parameters) ? 200 : 404 })
  })

  for (const path of ['/', '/{index}']) {
    routes.add('DELETE', path, (request) => {
      const expressions = indexExpressions(request)
      const parameters = indicesParameters(request)
      acceptTimeouts(request)
      return async () => ({ status: 200, body: await node.indices.delete(expressions, parameters) })
    })
  }
}

function stateRoutes(routes: Routes, node: SandpiperNode): void {
  for (const path of ['/_open', '/{index}/_open']) {
    routes.add('POST', path, (request) => {
      const expressions = indexExpressions(request)
      const parameters = indicesParameters(request)
      acceptTimeouts(request)
      const options = waitOptions(request)
      return async () => ({ status: 200, body: await node.indices.open(expressions, parameters, options) })
    })
  }
  for (const path of ['/_close', '/{index}/_close']) {
    routes.add('POST', path, (request) => {
      const expressions = indexExpressions(request)
      const parameters = indicesParameters(request)
      acceptTimeouts(request)
      const options = waitOptions(request)
      return async () => ({ status: 200, body: await node.indices.close(expressions, parameters, options) })
    })
  }
}

function waitOptions({ query }: HttpRequest): CreateOptions {
  const text = query.string('wait_for_active_shards')
  // The former way to say what is the default now.
  if (text === undefined || text === 'index-setting') return {}
  return { waitForActiveShards: parseActiveShardCount(text) }
}

function shardRoutes(routes: Routes, node: SandpiperNode): void {
  for (const path of ['/_refresh', '/{index}/_refresh']) {
    routes.add(['GET', 'POST'], path, (request) => {
      const expressions = indexExpressions(request)
      const parameters = indicesParameters(request)
      return async () => ({ status: 200, body: await node.operations.refresh(expressions, parameters) })
    })
  }
  for (const path of ['/_flush', '/{index}/_flush']) {
    routes.add(['GET', 'POST'], path, (request) => {
      const expressions = indexExpressions(request)
      const parameters = indicesParameters(request)
      const options = {
        force: request.query.boolean('force', false),
        waitIfOngoing: request.query.boolean('wait_if_ongoing', true),
      }
      return async () => ({ status: 200, body: await node.operations.flush(expressions, parameters, options) })
    })
  }
  for (const path of ['/_forcemerge', '/{index}/_forcemerge']) {
    routes.add('POST', path, (request) => {
      const { query } = request
      const expressions = indexExpressions(request)
      const parameters = indicesParameters(request)
      const options = {
        maxSegments: query.integer('max_num_segments'),
        onlyExpungeDeletes: query.boolean('only_expunge_deletes', false),
        flush: query.boolean('flush', true),
      }
      const wait = query.boolean('wait_for_completion', true)
      return async () => {
        const merged = node.operations.forceMerge(expressions, parameters, options)
        if (wait) return { status: 200, body: await merged }
        const { maxSegments, onlyExpungeDeletes, flush } = options
        const description =
          `Force-merge indices [${expressions.join(',')}], maxSegments[${maxSegments ?? -1}], ` +
          `onlyExpungeDeletes[${onlyExpungeDeletes}], flush[${flush}]`
        const task = node.tasks.start('indices:admin/forcemerge', description, merged)
        return { status: 200, body: { task: `${node.id}:${task.id}` } }
      }
    })
  }
  for (const path of ['/_cache/clear', '/{index}/_cache/clear']) {
    routes.add('POST', path, (request) => {
      const { query } = request
      const expressions = indexExpressions(request)
      const parameters = indicesParameters(request)
      const only = {
        filters: query.boolean('query') ?? false,
        requests: query.boolean('request') ?? false,
        fielddata: (query.boolean('fielddata') ?? false) || (query.list('fields') ?? []).length > 0,
      }
      return async () => ({ status: 200, body: await node.operations.clearCache(expressions, parameters, only) })
    })
  }
}

function fileRoutes(routes: Routes, node: SandpiperNode): void {
  for (const path of ['/_segments', '/{index}/_segments']) {
    routes.add('GET', path, (request) => {
      const expressions = indexExpressions(request)
      const parameters = indicesParameters(request)
      request.query.accept('verbose')
      return async () => ({ status: 200, body: await node.operations.segments(expressions, parameters, node.id) })
    })
  }
  for (const path of ['/_recovery', '/{index}/_recovery']) {
    routes.add('GET', path, (request) => {
      const expressions = indexExpressions(request)
      const parameters = indicesParameters(request)
      request.query.accept('detailed')
      const activeOnly = request.query.boolean('active_only', false)
      const human = request.query.boolean('human', false)
      const target = { id: node.id, name: node.name }
      const options = { target, human, activeOnly }
      return () => ({ status: 200, body: node.operations.recovery(expressions, parameters, options) })
    })
  }
}

/** Metadata changes never wait for other nodes, so these timeouts have no effect. Their values must still parse. */
export function acceptTimeouts({ query }: HttpRequest): void {
  query.duration('timeout')
  query.duration('master_timeout')
}

/** A comma-separated path parameter. */
export function listParameter(request: HttpRequest, name: string): string[] {
  const text = request.params[name]
  return text === undefined || text === '' ? [] : text.split(',')
}
