/** Errors of OpenSearch in the words of Elasticsearch, for requests that the shadow does not refuse. */
import type { JsonObject } from '../../service/metadata/metadata.ts'
import { isObject } from './field-types.ts'

export interface TranslatedError {
  readonly status: number
  readonly body: JsonObject
}

/** Exceptions that Elasticsearch calls otherwise. */
const TYPES: Readonly<Record<string, string>> = {
  opensearch_parse_exception: 'parse_exception',
  open_search_parse_exception: 'parse_exception',
  opensearch_rejected_execution_exception: 'es_rejected_execution_exception',
  rejected_execution_exception: 'es_rejected_execution_exception',
  mapper_parsing_exception: 'document_parsing_exception',
  cluster_manager_not_discovered_exception: 'master_not_discovered_exception',
  opensearch_security_exception: 'security_exception',
  i_o_exception: 'i_o_exception',
}

/** Whether an error comes from a script, or would have: compiling one, running one, not having one. */
export function isScriptError(body: Buffer): boolean {
  return body.includes('script_exception') || body.includes('"script_stack"')
}

/** Translates an error body. A body that is none stays as it is. */
export function translateError(status: number, bytes: Buffer): TranslatedError {
  const body = JSON.parse(bytes.toString('utf8')) as JsonObject
  const error = body['error']
  if (!isObject(error)) return { status, body: { ...body, status } }
  if (isTooManyBuckets(error)) return { status: 400, body: { error: translated(error), status: 400 } }
  return { status, body: { ...body, error: translated(error), status } }
}

function translated(error: JsonObject): JsonObject {
  const out: JsonObject = {}
  for (const [name, value] of Object.entries(error)) {
    if (name === 'type' && typeof value === 'string') out[name] = TYPES[value] ?? value
    else if (name === 'reason' && typeof value === 'string') out[name] = inElasticsearchsWords(value)
    else if (Array.isArray(value)) out[name] = value.map((item) => (isObject(item) ? translated(item) : item))
    else if (isObject(value)) out[name] = translated(value)
    else out[name] = value
  }
  return out
}

function inElasticsearchsWords(reason: string): string {
  return reason
    .replace(/org\.opensearch\./g, 'org.elasticsearch.')
    .replace(/OpenSearch([A-Z]\w*Exception)/g, 'Elasticsearch$1')
    .replace(/cluster[_ ]manager/g, 'master')
}

function isTooManyBuckets(error: JsonObject): boolean {
  for (let cause: unknown = error; isObject(cause); cause = cause['caused_by']) {
    if (cause['type'] === 'too_many_buckets_exception') return true
  }
  return false
}
