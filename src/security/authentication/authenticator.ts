/**
 * Finds the caller of a request from its credentials. An unknown user, a wrong password and a disabled user get the same
 * error after the same time.
 *
 * The client certificate of the connection counts if the header has no credentials, or an API key or access token that
 * is invalid. A user name with a wrong password and an invalid service token are refused, as in Elasticsearch.
 *
 * Credentials are verified once and then found at two levels: the caller of the connection's previous request, if it sent
 * the same header, and the cache of verified credentials. Both return the caller without a promise.
 */
import { ApiError, illegalArgument } from '../../base/api-error.ts'
import { type Caller, rolesOf, subjectOf } from '../authorization/caller.ts'
import type { RenderTemplate } from '../authorization/role-mapper.ts'
import { type ApiKey, isExpired, isSecret } from '../model/api-key.ts'
import type { PasswordHasher } from '../model/password-hash.ts'
import { AuthenticationError, forbidden } from '../model/security-errors.ts'
import { decodeToken, SERVICE_ACCOUNTS } from '../model/service-token.ts'
import { isReservedUser, PKI_REALM, reservedUser, SERVICE_REALM, type User } from '../model/user.ts'
import type { SecurityState } from '../store/security-state.ts'
import type { SecurityStore } from '../store/security-store.ts'
import type { ClientCertificate } from '../tls/client-certificate.ts'
import { CallerFactory } from './caller-factory.ts'
import { CredentialCache, KEPT_MS } from './credential-cache.ts'
import { type Credentials, readCredentials } from './credentials.ts'
import { LoginThrottle } from './throttle.ts'

export interface LoginRequest {
  /** The `Authorization` header. */
  readonly authorization: string | undefined
  /** `es-security-runas-user`. */
  readonly runAs: string | undefined
  /** The whole request target, which errors name. */
  readonly uri: string
  readonly address: string
  /** The action of the route, which the error of a refused run-as names. */
  readonly action: string
  /** Stands for the connection; undefined for requests without one. */
  readonly connection?: object | undefined
  /** The verified certificate of the connection. */
  readonly certificate?: ClientCertificate | undefined
}

/** The login of a connection's previous request. It holds until the security state changes. */
interface ConnectionLogin {
  readonly authorization: string
  readonly state: SecurityState
  readonly caller: Caller
  readonly untilMs: number
}

/** The password hash or API key that credentials were verified against. */
interface Verified {
  readonly username: string
  readonly hash?: string
  readonly key?: ApiKey
}

export interface AuthenticatorOptions {
  readonly store: SecurityStore
  readonly hasher: PasswordHasher
  readonly nowMs: () => number
  /** Whether connections are encrypted. Bearer tokens are offered only then. */
  readonly withBearer: boolean
  /** A token with all privileges, for commands on this machine that can read the data folder. */
  readonly operatorToken?: string | undefined
  /** Renders the templates of role mappings. */
  readonly renderTemplate: RenderTemplate
}

const UNSUCCESSFUL =
  'unable to authenticate with provided credentials and anonymous access is not allowed for this request'

export class Authenticator {
  readonly #options: AuthenticatorOptions
  readonly #callers: CallerFactory
  readonly #verified = new CredentialCache<Verified>()
  readonly #connections = new WeakMap<object, ConnectionLogin>()
  readonly #throttle = new LoginThrottle()
  /** Logins that are being verified, by the digest of their header: concurrent requests share one verification. */
  readonly #underWay = new Map<string, Promise<boolean>>()

  constructor(options: AuthenticatorOptions) {
    this.#options = options
    this.#callers = new CallerFactory(options.store)
  }

  get callers(): CallerFactory {
    return this.#callers
  }

  /** The caller of the connection's previous request, if this request has the same header and nothing has changed. */
  ofConnection(connection: object, authorization: string): Caller | undefined {
    const login = this.#connections.get(connection)
    if (login === undefined || login.state !== this.#options.store.state) return undefined
    return login.authorization === authorization && this.#options.nowMs() < login.untilMs ? login.caller : undefined
  }

  /** Throws or rejects with an `AuthenticationError`. */
  authenticate(request: LoginRequest): Caller | Promise<Caller> {
    const caller = this.#actor(request)
    if (request.runAs === undefined) return caller
    return caller instanceof Promise
      ? caller.then((actor) => this.#runAs(actor, request))
      : this.#runAs(caller, request)
  }

  #actor(request: LoginRequest): Caller | Promise<Caller> {
    const { certificate } = request
    if (certificate?.username === undefined) return this.#ofHeader(request)
    if (readCredentials(request.authorization).kind === 'none') return this.#ofCertificate(certificate)
    try {
      return this.#ofHeader(request)
    } catch (error) {
      if (error instanceof AuthenticationError && error.isContinuable) return this.#ofCertificate(certificate)
      throw error
    }
  }

  #ofCertificate(certificate: ClientCertificate): Caller {
    const { renderTemplate, nowMs } = this.#options
    try {
      return this.#callers.ofCertificate(certificate, certificate.username!, renderTemplate, nowMs())
    } catch {
      // A template of a role mapping cannot be rendered.
      throw this.#error('error attempting to authenticate request')
    }
  }

  #ofHeader(request: LoginRequest): Caller | Promise<Caller> {
    const { authorization } = request
    if (authorization === undefined) return this.#authenticate(readCredentials(undefined), request, '')
    const digest = this.#verified.digest(authorization)
    return this.#known(digest, request) ?? this.#authenticate(readCredentials(authorization), request, digest)
  }

  /** Returns the user if the password is right. Used to create API keys on behalf of a user. */
  async verify(username: string, password: string, address: string): Promise<User | undefined> {
    const user = this.#user(username)
    return (await this.#verify(username, password, user, address)) ? user : undefined
  }

  /** The user with this name. Reserved names are looked up among reserved users only. */
  user(username: string): User | undefined {
    return this.#user(username)
  }

  /** The caller of a header that was verified before, if nothing has changed since. */
  #known(digest: string, request: LoginRequest): Caller | undefined {
    const nowMs = this.#options.nowMs()
    const verified = this.#verified.get(digest, nowMs)
    if (verified === undefined) return undefined
    const user = this.#user(verified.username)
    if (user?.enabled !== true) return undefined
    if (verified.key === undefined) {
      return user.passwordHash === verified.hash ? this.#remembered(this.#callers.ofUser(user), request) : undefined
    }
    const { key } = verified
    if (this.#state.apiKeys.get(key.id) !== key || isExpired(key, nowMs)) return undefined
    return this.#remembered(this.#callers.ofApiKey(key, user), request, key.expiresMs)
  }

  /** Remembers a verified caller for the next request of the same connection. */
  #remembered(caller: Caller, { connection, authorization }: LoginRequest, expiresMs = Infinity): Caller {
    if (connection !== undefined) {
      const untilMs = Math.min(this.#options.nowMs() + KEPT_MS, expiresMs)
      this.#connections.set(connection, { authorization: authorization!, state: this.#state, caller, untilMs })
    }
    return caller
  }

  #authenticate(credentials: Credentials, request: LoginRequest, digest: string): Caller | Promise<Caller> {
    switch (credentials.kind) {
      case 'none':
        throw this.#error(`missing authentication credentials for REST request [${request.uri}]`)
      case 'malformed':
        if (credentials.scheme === 'basic') throw this.#error(credentials.problem)
        throw this.#error(UNSUCCESSFUL, `API key: ${credentials.problem}`)
      case 'apiKey':
        return this.#apiKey(credentials.id, credentials.secret, request, digest)
      case 'bearer':
        return this.#remembered(this.#bearer(credentials.token), request)
      case 'basic':
        return this.#basic(credentials.username, credentials.password, request, digest)
    }
  }

  async #basic(username: string, password: string, request: LoginRequest, digest: string): Promise<Caller> {
    const user = this.#user(username)
    let verifying = this.#underWay.get(digest)
    if (verifying === undefined) {
      verifying = this.#verify(username, password, user, request.address)
      this.#underWay.set(digest, verifying)
      const over = () => this.#underWay.delete(digest)
      verifying.then(over, over)
    }
    const isRight = await verifying
    // The user is read again, because it may have been changed meanwhile.
    const now = this.#user(username)
    if (!isRight || now === undefined || now.passwordHash !== user?.passwordHash || !now.enabled) {
      throw this.#unknown(username, request)
    }
    this.#verified.set(digest, { username, hash: now.passwordHash! }, this.#options.nowMs())
    return this.#remembered(this.#callers.ofUser(now), request)
  }

  async #verify(username: string, password: string, user: User | undefined, address: string): Promise<boolean> {
    const { nowMs } = this.#options
    const delayMs = this.#throttle.delayMs(username, address, nowMs())
    if (delayMs === undefined)
      throw new ApiError(429, 'es_rejected_execution_exception', 'too many failed logins: try again later')
    if (delayMs > 0) await this.#throttle.wait(delayMs)
    const isRight = await this.#options.hasher.verify(password, user?.passwordHash)
    const isIn = isRight && user!.enabled
    if (isIn) this.#throttle.succeeded(username, address)
    else this.#throttle.failed(username, address, nowMs())
    return isIn
  }

  #apiKey(id: string, secret: string, request: LoginRequest, digest: string): Caller {
    const fail = (problem: string) => this.#error(UNSUCCESSFUL, `API key: ${problem}`)
    const { apiKeys } = this.#state
    const key = apiKeys.get(id)
    if (key === undefined) throw fail(`unable to find apikey with id ${id}`)
    if (!isSecret(secret, key)) throw fail(`invalid credentials for API key [${id}]`)
    if (!this.#isOwnerActive(key.username, key.realm.type)) throw fail(`invalid credentials for API key [${id}]`)
    if (key.invalidatedMs !== undefined) throw fail(`api key [${id}] has been invalidated`)
    if (isExpired(key, this.#options.nowMs())) throw fail('api key is expired')
    const owner = key.realm.type === PKI_REALM.type ? undefined : this.#user(key.username)
    if (owner !== undefined) this.#verified.set(digest, { username: owner.username, key }, this.#options.nowMs())
    return this.#remembered(this.#callers.ofApiKey(key, owner), request, key.expiresMs)
  }

  /** A key is valid only as long as its owner is. Service accounts always exist, and users of certificates are not stored. */
  #isOwnerActive(username: string, realmType: string): boolean {
    if (realmType === SERVICE_REALM.type) return SERVICE_ACCOUNTS.has(username)
    if (realmType === PKI_REALM.type) return true
    return this.#user(username)?.enabled === true
  }

  #bearer(text: string): Caller {
    const token = decodeToken(text)
    if (token === undefined) throw this.#error(UNSUCCESSFUL, 'oauth2 token: invalid token')
    const { account, name, secret } = token
    const failed = () => this.#error(`failed to authenticate service account [${account}] with token name [${name}]`)
    const { operatorToken } = this.#options
    if (account === 'sandpiper/operator' && operatorToken !== undefined) {
      if (!isSecret(secret, this.#callers.operatorSecret(operatorToken))) throw failed()
      return this.#callers.operator()
    }
    const kept = this.#state.serviceTokens.get(`${account}/${name}`)
    if (kept === undefined || !SERVICE_ACCOUNTS.has(account) || !isSecret(secret, kept)) throw failed()
    return this.#callers.ofService(account, name)
  }

  #runAs(actor: Caller, request: LoginRequest): Caller {
    // Service accounts cannot run as other users. Elasticsearch ignores the header.
    if (actor.authenticationType === 'token') return actor
    const username = request.runAs!
    if (username === '') throw this.#unknown(username, request)
    const user = this.#user(username)
    if (!actor.permission.canRunAs(username) || user === undefined) {
      const subject = subjectOf(actor)
      throw forbidden(
        `action [${request.action}] is unauthorized for ${subject}${rolesOf(actor)}, because ${subject} is unauthorized to run as [${username}]`,
      )
    }
    if (!user.enabled) throw this.#unknown(username, request)
    return this.#callers.runAs(actor, user)
  }

  #user(username: string): User | undefined {
    const { users, reservedUsers } = this.#state
    return isReservedUser(username) ? reservedUserOf(username, reservedUsers) : users.get(username)
  }

  get #state(): SecurityState {
    return this.#options.store.state
  }

  #unknown(username: string, { uri }: LoginRequest): AuthenticationError {
    return this.#error(`unable to authenticate user [${username}] for REST request [${uri}]`)
  }

  #error(reason: string, unsuccessful?: string): AuthenticationError {
    return new AuthenticationError(reason, this.#options.withBearer, unsuccessful)
  }
}

const reservedUserOf = (username: string, states: SecurityState['reservedUsers']) =>
  reservedUser(username, states.get(username))

export const severalHeaders = (name: string) => illegalArgument(`multiple values for single-valued header [${name}].`)
