/**
 * The one place where requests are authenticated and authorized, between socket and routes:
 *
 *   credentials -> caller -> route -> its actions and names -> the same request with the names the caller may see
 *       401                              403
 *
 * Admitted requests need no further checks: wildcards are replaced by authorized names, and ids of other callers' contexts
 * by unknown ids. Items of bulk and multi requests are checked by functions that the gate adds to the request.
 */

import { severalHeaders } from '../../security/authentication/authenticator.ts'
import { type Caller, loggedUser } from '../../security/authorization/caller.ts'
import { denied } from '../../security/authorization/denial.ts'
import { isClusterLevel } from '../../security/privileges/cluster-privileges.ts'
import type { Security } from '../../security/security.ts'
import type { ClientCertificate } from '../../security/tls/client-certificate.ts'
import { withParameters } from '../../service/names/indices-options.ts'
import type { SandpiperNode } from '../../service/sandpiper-node.ts'
import type { Admission, Amendment, Gate } from '../admission.ts'
import type { IncomingRequest } from '../dispatcher.ts'
import { QueryParameters } from '../query-parameters.ts'
import type { RequestAccess } from '../request-access.ts'
import { fillPath, joinTarget, namedTwin, pathParameters, splitTarget, withoutParameters } from '../request-target.ts'
import type { Match, Route, Routes } from '../router.ts'
import { amendmentFor, ownContexts } from './answer-filters.ts'
import { AuthorizedNames, NO_NAMES } from './authorized-names.ts'
import { type Composite, isLoginOnly } from './composites/composite.ts'
import { COMPOSITES } from './composites/index.ts'
import { GuardedRequest } from './guarded-request.ts'
import { LIST_CONTEXTS, mayForOneself, notEnough } from './own-account.ts'
import { CallerLimits } from './read-limits.ts'
import { isSingleTarget, kindOf, namesOptions } from './route-names.ts'
import { mayRefer } from './search-references.ts'

export interface GateOptions {
  readonly security: Security
  readonly node: SandpiperNode
  readonly strictMediaTypes: boolean
  /** The client certificates of connections; absent if clients are not asked for them. */
  readonly certificates?: { of(connection: object | undefined): ClientCertificate | undefined } | undefined
  /** Records every decision; absent if auditing is off. */
  readonly audit?: AuditSink | undefined
}

export interface AuditSink {
  granted(incoming: IncomingRequest, caller: Caller, action: string | undefined): void
  denied(incoming: IncomingRequest, caller: Caller | undefined, action: string | undefined, error: unknown): void
}

type FoundRoute = Extract<Match, { readonly values: readonly string[] }>

export class RequestGate implements Gate {
  readonly #options: GateOptions
  readonly #routes: Routes
  /** The access data of each caller, created once. */
  readonly #accesses = new WeakMap<Caller, RequestAccess>()
  readonly #limits: CallerLimits

  constructor(routes: Routes, options: GateOptions) {
    this.#routes = routes
    this.#options = options
    this.#limits = new CallerLimits(options.node.scripts)
  }

  admit(incoming: IncomingRequest): Admission | Promise<Admission> {
    // A request that the node sends to itself for an authenticated caller.
    if (incoming.access !== undefined) return this.#authorized(incoming, incoming.access.caller)
    // Browsers send preflight requests without credentials. The response lists only methods.
    if (incoming.method === 'OPTIONS') return { incoming }
    const known = this.#ofConnection(incoming)
    if (known !== undefined) return this.#authorized(incoming, known)
    if (incoming.headers.authorization === undefined && this.#isOpen(incoming)) return { incoming }
    let caller: Caller | Promise<Caller>
    try {
      caller = this.#authenticate(incoming)
    } catch (error) {
      this.#options.audit?.denied(incoming, undefined, this.#actionOf(incoming), error)
      throw error
    }
    if (!(caller instanceof Promise)) return this.#authorized(incoming, caller)
    return caller.then(
      (verified) => this.#authorized(incoming, verified),
      (error) => {
        this.#options.audit?.denied(incoming, undefined, this.#actionOf(incoming), error)
        throw error
      },
    )
  }

  /** The caller of most requests: the one that sent the connection's previous request with the same credentials. */
  #ofConnection({ connection, headers, rawHeaders }: IncomingRequest): Caller | undefined {
    const { authorization } = headers
    if (connection === undefined || authorization === undefined) return undefined
    if (headers['es-security-runas-user'] !== undefined || hasTwoCredentials(rawHeaders)) return undefined
    return this.#options.security.authenticator.ofConnection(connection, authorization)
  }

  #authenticate(incoming: IncomingRequest): Caller | Promise<Caller> {
    const { headers, rawHeaders, uri, connection } = incoming
    if (hasTwoCredentials(rawHeaders)) throw severalHeaders('Authorization')
    const runAs = headers['es-security-runas-user']
    return this.#options.security.authenticator.authenticate({
      authorization: headers.authorization,
      runAs: Array.isArray(runAs) ? runAs[0] : runAs,
      uri,
      address: incoming.address ?? '',
      connection,
      certificate: this.#options.certificates?.of(connection),
      action: runAs === undefined ? '' : (this.#actionOf(incoming) ?? ''),
    })
  }

  #isOpen({ method, uri }: IncomingRequest): boolean {
    return this.#routes.find(method, splitTarget(uri).path).route?.access.isOpen === true
  }

  #actionOf({ method, uri }: IncomingRequest): string | undefined {
    return this.#routes.find(method, splitTarget(uri).path).route?.access.actions[0]
  }

  #authorized(incoming: IncomingRequest, caller: Caller): Admission {
    const { audit } = this.#options
    try {
      const admission = this.#authorize(incoming, caller)
      audit?.granted(incoming, caller, this.#actionOf(incoming))
      return admission
    } catch (error) {
      audit?.denied(incoming, caller, this.#actionOf(incoming), error)
      throw error
    }
  }

  #authorize(incoming: IncomingRequest, caller: Caller): Admission {
    const { uri } = incoming
    const access = this.#accessOf(caller)
    if (!uri.includes('?')) {
      const { route, values } = this.#routes.find(incoming.method, uri) as FoundRoute
      if (route !== undefined && this.#isPlain(incoming, route, values[0], caller)) {
        incoming.access = access
        return { incoming }
      }
    }
    const target = splitTarget(uri)
    const found = this.#routes.find(incoming.method, target.path)
    if (found.route === undefined) return { incoming: { ...incoming, access } }
    const named = this.#nameInPath(incoming, found, target.query)
    if (named !== undefined) return this.#authorize(named, caller)

    const { route } = found
    const names = this.#names()
    const limited = caller.permission.hasLimits
      ? this.#limits.ofRequest(caller, route.access.actions[0] ?? '')
      : NOTHING
    const request = new GuardedRequest({
      incoming: { ...incoming, access: limited === NOTHING ? access : { ...access, ...limited } },
      route,
      params: pathParameters(route, found.values),
      query: new QueryParameters(target.query),
      caller,
      names,
      node: this.#options.node,
      limits: this.#limits,
      namesNow: () => this.#names(),
      strictMediaTypes: this.#options.strictMediaTypes,
    })
    this.#checkCluster(request)
    const composite = COMPOSITES.get(route.access.actions[0] ?? '')
    const admission = composite === undefined ? undefined : this.#composite(composite, request)
    return admission ?? this.#checkIndices(request, target.query)
  }

  #accessOf(caller: Caller): RequestAccess {
    let access = this.#accesses.get(caller)
    if (access === undefined) {
      const isRestricted = !caller.permission.index('indices:data/read/search').coversAll
      const user = loggedUser(caller)
      access = { caller, identity: caller.identity, user, ...(isRestricted ? { isRestricted } : {}) }
      this.#accesses.set(caller, access)
    }
    return access
  }

  /** Whether a request is of the most common kind: an authorized read of one index by its plain name. It needs no changes. */
  #isPlain(
    { body, headers }: IncomingRequest,
    route: Route,
    name: string | undefined,
    { permission }: Caller,
  ): boolean {
    const action = PLAIN_READS.get(route.path)
    if (action === undefined || route.access.actions[0] !== action || name === undefined) return false
    if (permission.hasLimits || !PLAIN_NAME.test(name)) return false
    if (body.length > 0 && (action !== SEARCH || !JSON_TYPE.test(headers['content-type'] ?? '') || mayRefer(body))) {
      return false
    }
    return permission.index(action).has(name)
  }

  /** Some handlers accept index names as a query parameter. Such a request is rewritten to the route with the names in its path. */
  #nameInPath(incoming: IncomingRequest, { route }: FoundRoute, query: string): IncomingRequest | undefined {
    if (!query.includes('i') || route.path.includes('{index}')) return undefined
    const parameters = new QueryParameters(query)
    for (const name of ['index', 'alias', 'name']) {
      const value = parameters.string(name)
      if (value === undefined || route.names.includes(name)) continue
      const pattern = [`/{${name}}${route.path}`, `${route.path}/{${name}}`].find((path) =>
        this.#routes.added.has(`${incoming.method} ${path}`),
      )
      if (pattern === undefined) continue
      const path = fillPath(pattern, { [name]: value })
      return { ...incoming, uri: joinTarget({ path, query: withoutParameters(query, [name]) }) }
    }
    return undefined
  }

  #checkCluster(request: GuardedRequest): void {
    const { caller, route } = request
    for (const action of route.access.actions) {
      if (!isClusterLevel(action) || caller.permission.allowsCluster(action)) continue
      if (!mayForOneself(caller, action, request)) throw denied(caller, action, [], notEnough(action))
    }
  }

  /** The caller must have the composite action on at least one name. Its items are checked separately. */
  #composite(composite: Composite, request: GuardedRequest): Admission | undefined {
    const { caller, route } = request
    const { namesRefused } = composite
    const [action] = route.access.actions
    if (namesRefused !== undefined && caller.permission.index(action!).isEmpty) {
      throw denied(caller, action!, namesRefused(request))
    }
    return composite.admit(request)
  }

  #checkIndices(request: GuardedRequest, query: string): Admission {
    const { caller, route, params, names } = request
    const actions = route.access.actions.filter((action) => !isClusterLevel(action))
    if (actions.length === 0) return { incoming: request.incoming, amend: this.#narrowing(request) }
    const values: Record<string, string> = { ...params }
    let pattern = route.path
    let changed = false
    for (const source of route.access.names) {
      if (source === 'context' || source === 'body') continue
      const parameter = source === 'all' ? undefined : source.slice(1, -1)
      const text = parameter === undefined ? '' : (params[parameter] ?? '')
      let expressions: readonly string[] = text === '' ? [] : text.split(',')
      const isWide = expressions.length === 0 || expressions.some((name) => name.includes('*') || name === '_all')
      let rewritten = false
      for (const [i, action] of actions.entries()) {
        const given = namesOptions(route.path, action)
        const options = withParameters(given, request.indicesParameters())
        const authorized = names.authorize({
          caller,
          action,
          expressions,
          // Names that only some of the actions are granted on are omitted.
          options: i > 0 && isWide ? { ...options, ignoreUnavailable: true } : options,
          kind: kindOf(action, parameter ?? '', route.path),
        })
        if (authorized === undefined) continue
        expressions = authorized
        rewritten = true
      }
      if (!rewritten || isSingleTarget(actions[0]!)) continue
      const twin = parameter === undefined ? namedTwin(this.#routes, request.incoming.method, route.path) : undefined
      const place = parameter ?? twin?.parameter
      // A request about all indices that cannot be narrowed requires the action on all of them.
      if (place === undefined) throw denied(caller, actions[0]!)
      if (twin !== undefined) pattern = twin.pattern
      // `_cat/aliases` has no exclusions, and no alias begins with a dash.
      const shown = expressions === NO_NAMES && route.path.startsWith('/_cat/aliases') ? NO_ALIAS : expressions
      values[place] = shown.join(',')
      changed = true
    }
    // An action without names must be granted on at least one name.
    for (const action of actions) {
      if (route.access.names.length > 0 || isLoginOnly(action) || !caller.permission.index(action).isEmpty) continue
      throw denied(caller, action)
    }
    const amend: Amendment | undefined = amendmentFor(request)
    if (!changed) return { incoming: request.incoming, amend }
    const uri = joinTarget({ path: fillPath(pattern, values), query })
    return { incoming: { ...request.incoming, uri }, amend }
  }

  /** Narrows the response of a cluster action that callers may perform for themselves only. */
  #narrowing(request: GuardedRequest): Amendment | undefined {
    const { caller, route } = request
    const isOwn = route.access.actions[0] === LIST_CONTEXTS && !caller.permission.allowsCluster(LIST_CONTEXTS)
    return isOwn ? ownContexts(request) : undefined
  }

  #names(): AuthorizedNames {
    const { state, indexContext } = this.#options.node
    return new AuthorizedNames(state, indexContext.clock.nowMs())
  }
}

/** Node keeps the first of several `Authorization` headers, so they are counted as received. */
function hasTwoCredentials(rawHeaders: readonly string[] = []): boolean {
  let seen = false
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!
    if (name.length !== AUTHORIZATION.length || name.toLowerCase() !== AUTHORIZATION) continue
    if (seen) return true
    seen = true
  }
  return false
}

const SEARCH = 'indices:data/read/search'
/** Routes whose only name is the first parameter of their path. */
const PLAIN_READS: ReadonlyMap<string, string> = new Map([
  ['/{index}/_doc/{id}', 'indices:data/read/get'],
  ['/{index}/_source/{id}', 'indices:data/read/get'],
  ['/{index}/_search', SEARCH],
  ['/{index}/_count', SEARCH],
])
/** In other formats the names in a body are encoded differently. */
const JSON_TYPE = /^application\/(vnd\.elasticsearch\+)?json\b/
/** A single plain name: no list, wildcard, date math, escape or exclusion, and no restricted name. */
const PLAIN_NAME = /^[a-z0-9][a-z0-9_-]*$/

const AUTHORIZATION = 'authorization'
const NOTHING = {}
const NO_ALIAS: readonly string[] = ['-']
