/**
 * Creates callers from users, API keys and tokens. A caller is reused as long as its user, key and roles are unchanged, so
 * that its permission keeps the cached decisions.
 */

import { newMembers } from '../../base/json/members.ts'
import type { Caller } from '../authorization/caller.ts'
import { Intersection, type Permission, RolePermission } from '../authorization/permission.ts'
import { mappedRoles, type RenderTemplate } from '../authorization/role-mapper.ts'
import { type ApiKey, hashSecret } from '../model/api-key.ts'
import { RESERVED_ROLES } from '../model/reserved-roles.ts'
import type { RoleDescriptor } from '../model/role-descriptor.ts'
import type { RoleMapping } from '../model/role-mapping.ts'
import { SERVICE_ACCOUNTS } from '../model/service-token.ts'
import { API_KEY_REALM, PKI_REALM, type Realm, realmOf, SERVICE_REALM, type User } from '../model/user.ts'
import type { SecurityStore } from '../store/security-store.ts'
import type { ClientCertificate } from '../tls/client-certificate.ts'

type Roles = ReadonlyMap<string, RoleDescriptor>

/** The caller of a certificate, with the objects from which it was created. */
interface CertificateCaller {
  readonly roles: Roles
  readonly mappings: ReadonlyMap<string, RoleMapping>
  readonly caller: Caller
  readonly untilMs: number
}

/** Templates of role mappings can use stored scripts, which change without a change of the security state. */
const ROLES_KEPT_MS = 60_000

export class CallerFactory {
  readonly #store: SecurityStore
  /** Callers by user name, each with the objects from which it was created. */
  readonly #users = new Map<string, { user: User; roles: Roles; caller: Caller }>()
  readonly #keys = new WeakMap<ApiKey, { owner: User | undefined; caller: Caller }>()
  readonly #certificates = new WeakMap<ClientCertificate, CertificateCaller>()
  readonly #services = new Map<string, Caller>()
  #operator: Caller | undefined
  #operatorSecret: { salt: string; hash: string } | undefined

  constructor(store: SecurityStore) {
    this.#store = store
  }

  ofUser(user: User): Caller {
    const { roles } = this.#store.state
    const known = this.#users.get(user.username)
    if (known !== undefined && known.roles === roles && isSameUser(known.user, user)) return known.caller
    const caller = userCaller(user, realmOf(user.username), roles)
    this.#users.set(user.username, { user, roles, caller })
    return caller
  }

  /** The user of a client certificate, with the roles that role mappings give. */
  ofCertificate(certificate: ClientCertificate, username: string, render: RenderTemplate, nowMs: number): Caller {
    const { roles, roleMappings: mappings } = this.#store.state
    const known = this.#certificates.get(certificate)
    if (known?.roles === roles && known.mappings === mappings && nowMs < known.untilMs) return known.caller
    const { dn } = certificate
    const metadata = { pki_dn: dn }
    const mapped = { username, dn, groups: [], realmName: PKI_REALM.name, metadata }
    const user: User = {
      username,
      roles: mappedRoles(mappings.values(), mapped, render),
      fullName: null,
      email: null,
      metadata,
      enabled: true,
      passwordHash: undefined,
    }
    const caller = userCaller(user, PKI_REALM, roles)
    this.#certificates.set(certificate, { roles, mappings, caller, untilMs: nowMs + ROLES_KEPT_MS })
    return caller
  }

  ofApiKey(key: ApiKey, owner: User | undefined): Caller {
    const known = this.#keys.get(key)
    if (known !== undefined && (known.owner === owner || isSameUser(known.owner, owner))) return known.caller
    const caller: Caller = {
      username: key.username,
      roles: [],
      missingRoles: [],
      fullName: owner?.fullName ?? null,
      email: owner?.email ?? null,
      metadata: owner?.metadata ?? {},
      authenticationRealm: API_KEY_REALM,
      lookupRealm: API_KEY_REALM,
      authenticationType: 'api_key',
      apiKey: { id: key.id, name: key.name },
      hasOwnDescriptors: Object.keys(key.roleDescriptors).length > 0,
      permission: keyPermission(key),
      descriptors: key.roleDescriptors,
      identity: `key ${key.id}`,
    }
    this.#keys.set(key, { owner, caller })
    return caller
  }

  ofService(account: string, tokenName: string): Caller {
    const name = `${account}/${tokenName}`
    let caller = this.#services.get(name)
    if (caller === undefined) {
      const role = SERVICE_ACCOUNTS.get(account)!
      caller = serviceCaller(account, { name: tokenName, type: '_service_account_index' }, { [account]: role })
      this.#services.set(name, caller)
    }
    return caller
  }

  /** The caller for commands that can read the data folder. */
  operator(): Caller {
    this.#operator ??= {
      ...serviceCaller(
        'sandpiper/operator',
        { name: 'local', type: '_sandpiper_operator' },
        { superuser: RESERVED_ROLES.get('superuser')! },
      ),
      isOperator: true,
    }
    return this.#operator
  }

  operatorSecret(token: string): { salt: string; hash: string } {
    this.#operatorSecret ??= hashSecret(token)
    return this.#operatorSecret
  }

  /** The permission is that of the other user alone. */
  runAs(actor: Caller, user: User): Caller {
    return {
      ...this.ofUser(user),
      actor,
      authenticationRealm: actor.authenticationRealm,
      authenticationType: 'realm',
      identity: `run as ${actor.identity} ${user.username}`,
    }
  }
}

/** Reserved users are equal if their roles are, because only their password and `enabled` can change. */
function isSameUser(one: User | undefined, other: User | undefined): boolean {
  if (one === other) return true
  if (one === undefined || other === undefined) return false
  return one.roles === other.roles && one.metadata._reserved === true && other.metadata._reserved === true
}

function userCaller(user: User, realm: Realm, custom: Roles): Caller {
  const descriptors: Record<string, RoleDescriptor> = newMembers()
  const missing: string[] = []
  for (const name of user.roles) {
    const role = RESERVED_ROLES.get(name) ?? custom.get(name)
    if (role === undefined) missing.push(name)
    else descriptors[name] = role
  }
  return {
    username: user.username,
    roles: Object.keys(descriptors).sort(),
    missingRoles: missing.sort(),
    fullName: user.fullName,
    email: user.email,
    metadata: user.metadata,
    authenticationRealm: realm,
    lookupRealm: realm,
    authenticationType: 'realm',
    permission: new RolePermission(Object.values(descriptors)),
    descriptors,
    identity: `${realm.name} ${user.username}`,
  }
}

function serviceCaller(
  username: string,
  token: { readonly name: string; readonly type: string },
  descriptors: Readonly<Record<string, RoleDescriptor>>,
): Caller {
  return {
    username,
    roles: [],
    missingRoles: [],
    fullName: `Service account - ${username}`,
    email: null,
    metadata: { _elastic_service_account: true },
    authenticationRealm: SERVICE_REALM,
    lookupRealm: SERVICE_REALM,
    authenticationType: 'token',
    token,
    permission: new RolePermission(Object.values(descriptors)),
    descriptors,
    identity: `service ${username}`,
  }
}

function keyPermission({ roleDescriptors, limitedBy }: ApiKey): Permission {
  const owner = new RolePermission(Object.values(limitedBy))
  const own = Object.values(roleDescriptors)
  return own.length === 0 ? owner : new Intersection(new RolePermission(own), owner)
}
