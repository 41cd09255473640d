/** Credentials of a role (`role_arn`): temporary ones that the Security Token Service gives, fetched again before they expire. */
import { HttpSender } from '../net/http-request.ts'
import { type Credentials, signedHeaders } from './signature.ts'
import { childOf, errorOf, parseAnswer, textOf } from './xml-answers.ts'

export interface RoleSettings {
  readonly arn: string
  readonly sessionName: string
  readonly externalId: string | undefined
  /** The address of the token service. */
  readonly endpoint: URL
  readonly region: string
  /** The credentials that may assume the role. */
  readonly own: Credentials
  readonly proxy: URL | undefined
}

const TIMEOUT_MS = 60_000
/** Credentials are replaced this long before they expire, so that no request is under way when they do. */
const EARLY_MS = 5 * 60_000

export class AssumedRole {
  readonly #settings: RoleSettings
  readonly #sender: HttpSender
  #current: Promise<Credentials & { readonly expiresMs: number }> | undefined

  constructor(settings: RoleSettings) {
    this.#settings = settings
    this.#sender = new HttpSender({
      connectionsMax: 1,
      proxy: settings.proxy,
      retriesMax: 2,
      retriesEveryMethod: true,
      keepsConnections: false,
    })
  }

  /** Concurrent callers share one request. A failed request is repeated by the next caller. */
  async credentials(): Promise<Credentials> {
    const known = this.#current
    if (known !== undefined) {
      const credentials = await known
      if (credentials.expiresMs - EARLY_MS > Date.now()) return credentials
    }
    if (this.#current === known) {
      const fetched = this.#fetch()
      this.#current = fetched
      fetched.catch(() => {
        if (this.#current === fetched) this.#current = undefined
      })
    }
    return this.#current!
  }

  async #fetch(): Promise<Credentials & { readonly expiresMs: number }> {
    const { arn, sessionName, externalId, endpoint, region, own } = this.#settings
    const form = new URLSearchParams({
      Action: 'AssumeRole',
      Version: '2011-06-15',
      RoleArn: arn,
      RoleSessionName: sessionName,
      ...(externalId === undefined ? {} : { ExternalId: externalId }),
    })
    const body = Buffer.from(form.toString())
    const request = {
      method: 'POST',
      url: endpoint,
      path: endpoint.pathname,
      headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' },
      body,
    }
    const headers = signedHeaders(request, own, region, Date.now(), 'sts')
    const answer = await this.#sender.send({ method: 'POST', url: endpoint, headers, body, timeoutMs: TIMEOUT_MS })
    if (answer.status !== 200) throw errorOf(answer.status, answer.text, `AssumeRole ${arn}`)
    const given = childOf(childOf(parseAnswer(answer.text), 'AssumeRoleResult'), 'Credentials')
    return {
      accessKeyId: textOf(given, 'AccessKeyId'),
      secretAccessKey: textOf(given, 'SecretAccessKey'),
      sessionToken: textOf(given, 'SessionToken'),
      expiresMs: Date.parse(textOf(given, 'Expiration')),
    }
  }
}
