/** Users, roles and keys as the security API has them. */
import type { Json } from '../../api/lossless-json.ts'

export interface User {
  readonly username: string
  readonly roles: readonly string[]
  readonly full_name: string | null
  readonly email: string | null
  readonly enabled: boolean
  readonly metadata: Readonly<Record<string, Json>>
}

export interface IndexEntry {
  readonly names: readonly string[]
  readonly privileges: readonly string[]
  readonly field_security?: { readonly grant?: readonly string[]; readonly except?: readonly string[] }
  readonly query?: string
}

export interface Role {
  readonly cluster: readonly string[]
  readonly indices: readonly IndexEntry[]
  readonly run_as?: readonly string[]
  readonly applications?: Json
  readonly metadata?: Readonly<Record<string, Json>>
  readonly description?: string
}

export interface Key {
  readonly id: string
  readonly name: string
  readonly creation: number
  readonly expiration?: number
  readonly invalidated: boolean
  readonly username: string
  readonly role_descriptors?: Readonly<Record<string, Role>>
}

/** Users and roles that the service has from the start. They cannot be deleted. */
export function isReserved({ metadata }: { readonly metadata?: Readonly<Record<string, Json>> }): boolean {
  return metadata?.['_reserved'] === true
}
