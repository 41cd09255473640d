/** Requests that field-level or document-level security does not allow. */
import { ApiError } from '../api-error.ts'

export const notWithLimits = (reason: string) => new ApiError(400, 'security_exception', reason)
