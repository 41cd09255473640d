/** Errors of OpenSearch in the words of Elasticsearch, for requests that the shadow does not refuse. */
import type { JsonObject } from '../../service/metadata/metadata.ts'
import { isObject } from './field-types.ts'
import { localError } from './remote-errors.ts'

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

/** Whether an error is about a script: compiling it, running it, or a missing one. */
export function isScriptError(body: Buffer): boolean {
  return body.includes('script_exception') || body.includes('"script_stack"')
}

/** Translates an error body. A body that is none stays as it is. `keepsTwin`: a scroll repeats the failure of its shards. */
export function translateError(status: number, bytes: Buffer, keepsTwin = false): TranslatedError {
  const body = JSON.parse(bytes.toString('utf8')) as JsonObject
  const error = isObject(body['error']) ? localError(body['error']) : body['error']
  if (!isObject(error)) return { status, body: { ...body, status } }
  const tooMany = causeOf(error, 'too_many_buckets_exception')
  if (tooMany !== undefined) return { status: 400, body: { error: reduceFailure(tooMany), status: 400 } }
  const translated = translateErrorObject(error)
  const out = keepsTwin ? translated : withoutTwin(translated)
  const becomes = status === 500 && isRefusal(error) ? 400 : status
  return { status: becomes, body: { ...body, error: out, status: becomes } }
}

/** A script error. Both servers use the same words, except for what OpenSearch loses between nodes. */
export function translateScriptError(status: number, bytes: Buffer): TranslatedError {
  const body = JSON.parse(bytes.toString('utf8')) as JsonObject
  const { error } = body
  return { status, body: isObject(error) ? { ...body, error: localError(error) } : body }
}

/** An error object with its causes, in Elasticsearch's words. `index` is the index it belongs to, where that is known. */
export function translateErrorObject(error: JsonObject, index?: string): JsonObject {
  const first = Array.isArray(error['failed_shards']) ? error['failed_shards'][0] : undefined
  const name = index ?? (isObject(first) && typeof first['index'] === 'string' ? first['index'] : undefined)
  const out: JsonObject = {}
  for (const [member, value] of Object.entries(error)) {
    if (member === 'type' && typeof value === 'string') out[member] = typeIn(value, error['reason'])
    else if (member === 'reason' && typeof value === 'string') out[member] = reasonIn(value, name)
    else if (member === 'resource.type' && value === 'index_expression') out[member] = 'index_or_alias'
    else if (Array.isArray(value)) out[member] = value.map((item) => (isObject(item) ? inShard(item, name) : item))
    else if (isObject(value)) out[member] = translateErrorObject(value, name)
    else out[member] = value
  }
  return out
}

function inShard(item: JsonObject, index: string | undefined): JsonObject {
  return translateErrorObject(item, typeof item['index'] === 'string' ? item['index'] : index)
}

function typeIn(type: string, reason: unknown): string {
  const text = String(reason)
  if (text.startsWith('Trying to create too many scroll contexts')) return 'too_many_scroll_contexts_exception'
  if (type === 'illegal_state_exception' && /^failed to collapse \d+, /.test(text)) return 'illegal_argument_exception'
  return TYPES[type] ?? type
}

const WATERMARK = 'index has read-only-allow-delete block];'
const WATERMARK_HELP =
  'index has read-only-allow-delete block; for more information, see https://www.elastic.co/guide/en/elasticsearch/reference/8.19/fix-watermark-errors.html];'

function reasonIn(reason: string, index: string | undefined): string {
  const fielddata = /^(Text fields are not optimised for operations .* set fielddata=true on \[([^\]]+)\].*)$/s.exec(
    reason,
  )
  if (fielddata !== null && index !== undefined)
    return `Fielddata is disabled on [${fielddata[2]}] in [${index}]. ${fielddata[1]}`
  return reason
    .replace(/org\.opensearch\./g, 'org.elasticsearch.')
    .replace(/OpenSearch([A-Z]\w*Exception)/g, 'Elasticsearch$1')
    .replace(/cluster[_ ]manager/g, 'master')
    .replace(
      /^failed to collapse (\d+), the collapse field must be single valued/,
      'failed to extract doc:$1, the grouping field must be single valued',
    )
    .replace(WATERMARK, WATERMARK_HELP)
}

/** OpenSearch's default for the number of buckets is one less. */
const BUCKETS_THERE = 65_535
const BUCKETS_HERE = 65_536

export const tooManyBuckets = (limit: number): JsonObject => ({
  type: 'too_many_buckets_exception',
  reason: `Trying to create too many buckets. Must be less than or equal to: [${limit}] but this number of buckets was exceeded. This limit can be set by changing the [search.max_buckets] cluster level setting.`,
  max_buckets: limit,
})

/** Too many buckets are noticed when the results of the shards are joined, and no shard has failed. */
export function reduceFailure(cause: JsonObject): JsonObject {
  const limit = Number(cause['max_buckets'])
  return {
    root_cause: [],
    type: 'search_phase_execution_exception',
    reason: '',
    phase: 'fetch',
    grouped: true,
    failed_shards: [],
    caused_by: tooManyBuckets(limit === BUCKETS_THERE ? BUCKETS_HERE : limit),
  }
}

/** Exceptions of Java itself. Elasticsearch shows them as the cause of a search that failed, twice. */
const JAVAS: ReadonlySet<unknown> = new Set([
  'illegal_argument_exception',
  'illegal_state_exception',
  'number_format_exception',
  'null_pointer_exception',
  'runtime_exception',
  'unsupported_operation_exception',
])

/** OpenSearch repeats the failure of a shard as the cause of the whole; Elasticsearch does so for Java's exceptions only. */
function withoutTwin(error: JsonObject): JsonObject {
  const { caused_by: cause, ...rest } = error
  if (error['type'] !== 'search_phase_execution_exception' || !isObject(cause)) return error
  const failed = error['failed_shards']
  const isTwin = Array.isArray(failed) && failed.some((shard) => isObject(shard) && isSame(shard['reason'], cause))
  if (!isTwin || JAVAS.has(cause['type'])) return error
  return rest
}

function isSame(a: unknown, b: JsonObject): boolean {
  return isObject(a) && a['type'] === b['type'] && a['reason'] === b['reason']
}

function isRefusal(error: JsonObject): boolean {
  return causeOf(error, 'illegal_state_exception') !== undefined && /failed to collapse/.test(JSON.stringify(error))
}

function causeOf(error: JsonObject, type: string): JsonObject | undefined {
  for (let cause: unknown = error; isObject(cause); cause = cause['caused_by']) if (cause['type'] === type) return cause
  return undefined
}
