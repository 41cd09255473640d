/** `_reindex`, `_update_by_query`, `_delete_by_query`, and `_rethrottle`. */

import type { ApiClient } from '../../../base/api-client.ts'
import { AnsweredError, illegalArgument } from '../../../base/api-error.ts'
import { formatDuration } from '../../../base/duration.ts'
import { sizeInsteadOfMaxDocs } from '../../../base/errors/document-errors.ts'
import { bodyRequired } from '../../../base/errors/http-errors.ts'
import { RawJson } from '../../../base/json/json-writer.ts'
import { copy, deletion, update } from '../../../service/by-query/bulk-lines.ts'
import { ByQueryOperation, type OperationResult } from '../../../service/by-query/by-query-operation.ts'
import {
  type ByQueryBody,
  checkProblems,
  joinMaxDocs,
  parseByQueryBody,
  parseReindexBody,
  readConflicts,
  readRequestsPerSecond,
  readSlices,
  reindexProblems,
  searchProblems,
} from '../../../service/by-query/by-query-request.ts'
import type { PageClient } from '../../../service/by-query/by-query-run.ts'
import type { ByQueryKind } from '../../../service/by-query/by-query-status.ts'
import { checkDestination, checkReindexTargets, sliceCount } from '../../../service/by-query/reindex-targets.ts'
import { checkAllowed, RemoteClient } from '../../../service/by-query/remote-source.ts'
import {
  describeScript,
  resolveScript,
  type Script,
  type StoredScriptLookup,
  scriptedCopy,
  scriptedUpdate,
} from '../../../service/by-query/script-change.ts'
import type { JsonObject } from '../../../service/metadata/metadata.ts'
import type { SandpiperNode } from '../../../service/sandpiper-node.ts'
import { hasPlainParams } from '../../../service/shards/bulk/bulk-script.ts'
import type { LocalApi } from '../../local-api.ts'
import type { QueryParameters } from '../../query-parameters.ts'
import type { HttpRequest } from '../../request.ts'
import type { HttpResponse } from '../../response.ts'
import type { Routes } from '../../router.ts'
import { groupTasks, listOperation } from '../cluster/print-tasks.ts'
import { failedNode, readTaskId } from '../cluster/tasks.ts'

const DEFAULT_BATCH = 1000
const DEFAULT_SCROLL = '5m'

/** Parameters of by-query operations that are passed to the search, by their name in the search. */
const SEARCH_PARAMETERS: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ...[
      'q',
      'df',
      'analyzer',
      'analyze_wildcard',
      'default_operator',
      'lenient',
      'ignore_unavailable',
      'allow_no_indices',
    ],
    ...[
      'expand_wildcards',
      'routing',
      'preference',
      'search_type',
      'stats',
      'terminate_after',
      'request_cache',
      'sort',
    ],
    ...['_source', '_source_includes', '_source_excludes', 'from'],
  ].map((name) => [name, name]),
)

export function byQueryRoutes(routes: Routes, node: SandpiperNode, local: LocalApi): void {
  routes.add('POST', '/{index}/_update_by_query', (request) => byQuery(request, node, local, 'update'))
  routes.add('POST', '/{index}/_delete_by_query', (request) => byQuery(request, node, local, 'delete'))
  routes.add('POST', '/_reindex', (request) => reindex(request, node, local.for(request)))
  for (const name of ['_reindex', '_update_by_query', '_delete_by_query'])
    routes.add('POST', `/${name}/{task_id}/_rethrottle`, (request) => rethrottle(request, node))
}

interface Common {
  readonly proceedOnConflicts: boolean
  readonly maxDocs: number
  readonly slices: number | 'auto'
  readonly requestsPerSecond: number
  readonly refresh: boolean
  readonly scroll: string
  readonly waits: boolean
  /** Parameters of the bulk requests, starting with `?`. */
  readonly bulkParameters: string
}

function readCommon(request: HttpRequest, body: Pick<ByQueryBody, 'maxDocs'>, conflicts: string | undefined): Common {
  const { query } = request
  const proceedOnConflicts = conflicts !== undefined && readConflicts(conflicts)
  const refresh = query.boolean('refresh', false)
  const slices = readSlices(query.string('slices'))
  const requestsPerSecond = readRequestsPerSecond(query.string('requests_per_second')) ?? Infinity
  const bulk = new URLSearchParams()
  for (const name of ['timeout', 'wait_for_active_shards', 'require_alias']) {
    const value = query.string(name)
    if (value !== undefined) bulk.set(name, value)
  }
  return {
    slices,
    proceedOnConflicts,
    maxDocs: joinMaxDocs(body.maxDocs, query.integer('max_docs'), slices),
    requestsPerSecond,
    refresh,
    scroll: query.string('scroll', DEFAULT_SCROLL),
    waits: query.boolean('wait_for_completion', true),
    bulkParameters: bulk.size === 0 ? '' : `?${bulk}`,
  }
}

function checkNoSize(query: QueryParameters): void {
  if (query.integer('size') !== undefined) throw sizeInsteadOfMaxDocs()
}

/** The request fails if a shard cannot be searched, before anything is written. */
const WHOLE_RESULTS = { allow_partial_search_results: 'false' }

/** Elasticsearch opens no scroll for a single page, and then the search rejects a slice. */
function scrollOf({ scroll, maxDocs, proceedOnConflicts }: Common, size: number, hasSlice: boolean) {
  return hasSlice && maxDocs <= size && !proceedOnConflicts ? undefined : { scroll }
}

function byQuery(request: HttpRequest, node: SandpiperNode, local: LocalApi, kind: 'update' | 'delete') {
  const { query } = request
  const body = parseByQueryBody(request.body, kind)
  const given = body.script
  checkNoSize(query)
  const size = query.integer('scroll_size') ?? DEFAULT_BATCH
  const common = readCommon(request, body, query.string('conflicts') ?? body.conflicts)
  const parameters = new URLSearchParams({ ...scrollOf(common, size, body.search.hasSlice), ...WHOLE_RESULTS })
  for (const [name, searchName] of Object.entries(SEARCH_PARAMETERS)) {
    const value = query.string(name)
    if (value !== undefined) parameters.set(searchName, value)
  }
  const timeout = query.string('search_timeout')
  if (timeout !== undefined) parameters.set('timeout', timeout)
  const pipeline = kind === 'update' ? query.string('pipeline') : undefined

  const storedFields = query.string('stored_fields')
  const search = {
    ...body.search.body,
    size,
    ...(query.has('from') ? { from: 0 } : {}),
    ...(storedFields === undefined ? {} : { stored_fields: storedFields }),
  }
  const problems = searchProblems({ body: search, hasSlice: body.search.hasSlice }, common.slices)
  if (kind === 'delete' && body.search.body['query'] === undefined && !query.has('q')) problems.push('query is missing')
  if (query.boolean('request_cache') === true) problems.push('[request_cache] cannot be used in a scroll context')
  const now = () => node.indexContext.clock.nowMs()
  const index = request.params['index']!
  const path = `/${encodeURIComponent(index)}`
  const bulkPath =
    pipeline === undefined
      ? common.bulkParameters
      : `${common.bulkParameters || '?'}&pipeline=${encodeURIComponent(pipeline)}`
  return start(node, request, common, () => {
    checkProblems(problems)
    // The thread that writes the documents runs the script. One that changes its parameters runs here, for all pages.
    const isRunHere = given !== undefined && !hasPlainParams(given)
    const script = given === undefined || isRunHere ? undefined : () => resolveScript(given, storedScripts(node))
    const change =
      kind === 'delete' ? deletion() : isRunHere ? scriptedUpdate(given, storedScripts(node), now) : update()
    const api = local.for(request, { existingOnly: kind === 'update', script })
    return {
      kind,
      description: `${kind}-by-query [${index.split(',').join(', ')}]${describeUpdate(given)}`,
      api,
      prepare: () => ({
        kind,
        plan: {
          source: api,
          target: api,
          searchPath: `${path}/_search?${parameters}`,
          scrollKeepAlive: common.scroll,
          bulkPath: `/_bulk${bulkPath}`,
          maxDocs: common.maxDocs,
          proceedOnConflicts: common.proceedOnConflicts,
          notesWritten: common.refresh,
          change,
          hitAction: kind === 'delete' ? 'delete' : isRunHere ? undefined : 'index',
        },
        search: {
          ...search,
          ...defaultSearch(search, query.has('sort'), kind === 'delete'),
          seq_no_primary_term: true,
        },
        slices: sliceCount(node, index.split(','), common.slices),
        manualSlice: manualSlice(body.search.body),
        requestsPerSecond: common.requestsPerSecond,
      }),
    }
  })
}

function reindex(request: HttpRequest, node: SandpiperNode, api: PageClient) {
  if (!request.hasBody) throw bodyRequired()
  const body = parseReindexBody(request.body)
  checkNoSize(request.query)
  const common = readCommon(request, body, body.conflicts)
  const { destination, indices, remote } = body
  const now = () => node.indexContext.clock.nowMs()
  const requireAlias = request.query.boolean('require_alias', false)
  const search = { ...body.search.body, size: body.size ?? DEFAULT_BATCH }
  const bulk = new URLSearchParams(common.bulkParameters)
  if (destination.pipeline !== undefined) bulk.set('pipeline', destination.pipeline)
  const path = `/${encodeURIComponent(indices.join(','))}`
  const checkTargets = () => {
    if (remote === undefined) checkReindexTargets(node, indices, destination.index!, requireAlias)
    else checkDestination(node, destination.index!, requireAlias)
  }
  // A remote cluster may be too old for the parameter.
  const parameters = new URLSearchParams({
    ...scrollOf(common, search.size, body.search.hasSlice),
    ...(remote === undefined ? WHOLE_RESULTS : {}),
  })
  return start(node, request, common, () => {
    checkProblems(reindexProblems(body, common.slices))
    if (remote !== undefined) checkAllowed(remote, node.clusterSettings.startupList('reindex.remote.whitelist'))
    const { script } = body
    return {
      kind: 'reindex',
      description: `reindex from [${indices.join(', ')}]${describeUpdate(script)} to [${destination.index}]`,
      api,
      prepare: () => {
        checkTargets()
        return {
          kind: 'reindex',
          plan: {
            source: remote === undefined ? api : new RemoteClient(remote),
            target: api,
            searchPath: `${path}/_search?${parameters}`,
            scrollKeepAlive: common.scroll,
            bulkPath: `/_bulk${bulk.size === 0 ? '' : `?${bulk}`}`,
            maxDocs: common.maxDocs,
            proceedOnConflicts: common.proceedOnConflicts,
            notesWritten: common.refresh,
            change:
              script === undefined ? copy(destination) : scriptedCopy(script, storedScripts(node), destination, now),
          },
          search: {
            ...search,
            ...defaultSearch(search, false, false),
            version: destination.versionType !== 'internal',
          },
          slices: remote === undefined ? sliceCount(node, indices, common.slices) : 1,
          manualSlice: manualSlice(body.search.body),
          requestsPerSecond: common.requestsPerSecond,
        }
      },
    }
  })
}

interface Operation {
  readonly kind: ByQueryKind
  readonly description: string
  readonly api: ApiClient
  /** Throws for problems that are detectable before anything is read. */
  prepare(): ConstructorParameters<typeof ByQueryOperation>[0]
}

const ACTIONS: Readonly<Record<ByQueryKind, string>> = {
  reindex: 'indices:data/write/reindex',
  update: 'indices:data/write/update/byquery',
  delete: 'indices:data/write/delete/byquery',
}

/**
 * Starts the operation as a task, and waits for it if the request says so. `validate` throws for mistakes in the request; it runs after the
 * check of unknown parameters.
 */
function start(node: SandpiperNode, request: HttpRequest, common: Common, validate: () => Operation) {
  const opaqueId = request.headers['x-opaque-id'] as string | undefined
  return async (): Promise<HttpResponse> => {
    const operation = validate()
    let running: ByQueryOperation | undefined
    const work = (async () => {
      running = new ByQueryOperation(operation.prepare())
      const result = await running.run()
      // Indices that the operation did not change are not refreshed.
      if (common.refresh) await refreshIndices(operation.api, running.written)
      return result
    })()
    const task = node.tasks.start(ACTIONS[operation.kind], operation.description, work.then(storedResponse), {
      opaqueId,
      controls: {
        describe: () => running?.describe() ?? {},
        cancel: (reason) => running?.cancel(reason),
        rethrottle: (requestsPerSecond) => running?.rethrottle(requestsPerSecond),
      },
    })
    if (!common.waits) {
      work.catch(() => undefined)
      return { status: 200, body: { task: `${node.id}:${task.id}` } }
    }
    try {
      const { status, body } = await work
      return { status, body }
    } catch (error) {
      if (!(error instanceof AnsweredError)) throw error
      return { status: error.status, body: new RawJson(error.body), isError: true }
    }
  }
}

/** Names in one request, whose path has a limited length. */
const REFRESHED_TOGETHER = 20

async function refreshIndices(api: ApiClient, names: readonly string[]): Promise<void> {
  for (let from = 0; from < names.length; from += REFRESHED_TOGETHER) {
    const some = names.slice(from, from + REFRESHED_TOGETHER).map(encodeURIComponent)
    await api.send('POST', `/${some.join(',')}/_refresh?ignore_unavailable=true`)
  }
}

/** The stored result of a task has the counts of all kinds, and the throttle times also as text. */
function storedResponse({ body }: OperationResult): JsonObject {
  const { took, timed_out, failures, slices, ...counts } = body
  const parts = slices as readonly JsonObject[] | undefined
  return {
    took,
    timed_out,
    ...withAllCounts(counts),
    ...(parts === undefined ? {} : { slices: parts.map(withAllCounts) }),
    failures,
  }
}

const withAllCounts = (counts: JsonObject): JsonObject => ({
  updated: 0,
  created: 0,
  ...counts,
  throttled: formatDuration(Number(counts['throttled_millis'])),
  throttled_until: formatDuration(Number(counts['throttled_until_millis'])),
})

const storedScripts =
  (node: SandpiperNode): StoredScriptLookup =>
  (id) =>
    node.state.sections.storedScripts.get(id)

function describeUpdate(script: Script | undefined): string {
  return script === undefined ? '' : ` updated with ${describeScript(script)}`
}

/** In the order of the index, unless the body or the address (`isSorted`) has another. */
function defaultSearch(search: JsonObject, isSorted: boolean, withoutSource: boolean): JsonObject {
  return {
    ...(isSorted || search['sort'] !== undefined ? {} : { sort: ['_doc'] }),
    ...(withoutSource ? { _source: false } : {}),
    track_total_hits: true,
  }
}

function manualSlice(body: JsonObject): number | undefined {
  const { slice } = body as { slice?: { id?: number } }
  return slice?.id
}

function rethrottle(request: HttpRequest, node: SandpiperNode) {
  const { query } = request
  const requestsPerSecond = readRequestsPerSecond(query.string('requests_per_second'))
  if (requestsPerSecond === undefined) throw illegalArgument('requests_per_second is a required parameter')
  const groupBy = query.string('group_by', 'nodes')
  const id = readTaskId(request)
  return (): HttpResponse => {
    const task = id.nodeId === node.id ? node.tasks.get(id.number) : undefined
    if (task?.controls === undefined || task.finishedAtMs !== undefined) {
      const cause =
        id.nodeId === node.id
          ? { type: 'resource_not_found_exception', reason: `task [${id.text}] is missing` }
          : { type: 'no_such_node_exception', reason: `No such node [${id.nodeId}]`, node_id: id.nodeId }
      return { status: 200, body: failedNode(id.nodeId, cause) }
    }
    task.controls.rethrottle(requestsPerSecond)
    return { status: 200, body: groupTasks(node, [listOperation(node, task, true)], groupBy) }
  }
}
