/** Creates, updates, shows and deletes users. */

import { ApiError, illegalArgument, parseFailure, validationFailed } from '../../base/api-error.ts'
import { newMembers } from '../../base/json/members.ts'
import type { Caller } from '../authorization/caller.ts'
import { invalidName, isValidName } from '../model/names.ts'
import { isObject, type JsonObject, readBoolean, readString, readStrings, wrongType } from '../model/object-reader.ts'
import { isPasswordHash, type PasswordHasher, SUPPORTED_HASHES } from '../model/password-hash.ts'
import { hasPasswords, isReservedUser, RESERVED_USER_NAMES, reservedUser, type User } from '../model/user.ts'
import { type SecurityState, withMember } from '../store/security-state.ts'
import type { SecurityStore } from '../store/security-store.ts'

const PASSWORD_LENGTH_MIN = 6

interface Password {
  readonly password: string | undefined
  readonly hash: string | undefined
}

interface PutUser extends Password {
  readonly roles: readonly string[]
  readonly fullName: string | null
  readonly email: string | null
  readonly metadata: JsonObject
  readonly enabled: boolean
}

export class UserService {
  readonly #store: SecurityStore
  readonly #hasher: PasswordHasher

  constructor(store: SecurityStore, hasher: PasswordHasher) {
    this.#store = store
    this.#hasher = hasher
  }

  async #hashOf({ password, hash }: Password): Promise<string | undefined> {
    return password === undefined ? hash : await this.#hasher.hash(password)
  }

  find(username: string): User | undefined {
    const { users, reservedUsers } = this.#store.state
    return isReservedUser(username) ? reservedUser(username, reservedUsers.get(username)) : users.get(username)
  }

  /** All users, reserved ones first. */
  all(): User[] {
    return [...RESERVED_USER_NAMES.map((name) => this.find(name)!), ...this.#store.state.users.values()]
  }

  /** Returns whether the user is new. */
  async put(username: string, body: unknown, caller?: Caller): Promise<boolean> {
    const request = parsePutUser(username, body)
    const problems = putProblems(username, request, caller)
    if (problems.length > 0) throw validationFailed(...problems)
    checkPassword(request)
    const isNew = !this.#store.state.users.has(username)
    if (isNew && request.password === undefined && request.hash === undefined) {
      throw validation('password must be specified unless you are updating an existing user')
    }
    const hash = await this.#hashOf(request)
    return this.#store.update((state) => {
      const existing = state.users.get(username)
      const { roles, fullName, email, metadata, enabled } = request
      const passwordHash = hash ?? existing?.passwordHash
      const user: User = { username, roles, fullName, email, metadata, enabled, passwordHash }
      return { state: withMember(state, 'users', username, user), result: existing === undefined }
    })
  }

  /** Deletes the user and invalidates its API keys, because another user may get the same name later. */
  async remove(username: string, nowMs: number): Promise<boolean> {
    if (isReservedUser(username)) throw illegalArgument(`user [${username}] is reserved and cannot be deleted`)
    return this.#store.update((state) => {
      if (!state.users.has(username)) return { state, result: false }
      const apiKeys = new Map(state.apiKeys)
      for (const [id, key] of apiKeys) {
        if (key.username === username && key.realm.type === 'native' && key.invalidatedMs === undefined) {
          apiKeys.set(id, { ...key, invalidatedMs: nowMs })
        }
      }
      return { state: { ...withMember(state, 'users', username, undefined), apiKeys }, result: true }
    })
  }

  async changePassword(username: string, body: unknown): Promise<void> {
    const request = parsePassword(body)
    checkPassword(request)
    await this.setPassword(username, (await this.#hashOf(request))!, false)
  }

  async setPassword(username: string, hash: string, isBootstrap: boolean): Promise<void> {
    await this.#store.update((state) => {
      if (isReservedUser(username)) {
        const reserved = { ...state.reservedUsers.get(username), passwordHash: hash, isBootstrap }
        return { state: withMember(state, 'reservedUsers', username, reserved), result: undefined }
      }
      const user = existingUser(state, username, 'user must exist in order to change password')
      return { state: withMember(state, 'users', username, { ...user, passwordHash: hash }), result: undefined }
    })
  }

  async setEnabled(username: string, enabled: boolean, caller: Caller | undefined): Promise<void> {
    if (caller !== undefined && isOwnAccount(caller, username)) {
      throw illegalArgument('users may not update the enabled status of their own account')
    }
    await this.#store.update((state) => {
      if (isReservedUser(username)) {
        const reserved = { ...state.reservedUsers.get(username), enabled }
        return { state: withMember(state, 'reservedUsers', username, reserved), result: undefined }
      }
      const user = existingUser(state, username, `only existing users can be ${enabled ? 'enabled' : 'disabled'}`)
      return { state: withMember(state, 'users', username, { ...user, enabled }), result: undefined }
    })
  }
}

const validation = (problem: string) => new ApiError(400, 'validation_exception', `Validation Failed: 1: ${problem};`)

const isOwnAccount = (caller: Caller, username: string) =>
  caller.username === username && caller.authenticationType === 'realm' && hasPasswords(caller.lookupRealm)

function existingUser(state: SecurityState, username: string, problem: string): User {
  const user = state.users.get(username)
  if (user === undefined) throw validation(problem)
  return user
}

function parsePutUser(username: string, body: unknown): PutUser & { rolesGiven: boolean } {
  if (!isObject(body)) throw parseFailure('failed to parse add user request. expected an object')
  let roles: string[] | undefined
  let fullName: string | null = null
  let email: string | null = null
  let metadata: JsonObject = newMembers()
  let enabled = true
  let password: string | undefined
  let hash: string | undefined
  for (const [key, value] of Object.entries(body)) {
    switch (key) {
      case 'username':
        if (readString(value, key) !== username) {
          throw illegalArgument(`[username] in source does not match the username provided [${username}]`)
        }
        break
      case 'password':
        password = readString(value, key)
        break
      case 'password_hash':
        hash = readString(value, key)
        break
      case 'roles':
        roles = typeof value === 'string' ? value.split(',') : readStrings(value, () => wrongType(key, 'string', value))
        break
      case 'full_name':
        fullName = value === null ? null : readString(value, key)
        break
      case 'email':
        email = value === null ? null : readString(value, key)
        break
      case 'metadata':
        if (!isObject(value)) throw wrongType(key, 'object', value)
        metadata = value
        break
      case 'enabled':
        enabled = readBoolean(value, key)
        break
      default:
        throw parseFailure(`failed to parse add user request. unexpected field [${key}]`)
    }
  }
  return { roles: roles ?? [], rolesGiven: roles !== undefined, fullName, email, metadata, enabled, password, hash }
}

function putProblems(
  username: string,
  { rolesGiven, roles, metadata, enabled }: PutUser & { rolesGiven: boolean },
  caller: Caller | undefined,
): string[] {
  const problems: string[] = []
  if (isReservedUser(username)) return [`user [${username}] is reserved and only the password can be changed`]
  if (!isValidName(username)) problems.push(invalidName('User'))
  if (!rolesGiven) problems.push('roles are missing')
  if (roles.some((role) => !isValidName(role))) problems.push(invalidName('Role'))
  if (Object.keys(metadata).some((key) => key.startsWith('_'))) problems.push('metadata keys may not start with [_]')
  if (!enabled && caller !== undefined && isOwnAccount(caller, username)) {
    problems.push('native and reserved realm users may not update the enabled status of their own account')
  }
  return problems
}

function parsePassword(body: unknown): Password {
  if (!isObject(body)) throw parseFailure('failed to parse change password request. expected an object')
  let password: string | undefined
  let hash: string | undefined
  for (const [key, value] of Object.entries(body)) {
    if (key === 'password') password = readString(value, key)
    else if (key === 'password_hash') hash = readString(value, key)
    else throw parseFailure(`failed to parse change password request. unexpected field [${key}]`)
  }
  if (password === undefined && hash === undefined) throw validationFailed('password is missing')
  return { password, hash }
}

function checkPassword({ password, hash }: Password): void {
  if (password !== undefined && hash !== undefined) throw validation('password_hash has already been set')
  if (password !== undefined && password.length < PASSWORD_LENGTH_MIN) {
    throw validation(`passwords must be at least [${PASSWORD_LENGTH_MIN}] characters long`)
  }
  if (hash !== undefined && !isPasswordHash(hash)) {
    throw illegalArgument(
      'The provided password hash is not a hash or it could not be resolved to a supported hash algorithm. The supported ' +
        `password hash algorithms are [${SUPPORTED_HASHES.join(', ')}]`,
    )
  }
}
