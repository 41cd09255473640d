/** Access tokens for SASL OAUTHBEARER: from a token endpoint with client credentials, or unsigned ones for brokers that are set up for tests. */
import { HttpSender } from '../net/http-request.ts'

export interface TokenEndpoint {
  readonly url: URL
  readonly clientId: string
  readonly clientSecret: string
  readonly scope: string | undefined
}

const ANSWER_MS = 30_000
/** A token is replaced after this fraction of its lifetime. */
const RENEW_AFTER = 0.8
const UNSIGNED_LIFE_S = 3600

/** Requests a token when a connection needs one, and reuses it until most of its lifetime is over. */
export function endpointTokens({ url, clientId, clientSecret, scope }: TokenEndpoint): () => Promise<string> {
  const sender = new HttpSender({ connectionsMax: 1, keepsConnections: false })
  const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`
  const form = new URLSearchParams({ grant_type: 'client_credentials', ...(scope === undefined ? {} : { scope }) })
  let last: { token: string; untilMs: number } | undefined
  return async () => {
    if (last !== undefined && last.untilMs > Date.now()) return last.token
    const { status, text } = await sender.send({
      method: 'POST',
      url,
      headers: { authorization, accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
      body: form.toString(),
      timeoutMs: ANSWER_MS,
    })
    if (status !== 200) throw new Error(`the token endpoint ${url.href} answered ${status}: ${text.slice(0, 200)}`)
    const answer = JSON.parse(text) as { access_token?: unknown; expires_in?: unknown }
    if (typeof answer.access_token !== 'string') throw new Error(`the token endpoint ${url.href} sent no access_token`)
    const lifeMs = (typeof answer.expires_in === 'number' ? answer.expires_in : UNSIGNED_LIFE_S) * 1000
    last = { token: answer.access_token, untilMs: Date.now() + lifeMs * RENEW_AFTER }
    return last.token
  }
}

/** A JSON web token without a signature, which brokers accept only if they are set up for tests. */
export function unsignedTokens(subject: string): () => Promise<string> {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  return async () => {
    const nowS = Math.floor(Date.now() / 1000)
    return `${part({ alg: 'none' })}.${part({ sub: subject, iat: nowS, exp: nowS + UNSIGNED_LIFE_S })}.`
  }
}
