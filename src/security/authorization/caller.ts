/** The caller of a request: its identity, its roles and its permission. */

import type { RoleDescriptor } from '../model/role-descriptor.ts'
import type { Realm } from '../model/user.ts'
import type { Permission } from './permission.ts'

export interface Caller {
  readonly username: string
  /** Names of the roles that exist, sorted; empty for API keys and service accounts. */
  readonly roles: readonly string[]
  readonly missingRoles: readonly string[]
  readonly fullName: string | null
  readonly email: string | null
  readonly metadata: Readonly<Record<string, unknown>>
  readonly authenticationRealm: Realm
  readonly lookupRealm: Realm
  readonly authenticationType: 'realm' | 'api_key' | 'token'
  readonly apiKey?: { readonly id: string; readonly name: string } | undefined
  readonly token?: { readonly name: string; readonly type: string } | undefined
  /** Whether the key has role descriptors of its own. */
  readonly hasOwnDescriptors?: boolean | undefined
  /** A command on this machine that can read the data folder. API keys that it creates belong to the user `elastic`. */
  readonly isOperator?: boolean | undefined
  readonly permission: Permission
  /** The role descriptors of the permission, by name. They limit the API keys that the caller creates. */
  readonly descriptors: Readonly<Record<string, RoleDescriptor>>
  /** Unique to the caller, and stored as the owner of contexts. An API key and its owner have different identities. */
  readonly identity: string
  /** The authenticated user, if the request runs as another user. */
  readonly actor?: Caller | undefined
}

/** The caller in the reason of a 403: `user [ann] run as [bob] with effective roles [a,b]`. */
export function describeCaller(caller: Caller): string {
  const { actor } = caller
  const subject = subjectOf(actor ?? caller)
  const runAs = actor === undefined ? '' : ` run as [${caller.username}]`
  return `${subject}${runAs}${rolesOf(caller)}`
}

/** The caller as the slow logs of Elasticsearch show it. */
export function loggedUser(caller: Caller): Readonly<Record<string, string>> {
  const { actor, apiKey, authenticationType } = caller
  const named = (prefix: string, { username, authenticationRealm, fullName }: Caller) => ({
    [`${prefix}.name`]: username,
    [`${prefix}.realm`]: authenticationRealm.name,
    ...(fullName === null ? {} : { [`${prefix}.full_name`]: fullName }),
  })
  return {
    ...named('user', actor ?? caller),
    ...(actor === undefined ? {} : named('user.effective', caller)),
    'auth.type': (actor?.authenticationType ?? authenticationType).toUpperCase(),
    ...(apiKey === undefined ? {} : { 'apikey.id': apiKey.id, 'apikey.name': apiKey.name }),
  }
}

export function subjectOf({ username, apiKey, authenticationType }: Caller): string {
  if (apiKey !== undefined) return `API key id [${apiKey.id}] of user [${username}]`
  return authenticationType === 'token' ? `service account [${username}]` : `user [${username}]`
}

export function rolesOf({ roles, missingRoles, authenticationType }: Caller): string {
  if (authenticationType !== 'realm') return ''
  const missing = missingRoles.length === 0 ? '' : ` (assigned roles [${missingRoles.join(',')}] were not found)`
  return ` with effective roles [${roles.join(',')}]${missing}`
}
