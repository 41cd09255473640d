/** `_async_search`: searches whose answers are fetched later. */
import { illegalArgument, validationFailed } from '../../../base/api-error.ts'
import { formatDuration } from '../../../base/duration.ts'
import { RawJson } from '../../../base/json/json-writer.ts'
import type { JsonObject } from '../../../service/metadata/metadata.ts'
import type { SandpiperNode } from '../../../service/sandpiper-node.ts'
import { type FoundSearch, finishedWithin } from '../../../service/search/async/async-searches.ts'
import type { LocalApi } from '../../local-api.ts'
import type { HttpRequest } from '../../request.ts'
import type { HttpResponse } from '../../response.ts'
import type { Routes } from '../../router.ts'
import { readSearch } from './search.ts'
import { searchScope } from './search-parameters.ts'

const KEEP_ALIVE_MS = 5 * 24 * 3600 * 1000
const KEEP_ALIVE_MIN_MS = 1000
const WAIT_MS = 1000
const BATCHED_REDUCE_SIZE = '5'

/** Parameters of the submission itself, which the search does not have. */
const OWN_PARAMETERS = ['wait_for_completion_timeout', 'keep_on_completion', 'keep_alive']

export function asyncSearchRoutes(routes: Routes, node: SandpiperNode, local: LocalApi): void {
  for (const path of ['/_async_search', '/{index}/_async_search']) {
    routes.add('POST', path, (request) => submit(request, node, local))
  }

  routes.add('GET', '/_async_search/{id}', (request) => {
    const { query } = request
    const waitMs = query.duration('wait_for_completion_timeout') ?? 0
    const keepAliveMs = query.duration('keep_alive')
    const typedKeys = query.boolean('typed_keys', false)
    return async () => {
      const found = await node.asyncSearches.get(request.params['id']!, ownerOf(request), waitMs, keepAliveMs)
      if (query.has('typed_keys') && typedKeys !== found.typedKeys) {
        throw illegalArgument('[typed_keys] must be as in the request that submitted the search')
      }
      return printed(found, request.human)
    }
  })

  routes.add('GET', '/_async_search/status/{id}', (request) => {
    const keepAliveMs = request.query.duration('keep_alive')
    return async () => {
      const found = await node.asyncSearches.get(request.params['id']!, ownerOf(request), 0, keepAliveMs)
      return { status: 200, body: printedStatus(found, request.human) }
    }
  })

  routes.add('DELETE', '/_async_search/{id}', (request) => async () => {
    await node.asyncSearches.delete(request.params['id']!, ownerOf(request))
    return { status: 200, body: { acknowledged: true } }
  })
}

function submit(request: HttpRequest, node: SandpiperNode, local: LocalApi) {
  const { query, body } = request
  const waitMs = query.duration('wait_for_completion_timeout') ?? WAIT_MS
  const isKept = query.boolean('keep_on_completion', false)
  const keepAliveMs = query.duration('keep_alive') ?? KEEP_ALIVE_MS
  const preFilter = query.string('pre_filter_shard_size')
  // The search is parsed here, so that a malformed one is refused at once.
  const search = readSearch(request, Buffer.from(body))
  const problems: string[] = []
  if (query.has('scroll')) problems.push('[scroll] queries are not supported')
  const { body: parsed } = search
  if (parsed.suggest !== undefined && parsed.query === undefined && parsed.aggregations === undefined) {
    problems.push('suggest-only queries are not supported')
  }
  if (keepAliveMs < KEEP_ALIVE_MIN_MS) {
    problems.push(`[keep_alive] must be greater or equals than 1 second, got:${formatDuration(keepAliveMs)}`)
  }
  if (preFilter !== undefined && preFilter !== '1') {
    problems.push('[pre_filter_shard_size] cannot be changed for async search queries')
  }
  if (problems.length > 0) throw validationFailed(...problems)
  const uri = searchUri(request)
  const typedKeys = query.boolean('typed_keys', false)
  const bytes = Uint8Array.from(body)
  return async () => {
    const api = local.for(request)
    const started = node.asyncSearches.submit({
      keepAliveMs,
      typedKeys,
      shards: node.search.countShards(searchScope(request, true)),
      owner: ownerOf(request),
      description: `async_search{indices[${request.params['index'] ?? ''}]}`,
      run: (signal) => api.send('POST', uri, bytes, signal),
    })
    const isDone = await finishedWithin(started, waitMs)
    if (!isDone || isKept) return printed({ ...started, id: started.id.text }, request.human)
    node.asyncSearches.forget(started)
    return printed({ ...started, id: '' }, request.human)
  }
}

/** The address of the search behind the submission. */
function searchUri({ uri, params }: HttpRequest): string {
  const at = uri.indexOf('?')
  const given = new URLSearchParams(at < 0 ? '' : uri.slice(at + 1))
  for (const name of [...OWN_PARAMETERS, 'pretty', 'human', 'format', 'filter_path', 'error_trace']) given.delete(name)
  if (!given.has('batched_reduce_size')) given.set('batched_reduce_size', BATCHED_REDUCE_SIZE)
  const index = params['index']
  return `${index === undefined ? '' : `/${encodeURIComponent(index)}`}/_search?${given}`
}

const ownerOf = ({ carriedAccess }: HttpRequest) => carriedAccess?.identity

function printed(found: FoundSearch, human: boolean): HttpResponse {
  const { reply } = found
  const failed = reply !== undefined && reply.status >= 400
  const body = failed ? (JSON.parse(reply.body.toString('utf8')) as { error: JsonObject }) : undefined
  return {
    status: failed ? reply.status : 200,
    body: {
      ...(found.id === '' ? {} : { id: found.id }),
      ...printedState(found, human),
      ...(body === undefined
        ? { response: reply === undefined ? unfinished(found) : new RawJson(reply.body) }
        : { error: printedError(body.error) }),
    },
  }
}

function printedStatus(found: FoundSearch, human: boolean): JsonObject {
  const { reply } = found
  const answer = reply === undefined ? unfinished(found) : (JSON.parse(reply.body.toString('utf8')) as JsonObject)
  return {
    id: found.id,
    ...printedState(found, human),
    _shards: answer['_shards'] ?? { total: 0, successful: 0, skipped: 0, failed: 0 },
    ...(reply === undefined ? {} : { completion_status: reply.status }),
  }
}

function printedState({ reply, startedAtMs, expiresAtMs, finishedAtMs }: FoundSearch, human: boolean): JsonObject {
  const time = (name: string, ms: number) => ({
    ...(human ? { [name]: new Date(ms).toISOString() } : {}),
    [`${name}_in_millis`]: ms,
  })
  return {
    is_partial: reply === undefined || isPartial(reply),
    is_running: reply === undefined,
    ...time('start_time', startedAtMs),
    ...time('expiration_time', expiresAtMs),
    ...(finishedAtMs === undefined ? {} : time('completion_time', finishedAtMs)),
  }
}

function isPartial({ status, body }: NonNullable<FoundSearch['reply']>): boolean {
  return status >= 400 || /"_shards":\{[^}]*?"failed":[1-9]/.test(body.toString('latin1', 0, 500))
}

/** What a search that is still running has found: nothing, because its shards are answered together. */
function unfinished({ shards, startedAtMs }: FoundSearch): JsonObject {
  return {
    took: Math.max(0, Date.now() - startedAtMs),
    timed_out: false,
    num_reduce_phases: 0,
    _shards: { total: shards, successful: 0, skipped: 0, failed: 0 },
    hits: { total: { value: 0, relation: 'gte' }, max_score: null, hits: [] },
  }
}

function printedError({ root_cause: _causes, ...cause }: JsonObject): JsonObject {
  return { type: 'status_exception', reason: 'error while executing search', caused_by: cause }
}
