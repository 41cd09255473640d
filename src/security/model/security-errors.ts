/** Errors of authentication (401) and authorization (403). */
import { ApiError } from '../../base/api-error.ts'

/** One header line each, in this order. Bearer tokens are offered where the connection is encrypted. */
export function challenges(withBearer: boolean): string[] {
  return ['Basic realm="security", charset="UTF-8"', ...(withBearer ? ['Bearer realm="security"'] : []), 'ApiKey']
}

/** A 401. Its headers are also in the body. */
export class AuthenticationError extends ApiError {
  readonly challenges: readonly string[]
  /** Whether other credentials of the request may be tried after this error. */
  readonly isContinuable: boolean

  constructor(reason: string, withBearer: boolean, unsuccessful?: string) {
    const lines = challenges(withBearer)
    super(401, 'security_exception', reason, {
      details: {
        ...(unsuccessful === undefined ? {} : { additional_unsuccessful_credentials: unsuccessful }),
        header: { 'WWW-Authenticate': lines },
      },
    })
    this.challenges = lines
    this.isContinuable = unsuccessful !== undefined
  }
}

export const forbidden = (reason: string) => new ApiError(403, 'security_exception', reason)
