/** What a role grants, in the words of the API. */
import type { FieldSecurity } from '../../engine/limits/read-limits.ts'

export type { FieldSecurity } from '../../engine/limits/read-limits.ts'

export interface RoleDescriptor {
  readonly cluster: readonly string[]
  readonly indices: readonly IndexPrivileges[]
  readonly applications: readonly ApplicationPrivileges[]
  readonly runAs: readonly string[]
  readonly metadata: Readonly<Record<string, unknown>>
  readonly description?: string | undefined
  readonly isReserved?: boolean | undefined
}

export interface IndexPrivileges {
  readonly names: readonly string[]
  readonly privileges: readonly string[]
  readonly fieldSecurity?: FieldSecurity | undefined
  /** A query, or the template of a query, as JSON. */
  readonly query?: string | undefined
  readonly allowRestricted: boolean
}

export interface ApplicationPrivileges {
  readonly application: string
  readonly privileges: readonly string[]
  readonly resources: readonly string[]
}

export const EMPTY_ROLE: RoleDescriptor = { cluster: [], indices: [], applications: [], runAs: [], metadata: {} }

/** The role as `GET _security/role` shows it. Role descriptors of API keys are shown the same way. */
export function printRole(role: RoleDescriptor): Record<string, unknown> {
  return {
    cluster: role.cluster,
    indices: role.indices.map(printIndices),
    applications: role.applications,
    run_as: role.runAs,
    metadata: role.metadata,
    transient_metadata: { enabled: true },
    ...(role.description === undefined ? {} : { description: role.description }),
  }
}

function printIndices({ names, privileges, fieldSecurity, query, allowRestricted }: IndexPrivileges) {
  return {
    names,
    privileges,
    ...(fieldSecurity === undefined ? {} : { field_security: printFieldSecurity(fieldSecurity) }),
    ...(query === undefined ? {} : { query }),
    allow_restricted_indices: allowRestricted,
  }
}

export const printFieldSecurity = ({ grant, except }: FieldSecurity) => ({
  ...(grant === undefined ? {} : { grant }),
  ...(except === undefined ? {} : { except }),
})
