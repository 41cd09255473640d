/** drop, fail and terminate: processors that end the processing of a document. */
import { ApiError } from '../../../base/api-error.ts'
import type { ProcessorFactory } from '../pipeline/processor.ts'

export const drop: ProcessorFactory = () => (document) => {
  document.isDropped = true
}

export const terminate: ProcessorFactory = () => (document) => {
  document.isTerminated = true
}

/** Elasticsearch responds to the fail processor with this status. */
export const fail: ProcessorFactory = (reader) => {
  const message = reader.text('message')
  return (document) => {
    throw new ApiError(500, 'fail_processor_exception', message.render(document))
  }
}
