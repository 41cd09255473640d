/** The error for features that the cluster lacks and that a rewrite cannot replace. */
import { ApiError } from '../../base/api-error.ts'

export const notInCluster = (what: string): ApiError =>
  new ApiError(
    400,
    'unsupported_operation_exception',
    `${what} is not supported by the cluster behind the gateway; see docs/manual/gateway.md`,
  )
