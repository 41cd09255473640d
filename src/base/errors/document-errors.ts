/** Errors of the document APIs: index, create, get, update, delete, mget and bulk. */
import { ApiError, illegalArgument, validationFailed } from '../api-error.ts'
import type { ShardLabel } from './shard-errors.ts'

const placeDetails = (label: ShardLabel) => ({
  index_uuid: label.indexUuid,
  shard: String(label.shard),
  index: label.index,
})

export const documentMissing = (label: ShardLabel, id: string) =>
  new ApiError(404, 'document_missing_exception', `[${id}]: document missing`, { details: placeDetails(label) })

/** An update needs the old source, but the mapping sets `_source: {enabled: false}`. */
export const documentSourceMissing = (label: ShardLabel, id: string) =>
  new ApiError(400, 'document_source_missing_exception', `[${id}]: document source missing`, {
    details: placeDetails(label),
  })

export const routingMissing = (indexName: string, id: string) =>
  new ApiError(400, 'routing_missing_exception', `routing is required for [${indexName}]/[${id}]`, {
    details: { index_uuid: '_na_', index: indexName },
  })

export const documentNotFound = (indexName: string, id: string) =>
  new ApiError(404, 'resource_not_found_exception', `Document not found [${indexName}]/[${id}]`)

export const sourceNotFound = (indexName: string, id: string) =>
  new ApiError(404, 'resource_not_found_exception', `Source not found [${indexName}]/[${id}]`)

export const requestBodyOrSourceRequired = () =>
  new ApiError(400, 'parse_exception', 'request body or source parameter is required')

export const idTooLong = (id: string, bytes: number) =>
  `id [${id}] is too long, must be no longer than 512 bytes but was: ${bytes}`

export const emptyId = () => illegalArgument('if _id is specified it must not be empty')

export const pipelineMissing = (name: string) => illegalArgument(`pipeline with id [${name}] does not exist`)

export const unknownVersionType = (text: string) => illegalArgument(`No version type match [${text}]`)

export const unknownRefreshPolicy = (text: string) => illegalArgument(`Unknown value for refresh: [${text}].`)

export const unknownOpType = (text: string) => illegalArgument(`opType must be 'create' or 'index', found: [${text}]`)

export const negativeSeqNo = (seqNo: number) =>
  illegalArgument(`sequence numbers must be non negative. got [${seqNo}].`)

export const negativePrimaryTerm = (term: number) => illegalArgument(`primary term must be non negative. got [${term}]`)

export const noDocumentsToGet = () => validationFailed('no documents to get')

/** The shard has fewer copies than `wait_for_active_shards` requires. A single node never has more. */
export const notEnoughActiveCopies = (
  label: ShardLabel,
  required: { shown: string; needed: number },
  timeout: string,
  operation: string,
) => {
  const shard = `[${label.index}][${label.shard}]`
  return new ApiError(
    503,
    'unavailable_shards_exception',
    `${shard} Not enough active copies to meet shard count of [${required.shown}] (have 1, needed ${required.needed}). ` +
      `Timeout: [${timeout}], request: [BulkShardRequest [${shard}] containing [${operation}]]`,
  )
}

/** Data streams accept only new documents. */
export const onlyCreateInDataStream = (causedBy?: ApiError) =>
  illegalArgument('only write ops with an op_type of create are allowed in data streams', causedBy)

/** New documents must be sent to the data stream, which selects the backing index to write to. */
export const noAppendToBackingIndex = (action: 'index' | 'create', stream: string) =>
  illegalArgument(
    `index request with op_type=${action}${action === 'index' ? ' and no if_primary_term and if_seq_no set' : ''} ` +
      `targeting backing indices is disallowed, target corresponding data stream [${stream}] instead`,
  )

export const noCustomRouting = (stream: string) =>
  illegalArgument(
    `index request targeting data stream [${stream}] specifies a custom routing but the [allow_custom_routing] setting ` +
      "was not enabled in the data stream's template.",
  )

/** A member of a bulk action line with its own grammar could not be parsed. */
export const bulkBodyMalformed = (cause: ApiError) =>
  new ApiError(400, 'parse_exception', 'could not parse bulk request body', { causedBy: cause, rootCauses: [cause] })

export const docsElementNotObject = () => illegalArgument('docs array element should include an object')

export const noRequestsAdded = () => validationFailed('no requests added')

export const sizeInsteadOfMaxDocs = () => illegalArgument('invalid parameter [size], use [max_docs] instead')

/** The node was opened without the host of ingest pipelines, as by some tests. */
export const noIngestPipelines = () => illegalArgument('this node runs no pipelines')
