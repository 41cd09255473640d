/** Processors that need features this service does not have. */
import { ApiError } from '../../../base/api-error.ts'
import type { ProcessorFactory } from '../pipeline/processor.ts'

/** A pipeline with this processor can be stored, but running it fails, because documents have no user. */
export const setSecurityUser: ProcessorFactory = (reader) => {
  reader.string('field')
  reader.optionalList('properties')
  return () => {
    throw new ApiError(
      400,
      'illegal_state_exception',
      'Security (authentication) is not enabled on this cluster, so there is no active user - the [set_security_user] processor ' +
        'cannot be used without security',
    )
  }
}
