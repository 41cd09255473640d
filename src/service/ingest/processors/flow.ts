/** drop, fail and terminate: what becomes of the document as a whole. */
import { ApiError } from '../../../base/api-error.ts'
import type { ProcessorFactory } from '../pipeline/processor.ts'

export const drop: ProcessorFactory = () => (document) => {
  document.isDropped = true
}

export const terminate: ProcessorFactory = () => (document) => {
  document.isTerminated = true
}

/** The status of a failure that the pipeline asks for is Elasticsearch's. */
export const fail: ProcessorFactory = (reader) => {
  const message = reader.text('message')
  return (document) => {
    throw new ApiError(500, 'fail_processor_exception', message.render(document))
  }
}
