/** The document that the failure store of a data stream keeps of one that could not be written. */
import { ApiError, errorObject } from '../../../base/api-error.ts'

export interface FailedDocument {
  readonly id: string | undefined
  readonly routing: string | undefined
  /** The index of the request. */
  readonly index: string
  /** As it was received if a pipeline failed, otherwise as the pipelines left it. */
  readonly source: Uint8Array
  readonly error: ApiError
}

export function failureDocument({ id, routing, index, source, error }: FailedDocument, nowMs: number): Buffer {
  const { pipelines = [], processorTag, processorType } = error.pipelineTrace ?? {}
  const described = {
    type: error.type,
    message: error.message,
    stack_trace: stackTrace(error),
    ...(pipelines.length === 0 ? {} : { pipeline_trace: pipelines, pipeline: pipelines.at(-1) }),
    processor_tag: processorTag,
    processor_type: processorType,
  }
  const opening = JSON.stringify({ '@timestamp': new Date(nowMs).toISOString(), document: { id, routing, index } })
  return Buffer.concat([
    Buffer.from(`${opening.slice(0, -2)},"source":`),
    source,
    Buffer.from(`},"error":${JSON.stringify(described)}}`),
  ])
}

/** The types and reasons of the error and its causes. There are no Java frames between them. */
function stackTrace(error: ApiError): string {
  const own = `${error.type}: ${error.message}\n`
  return error.causedBy === undefined ? own : `${own}Caused by: ${stackTrace(error.causedBy)}`
}

/** Whether the failure store takes a document with this error. Conflicts and overload are for the client to handle. */
export const isKept = ({ status, type }: ApiError): boolean =>
  status !== 429 && status !== 503 && type !== 'version_conflict_engine_exception'

/** The error of a document that the failure store could not take either. */
export const notKept = (error: ApiError, reason: ApiError): ApiError =>
  new ApiError(error.status, error.type, error.message, {
    details: { ...error.details, suppressed: [errorObject(reason)] },
    causedBy: error.causedBy,
  })

/** The error in a response about one document, which says whether a failure store was there. */
export const withFailureStore = (error: ApiError, status: 'failed' | 'not_enabled'): ApiError =>
  new ApiError(error.status, error.type, error.message, {
    details: { ...error.details, failure_store: status },
    causedBy: error.causedBy,
    rootCauses: error.rootCauses ?? [error],
    ...(error.help === undefined ? {} : { help: error.help }),
  })
