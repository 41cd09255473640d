/** `_ingest`: pipelines, their simulation, and the grok patterns. */
import { illegalArgument, parseFailure } from '../../../base/api-error.ts'
import { RawJson } from '../../../base/json/json-writer.ts'
import type { SandpiperNode } from '../../../service/sandpiper-node.ts'
import type { HttpRequest } from '../../request.ts'
import type { Routes } from '../../router.ts'

const ACKNOWLEDGED = { status: 200, body: { acknowledged: true } }
const EMPTY = new RawJson(Buffer.from('{}'))

export function ingestRoutes(routes: Routes, node: SandpiperNode): void {
  const { ingest } = node

  routes.add('PUT', '/_ingest/pipeline/{id}', (request) => {
    const id = request.params['id']!
    request.query.accept('master_timeout', 'timeout')
    const ifVersion = request.query.has('if_version') ? request.query.integer('if_version', 0) : undefined
    const body = bodyOf(request)
    return async () => {
      await ingest.put(id, body, ifVersion)
      return ACKNOWLEDGED
    }
  })

  for (const path of ['/_ingest/pipeline', '/_ingest/pipeline/{id}']) {
    routes.add('GET', path, (request) => {
      const names = request.param('id')?.split(',')
      request.query.accept('master_timeout')
      const isSummary = request.query.boolean('summary', false)
      return () => {
        const found = ingest.get(names)
        const body = Object.fromEntries(found.map(({ id, config }) => [id, isSummary ? EMPTY : config]))
        return { status: found.length === 0 && names !== undefined && !names.includes('*') ? 404 : 200, body }
      }
    })
  }

  routes.add('DELETE', '/_ingest/pipeline/{id}', (request) => {
    const id = request.params['id']!
    request.query.accept('master_timeout', 'timeout')
    return async () => {
      await ingest.delete(id)
      return ACKNOWLEDGED
    }
  })

  pipelineTrialRoutes(routes, node)

  routes.add('GET', '/_ingest/processor/grok', ({ query }) => {
    const isSorted = query.boolean('s', false)
    const ecs = query.string('ecs_compatibility') ?? 'disabled'
    if (ecs !== 'disabled' && ecs !== 'v1') throw illegalArgument(`unsupported ECS compatibility mode [${ecs}]`)
    return () => ({ status: 200, body: { patterns: ingest.grokPatterns(ecs, isSorted) } })
  })
}

/** Trials of pipelines, which searcher threads answer too: they write nothing. */
export function pipelineTrialRoutes(routes: Routes, { ingest }: Pick<SandpiperNode, 'ingest'>): void {
  for (const path of ['/_ingest/pipeline/_simulate', '/_ingest/pipeline/{id}/_simulate']) {
    routes.add(['GET', 'POST'], path, (request) => {
      const id = request.param('id')
      const isVerbose = request.query.boolean('verbose', false)
      const body = bodyOf(request)
      return async () => ({ status: 200, body: await ingest.simulate({ id, isVerbose, body }) })
    })
  }
}

function bodyOf(request: HttpRequest): Uint8Array {
  if (!request.hasBody) throw parseFailure('request body or source parameter is required')
  return request.body
}
