/** The persistent state of security. It is immutable; a change creates a new state. */
import type { ApiKey } from '../model/api-key.ts'
import type { RoleDescriptor } from '../model/role-descriptor.ts'
import type { RoleMapping } from '../model/role-mapping.ts'
import type { ServiceToken } from '../model/service-token.ts'
import type { ReservedUserState, User } from '../model/user.ts'

export interface SecurityState {
  readonly users: ReadonlyMap<string, User>
  readonly reservedUsers: ReadonlyMap<string, ReservedUserState>
  readonly roles: ReadonlyMap<string, RoleDescriptor>
  readonly apiKeys: ReadonlyMap<string, ApiKey>
  readonly roleMappings: ReadonlyMap<string, RoleMapping>
  /** By `namespace/service/name`. */
  readonly serviceTokens: ReadonlyMap<string, ServiceToken>
}

export const SECTIONS = ['users', 'reservedUsers', 'roles', 'apiKeys', 'roleMappings', 'serviceTokens'] as const
export type SectionName = (typeof SECTIONS)[number]

export const EMPTY_STATE: SecurityState = {
  users: new Map(),
  reservedUsers: new Map(),
  roles: new Map(),
  apiKeys: new Map(),
  roleMappings: new Map(),
  serviceTokens: new Map(),
}

type Value<S extends SectionName> = SecurityState[S] extends ReadonlyMap<string, infer V> ? V : never

/** A copy with one member set, or removed when the value is undefined. */
export function withMember<S extends SectionName>(
  state: SecurityState,
  section: S,
  name: string,
  value: Value<S> | undefined,
): SecurityState {
  const members = new Map(state[section] as ReadonlyMap<string, Value<S>>)
  if (value === undefined) members.delete(name)
  else members.set(name, value)
  return { ...state, [section]: members }
}
