/** A request at the gate: its route, its caller, and access to its parameters and body for the checks. */
import type { Caller } from '../../security/authorization/caller.ts'
import type { IndicesParameters } from '../../service/names/indices-options.ts'
import type { SandpiperNode } from '../../service/sandpiper-node.ts'
import type { IncomingRequest } from '../dispatcher.ts'
import type { QueryParameters } from '../query-parameters.ts'
import type { RequestAccess } from '../request-access.ts'
import { splitTarget, withoutParameters } from '../request-target.ts'
import type { Route } from '../router.ts'
import type { AuthorizedNames } from './authorized-names.ts'
import type { OwnRequest } from './own-account.ts'
import type { CallerLimits } from './read-limits.ts'
import { bodyOf, parseBody } from './request-body.ts'

export interface GuardedParts {
  readonly incoming: IncomingRequest & { readonly access: RequestAccess }
  readonly route: Route
  readonly params: Readonly<Record<string, string>>
  readonly query: QueryParameters
  readonly caller: Caller
  readonly names: AuthorizedNames
  readonly node: SandpiperNode
  readonly limits: CallerLimits
  readonly namesNow: () => AuthorizedNames
  readonly strictMediaTypes: boolean
}

export class GuardedRequest implements OwnRequest {
  readonly incoming: GuardedParts['incoming']
  readonly route: Route
  readonly params: Readonly<Record<string, string>>
  readonly query: QueryParameters
  readonly caller: Caller
  readonly names: AuthorizedNames
  readonly node: SandpiperNode
  readonly limits: CallerLimits
  readonly namesNow: () => AuthorizedNames
  readonly #strictMediaTypes: boolean

  constructor(parts: GuardedParts) {
    this.incoming = parts.incoming
    this.route = parts.route
    this.params = parts.params
    this.query = parts.query
    this.caller = parts.caller
    this.names = parts.names
    this.node = parts.node
    this.limits = parts.limits
    this.namesNow = parts.namesNow
    this.#strictMediaTypes = parts.strictMediaTypes
  }

  parameter = (name: string): string | undefined => this.params[name] ?? this.query.string(name)

  /** The names in a path parameter; empty means all. */
  expressions(parameter: string): string[] {
    const text = this.params[parameter]
    return text === undefined || text === '' ? [] : text.split(',')
  }

  indicesParameters(): IndicesParameters {
    const { query } = this
    if (query.isEmpty) return NO_PARAMETERS
    return {
      ignoreUnavailable: query.strictBoolean('ignore_unavailable'),
      allowNoIndices: query.strictBoolean('allow_no_indices'),
      expandWildcards: query.list('expand_wildcards'),
    }
  }

  /** A copy of the body as JSON; undefined if there is none. */
  bodyBytes(): Buffer | undefined {
    return bodyOf(this.incoming, this.query, this.#strictMediaTypes)
  }

  body(): unknown {
    const bytes = this.bodyBytes()
    return bytes === undefined || bytes.length === 0 ? undefined : parseBody(bytes)
  }

  /** The request with another path or body. The new body is JSON. */
  with({ path, body }: { readonly path?: string | undefined; readonly body?: Buffer | undefined }): IncomingRequest {
    const { incoming } = this
    const { path: oldPath, query: oldQuery } = splitTarget(incoming.uri)
    const query = body === undefined ? oldQuery : withoutParameters(oldQuery, ['source', 'source_content_type'])
    const uri = query === '' ? (path ?? oldPath) : `${path ?? oldPath}?${query}`
    if (body === undefined) return { ...incoming, uri }
    return { ...incoming, uri, body, headers: { ...incoming.headers, 'content-type': 'application/json' } }
  }
}

const NO_PARAMETERS: IndicesParameters = {}
