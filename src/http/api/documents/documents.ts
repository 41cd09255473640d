/** Single documents: index, create, get, exists, source, update, delete. */

import { illegalArgument, validationFailed } from '../../../base/api-error.ts'
import { unknownOpType } from '../../../base/errors/document-errors.ts'
import { bodyRequired } from '../../../base/errors/http-errors.ts'
import { withoutSource } from '../../../base/errors/source-in-errors.ts'
import { RawJson } from '../../../base/json/json-writer.ts'
import type { DocumentAnswer, DocumentGet, DocumentWrite } from '../../../service/documents/document-requests.ts'
import type { SandpiperNode } from '../../../service/sandpiper-node.ts'
import { parseUpdateRequest } from '../../../service/shards/write/update-request.ts'
import { INTERNAL_VERSION } from '../../../service/shards/write/write-rules.ts'
import type { HttpRequest } from '../../request.ts'
import { requestOrigin } from '../../request-id.ts'
import type { HttpResponse } from '../../response.ts'
import type { Handler, Routes } from '../../router.ts'
import { checkDocumentPreference, sourceParameter } from '../search/search-parameters.ts'
import {
  activeShards,
  ifPrimaryTerm,
  ifSeqNo,
  refreshPolicy,
  shardCount,
  versionType,
  writeTimeout,
} from './document-parameters.ts'

export function documentRoutes(routes: Routes, node: SandpiperNode): void {
  const { documents } = node
  const write =
    (read: (request: HttpRequest) => DocumentWrite): Handler =>
    (request) => {
      const wanted = read(request)
      const showsSource = request.query.boolean('include_source_on_error', true)
      const origin = requestOrigin(request, node.state)
      const traced = origin === undefined ? wanted : { ...wanted, origin }
      return async () => {
        try {
          return written(await documents.write(traced, request.access?.writes), wanted.routing)
        } catch (error) {
          throw showsSource ? error : withoutSource(error)
        }
      }
    }

  routes.add(
    ['PUT', 'POST'],
    '/{index}/_doc/{id}',
    write((request) => indexRequest(request, () => opType(request, 'index'))),
  )
  routes.add(
    'POST',
    '/{index}/_doc',
    write((request) => indexRequest(request, () => opType(request, 'create'))),
  )
  routes.add(
    ['PUT', 'POST'],
    '/{index}/_create/{id}',
    write((request) => {
      const action = onlyCreate(request)
      return indexRequest(request, () => action)
    }),
  )
  routes.add('DELETE', '/{index}/_doc/{id}', write(deleteRequest))
  routes.add('POST', '/{index}/_update/{id}', write(updateRequest))

  routes.add('GET', '/{index}/_doc/{id}', (request) => {
    const wanted = getRequest(request, true)
    return () => documents.get(wanted)
  })
  routes.add('HEAD', '/{index}/_doc/{id}', (request) => {
    const wanted = getRequest(request, true)
    return async () => ({ status: (await documents.exists(wanted)) ? 200 : 404 })
  })
  routes.add('GET', '/{index}/_source/{id}', (request) => {
    const wanted = getRequest(request, false)
    return async () => ({ status: 200, body: new RawJson(await documents.source(withSource(wanted))) })
  })
  routes.add('HEAD', '/{index}/_source/{id}', (request) => {
    const wanted = getRequest(request, false)
    return async () => {
      await documents.source(withSource(wanted))
      return { status: 200 }
    }
  })
}

/** The response for a new document has a location header. */
function written({ status, body }: DocumentAnswer, routing: string | undefined): HttpResponse {
  if (status !== 201) return { status, body }
  const path = `/${formEncode(String(body['_index']))}/_doc/${formEncode(String(body['_id']))}`
  const location = routing === undefined ? path : `${path}?routing=${formEncode(routing)}`
  return { status, body, headers: { Location: location } }
}

/** Java's URLEncoder, which clients decode: spaces become plus signs, and fewer characters stay unescaped. */
function formEncode(text: string): string {
  return encodeURIComponent(text)
    .replaceAll('%20', '+')
    .replace(/[!'()~]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
}

function opType(request: HttpRequest, absent: 'index' | 'create'): 'index' | 'create' {
  const text = request.query.string('op_type')
  if (text === undefined) return absent
  const type = text.toLowerCase()
  if (type !== 'index' && type !== 'create') throw unknownOpType(text)
  return type
}

function onlyCreate({ query }: HttpRequest): 'create' {
  const type = query.string('op_type') ?? 'create'
  if (type.toLowerCase() !== 'create') throw illegalArgument(`opType must be 'create', found: [${type}]`)
  return 'create'
}

/** Parameters are read in the order in which Elasticsearch reports mistakes in them. */
function indexRequest(request: HttpRequest, actionOf: () => 'index' | 'create'): DocumentWrite {
  const { query } = request
  const routing = query.string('routing')
  const pipeline = query.string('pipeline')
  if (!request.hasBody) throw bodyRequired()
  const body = request.body
  const timeoutMs = writeTimeout(query)
  const refresh = refreshPolicy(query)
  const version = query.long('version')
  const type = versionType(query)
  const seqNo = ifSeqNo(query)
  const primaryTerm = ifPrimaryTerm(query)
  const requireAlias = query.boolean('require_alias', false)
  const requireDataStream = query.boolean('require_data_stream', false)
  const shards = shardCount(query)
  return {
    action: actionOf(),
    index: request.params['index']!,
    id: request.params['id'],
    body,
    routing,
    refresh,
    version,
    versionType: type,
    ifSeqNo: seqNo,
    ifPrimaryTerm: primaryTerm,
    retryOnConflict: 0,
    pipeline,
    requireAlias,
    requireDataStream,
    activeShards: activeShards(shards, timeoutMs),
    sourceFilter: undefined,
  }
}

function deleteRequest(request: HttpRequest): DocumentWrite {
  const { query } = request
  const routing = query.string('routing')
  const timeoutMs = writeTimeout(query)
  return {
    action: 'delete',
    index: request.params['index']!,
    id: request.params['id'],
    body: new Uint8Array(0),
    routing,
    refresh: refreshPolicy(query),
    version: query.long('version'),
    versionType: versionType(query),
    ifSeqNo: ifSeqNo(query),
    ifPrimaryTerm: ifPrimaryTerm(query),
    retryOnConflict: 0,
    pipeline: undefined,
    requireAlias: false,
    requireDataStream: false,
    activeShards: activeShards(shardCount(query), timeoutMs),
    sourceFilter: undefined,
  }
}

/** Adds the member that the parameter `doc_as_upsert` sets. */
function withDocAsUpsert(body: Buffer): Buffer {
  const open = body.indexOf('{')
  const isEmpty = open < 0 || /^\{\s*\}/.test(body.toString('utf8', open, open + 64))
  if (isEmpty) return body
  return Buffer.concat([body.subarray(0, open + 1), Buffer.from('"doc_as_upsert":true,'), body.subarray(open + 1)])
}

function updateRequest(request: HttpRequest): DocumentWrite {
  const { query } = request
  const routing = query.string('routing')
  const timeoutMs = writeTimeout(query)
  const refresh = refreshPolicy(query)
  const shards = shardCount(query)
  const filter = sourceParameter(request)
  const retryOnConflict = query.integer('retry_on_conflict', 0)
  if (query.has('version') || query.has('version_type')) throw validationFailed(INTERNAL_VERSION)
  const wanted: DocumentWrite = {
    action: 'update',
    index: request.params['index']!,
    id: request.params['id'],
    body: query.boolean('doc_as_upsert', false) ? withDocAsUpsert(request.body) : request.body,
    routing,
    refresh,
    version: undefined,
    versionType: 'internal',
    ifSeqNo: ifSeqNo(query),
    ifPrimaryTerm: ifPrimaryTerm(query),
    retryOnConflict,
    pipeline: undefined,
    requireAlias: query.boolean('require_alias', false),
    requireDataStream: false,
    activeShards: activeShards(shards, timeoutMs),
    sourceFilter: filter,
  }
  // The shard parses the body. Where unknown parameters end the request before that, mistakes in the body come first.
  if (query.unknownParameters(request.path) !== undefined) parseUpdateRequest(wanted.body)
  return wanted
}

function getRequest(request: HttpRequest, hasVersion: boolean): DocumentGet {
  const { query } = request
  const refresh = query.boolean('refresh', false)
  const routing = query.string('routing')
  checkDocumentPreference(request)
  const realtime = query.boolean('realtime', true)
  const storedFields = hasVersion ? query.list('stored_fields') : undefined
  const version = hasVersion ? query.long('version') : undefined
  if (hasVersion) {
    versionType(query)
    query.boolean('force_synthetic_source')
  }
  return {
    index: request.params['index']!,
    id: request.params['id']!,
    routing,
    realtime,
    refresh,
    version,
    sourceFilter: sourceParameter(request),
    storedFields,
    limits: request.carriedAccess?.limits,
  }
}

function withSource(wanted: DocumentGet): DocumentGet {
  if (wanted.sourceFilter?.enabled === false) throw validationFailed('fetching source can not be disabled')
  return wanted
}
