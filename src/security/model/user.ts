/** Users: native users, which are created by the API, and reserved users, which always exist. */
export interface User {
  readonly username: string
  readonly roles: readonly string[]
  readonly fullName: string | null
  readonly email: string | null
  readonly metadata: Readonly<Record<string, unknown>>
  readonly enabled: boolean
  /** Undefined: nobody can log in as this user. */
  readonly passwordHash: string | undefined
}

/** The state of a reserved user that can change. */
export interface ReservedUserState {
  readonly passwordHash?: string | undefined
  readonly enabled?: boolean | undefined
  /** Whether the password was set at startup and not by the API. */
  readonly isBootstrap?: boolean | undefined
}

export interface Realm {
  readonly name: string
  readonly type: string
}

export const RESERVED_REALM: Realm = { name: 'reserved', type: 'reserved' }
export const NATIVE_REALM: Realm = { name: 'default_native', type: 'native' }
export const API_KEY_REALM: Realm = { name: '_es_api_key', type: '_es_api_key' }
/** Users of client certificates. */
export const PKI_REALM: Realm = { name: 'pki', type: 'pki' }
export const SERVICE_REALM: Realm = { name: '_service_account', type: '_service_account' }

const RESERVED_USERS: Readonly<Record<string, { roles: readonly string[]; metadata?: Record<string, unknown> }>> = {
  elastic: { roles: ['superuser'] },
  kibana_system: { roles: ['kibana_system'] },
  kibana: {
    roles: ['kibana_system'],
    metadata: { _deprecated: true, _deprecated_reason: 'Please use the [kibana_system] user instead.' },
  },
  logstash_system: { roles: ['logstash_system'] },
  beats_system: { roles: ['beats_system'] },
  apm_system: { roles: ['apm_system'] },
  remote_monitoring_user: { roles: ['remote_monitoring_collector', 'remote_monitoring_agent'] },
}

export const RESERVED_USER_NAMES: readonly string[] = Object.keys(RESERVED_USERS)

export const isReservedUser = (username: string) => Object.hasOwn(RESERVED_USERS, username)

const UNCHANGED: ReservedUserState = {}
const made = new Map<string, { readonly state: ReservedUserState; readonly user: User }>()

/** Returns the same object for the same state. */
export function reservedUser(username: string, state: ReservedUserState = UNCHANGED): User {
  const known = made.get(username)
  if (known?.state === state) return known.user
  const user = makeReserved(username, state)
  made.set(username, { state, user })
  return user
}

function makeReserved(username: string, state: ReservedUserState): User {
  const { roles, metadata } = RESERVED_USERS[username]!
  return {
    username,
    roles,
    fullName: null,
    email: null,
    metadata: { ...metadata, _reserved: true },
    enabled: state.enabled ?? true,
    passwordHash: state.passwordHash,
  }
}

/** Whether users of the realm have a password here: theirs can be changed, and they can be disabled. */
export const hasPasswords = ({ type }: Realm) => type === RESERVED_REALM.type || type === NATIVE_REALM.type

export const realmOf = (username: string): Realm => (isReservedUser(username) ? RESERVED_REALM : NATIVE_REALM)

export function printUser({ username, roles, fullName, email, metadata, enabled }: User): Record<string, unknown> {
  return { username, roles, full_name: fullName, email, metadata, enabled }
}
