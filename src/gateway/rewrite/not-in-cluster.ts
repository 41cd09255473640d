/** The error for what the cluster does not have and what cannot be rewritten. */
import { ApiError } from '../../base/api-error.ts'

export const notInCluster = (what: string): ApiError =>
  new ApiError(
    400,
    'unsupported_operation_exception',
    `${what} is not supported by the cluster behind the gateway; see docs/manual/gateway.md`,
  )
