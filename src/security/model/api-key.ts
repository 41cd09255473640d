/** The stored form of API keys. Secrets are random, so a salted SHA-256 is sufficient. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { printRole, type RoleDescriptor } from './role-descriptor.ts'
import type { Realm } from './user.ts'

export interface ApiKey {
  readonly id: string
  readonly name: string
  readonly salt: string
  readonly hash: string
  readonly createdMs: number
  readonly expiresMs: number | undefined
  readonly invalidatedMs: number | undefined
  readonly username: string
  readonly realm: Realm
  readonly metadata: Readonly<Record<string, unknown>>
  readonly roleDescriptors: Readonly<Record<string, RoleDescriptor>>
  /** The owner's roles when the key was created or last updated. */
  readonly limitedBy: Readonly<Record<string, RoleDescriptor>>
}

const ID_BYTES = 15
const SECRET_BYTES = 16
const SALT_BYTES = 16

/** An id has 20 characters, a secret 22. */
export const newKeyId = () => randomBytes(ID_BYTES).toString('base64url')
export const newSecret = () => randomBytes(SECRET_BYTES).toString('base64url')

export function hashSecret(secret: string, salt = randomBytes(SALT_BYTES).toString('base64')) {
  return { salt, hash: createHash('sha256').update(salt).update(secret).digest('base64') }
}

export function isSecret(secret: string, { salt, hash }: { readonly salt: string; readonly hash: string }): boolean {
  const expected = Buffer.from(hash, 'base64')
  const made = createHash('sha256').update(salt).update(secret).digest()
  return made.length === expected.length && timingSafeEqual(made, expected)
}

export const isExpired = ({ expiresMs }: ApiKey, nowMs: number) => expiresMs !== undefined && expiresMs <= nowMs

export function printApiKey(key: ApiKey, withLimitedBy: boolean): Record<string, unknown> {
  return {
    id: key.id,
    name: key.name,
    type: 'rest',
    creation: key.createdMs,
    ...(key.expiresMs === undefined ? {} : { expiration: key.expiresMs }),
    invalidated: key.invalidatedMs !== undefined,
    ...(key.invalidatedMs === undefined ? {} : { invalidation: key.invalidatedMs }),
    username: key.username,
    realm: key.realm.name,
    realm_type: key.realm.type,
    metadata: key.metadata,
    role_descriptors: printRoles(key.roleDescriptors),
    ...(withLimitedBy ? { limited_by: [printRoles(key.limitedBy)] } : {}),
  }
}

const printRoles = (roles: Readonly<Record<string, RoleDescriptor>>) =>
  Object.fromEntries(Object.entries(roles).map(([name, role]) => [name, printRole(role)]))
