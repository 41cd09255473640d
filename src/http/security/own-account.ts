/** Requests about the caller's own account and keys, which need no privilege or only `manage_own_api_key`. */
import type { Caller } from '../../security/authorization/caller.ts'
import { hasPasswords } from '../../security/model/user.ts'

const SECURITY = 'cluster:admin/xpack/security/'

export interface OwnRequest {
  readonly route: { readonly path: string }
  readonly params: Readonly<Record<string, string>>
  parameter(name: string): string | undefined
  /** The body, parsed; undefined when there is none. */
  body(): unknown
}

/** Lists open points in time and scrolls. Without the privilege, callers see those that they have opened themselves. */
export const LIST_CONTEXTS = 'cluster:monitor/sandpiper/contexts'

export function mayForOneself(caller: Caller, action: string, request: OwnRequest): boolean {
  if (action === LIST_CONTEXTS) return request.route.path === '/_sandpiper/contexts'
  if (!action.startsWith(SECURITY)) return false
  switch (action.slice(SECURITY.length)) {
    case 'user/authenticate':
      return true
    case 'user/has_privileges':
    case 'user/list_privileges':
      return isOwnName(caller, request)
    case 'user/change_password':
      return isOwnName(caller, request) && caller.authenticationType === 'realm' && hasPasswords(caller.lookupRealm)
    case 'api_key/get':
      return isOwnKey(caller, request) || (managesOwnKeys(caller) && asksForOwnKeys(caller, parameters(request)))
    case 'api_key/invalidate':
      return managesOwnKeys(caller) && asksForOwnKeys(caller, (request.body() ?? {}) as KeyChoice)
    case 'api_key/create':
    case 'api_key/update':
    case 'api_key/bulk_update':
    case 'api_key/query':
      return managesOwnKeys(caller)
    default:
      return false
  }
}

/** A privilege that does not grant this request and is therefore not listed in the 403. */
export function notEnough(action: string): string | undefined {
  return action === `${SECURITY}api_key/get` || action === `${SECURITY}api_key/invalidate`
    ? 'manage_own_api_key'
    : undefined
}

export const managesOwnKeys = ({ permission }: Caller) => permission.hasClusterPrivilege('manage_own_api_key')

/** Whether the caller may see all API keys and not only its own. */
export const seesAllKeys = ({ permission }: Caller) => permission.allowsCluster(`${SECURITY}api_key/query`)

function isOwnName({ username }: Caller, { params }: OwnRequest): boolean {
  const name = params['username']
  return name === undefined || name === username
}

interface KeyChoice {
  readonly id?: unknown
  readonly ids?: unknown
  readonly name?: unknown
  readonly owner?: unknown
  readonly username?: unknown
  readonly realm_name?: unknown
  readonly with_limited_by?: unknown
}

function parameters(request: OwnRequest): KeyChoice {
  const { parameter } = request
  return {
    id: parameter('id'),
    owner: isTrue(parameter('owner')),
    username: parameter('username'),
    realm_name: parameter('realm_name'),
    with_limited_by: isTrue(parameter('with_limited_by')),
  }
}

const isTrue = (text: string | undefined) => text === '' || text === 'true'

/** An API key may read its own information. */
function isOwnKey({ apiKey }: Caller, request: OwnRequest): boolean {
  const { id, with_limited_by } = parameters(request)
  return apiKey !== undefined && id === apiKey.id && with_limited_by === false
}

function asksForOwnKeys(caller: Caller, { id, ids, owner, username, realm_name, with_limited_by }: KeyChoice): boolean {
  if (caller.apiKey !== undefined) {
    const asked = Array.isArray(ids) ? ids : [id ?? ids]
    return asked.length === 1 && asked[0] === caller.apiKey.id && with_limited_by !== true
  }
  if (owner === true) return true
  return username === caller.username && realm_name === caller.lookupRealm.name
}
