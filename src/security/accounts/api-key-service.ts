/** Creates, updates, invalidates and lists API keys. The gate has already authorized the request (own-account.ts). */
import { ApiError, illegalArgument, resourceNotFound, validationFailed, xContentParse } from '../../base/api-error.ts'
import { parseDuration } from '../../base/duration.ts'
import type { Caller } from '../authorization/caller.ts'
import { type ApiKey, hashSecret, isExpired, newKeyId, newSecret } from '../model/api-key.ts'
import { isObject, type JsonObject } from '../model/object-reader.ts'
import type { RoleDescriptor } from '../model/role-descriptor.ts'
import { RESERVED_REALM, type Realm } from '../model/user.ts'
import { type SecurityState, withMember } from '../store/security-state.ts'
import type { SecurityStore } from '../store/security-store.ts'
import { parseRole, type RoleQueryCheck } from './parse-role.ts'

const NAME_LENGTH_MAX = 256
/** Expired and invalidated keys are listed for this long. */
const RETENTION_MS = 7 * 86_400_000

export interface KeyOwner {
  readonly username: string
  readonly realm: Realm
  readonly descriptors: Readonly<Record<string, RoleDescriptor>>
}

/** Selects keys. Undefined members do not restrict the selection. */
export interface KeySelection {
  readonly ids?: readonly string[] | undefined
  /** May end in `*`. */
  readonly name?: string | undefined
  readonly username?: string | undefined
  readonly realmName?: string | undefined
}

export interface CreatedKey {
  readonly key: ApiKey
  readonly secret: string
}

interface KeyRequest {
  readonly roleDescriptors: Readonly<Record<string, RoleDescriptor>> | undefined
  readonly metadata: JsonObject | undefined
  readonly expirationMs: number | undefined
}

export interface ApiKeyOptions {
  readonly store: SecurityStore
  readonly nowMs: () => number
  readonly checkQuery: RoleQueryCheck
}

export class ApiKeyService {
  readonly #options: ApiKeyOptions

  constructor(options: ApiKeyOptions) {
    this.#options = options
  }

  /** The user who owns the keys that a caller creates: also for API keys and run-as. */
  static ownerOf(caller: Caller): KeyOwner {
    return { username: caller.username, realm: caller.lookupRealm, descriptors: caller.descriptors }
  }

  async create(caller: Caller, body: unknown): Promise<CreatedKey> {
    const request = this.#parse(body, ['name', 'expiration', 'role_descriptors', 'metadata'])
    const name = readName(body as JsonObject)
    if (caller.isOperator === true) {
      const owner = { username: 'elastic', realm: RESERVED_REALM, descriptors: caller.descriptors }
      return this.createFor(owner, name, request)
    }
    if (caller.apiKey === undefined) return this.createFor(ApiKeyService.ownerOf(caller), name, request)
    const given = Object.values(request.roleDescriptors ?? {})
    if (given.length === 0 || !given.every(isEmptyRole)) {
      throw illegalArgument(
        'creating derived api keys requires an explicit role descriptor that is empty (has no privileges)',
      )
    }
    const { username, realm } = this.#options.store.state.apiKeys.get(caller.apiKey.id)!
    return this.createFor({ username, realm, descriptors: caller.descriptors }, name, request)
  }

  /** Creates a key for the user whose credentials are in the body of a grant. */
  async createFromBody(owner: KeyOwner, body: unknown): Promise<CreatedKey> {
    const request = this.#parse(body, ['name', 'expiration', 'role_descriptors', 'metadata'])
    return this.createFor(owner, readName(body as JsonObject), request)
  }

  async createFor(owner: KeyOwner, name: string, request: KeyRequest): Promise<CreatedKey> {
    const nowMs = this.#options.nowMs()
    const secret = newSecret()
    const key: ApiKey = {
      id: newKeyId(),
      name,
      ...hashSecret(secret),
      createdMs: nowMs,
      expiresMs: request.expirationMs === undefined ? undefined : nowMs + request.expirationMs,
      invalidatedMs: undefined,
      username: owner.username,
      realm: owner.realm,
      metadata: request.metadata ?? {},
      roleDescriptors: request.roleDescriptors ?? {},
      limitedBy: owner.descriptors,
    }
    await this.#options.store.update((state) => ({
      state: withMember(withoutOldKeys(state, nowMs), 'apiKeys', key.id, key),
      result: undefined,
    }))
    return { key, secret }
  }

  /** Stored keys in order of creation. */
  select({ ids, name, username, realmName }: KeySelection): ApiKey[] {
    const nowMs = this.#options.nowMs()
    const matches = name === undefined ? () => true : nameTest(name)
    return [...this.#options.store.state.apiKeys.values()].filter(
      (key) =>
        !isForgotten(key, nowMs) &&
        (ids === undefined || ids.includes(key.id)) &&
        matches(key.name) &&
        (username === undefined || key.username === username) &&
        (realmName === undefined || key.realm.name === realmName),
    )
  }

  isActive(key: ApiKey): boolean {
    return key.invalidatedMs === undefined && !isExpired(key, this.#options.nowMs())
  }

  async invalidate(selection: KeySelection): Promise<{ ended: string[]; before: string[] }> {
    const nowMs = this.#options.nowMs()
    return this.#options.store.update((state) => {
      const ended: string[] = []
      const before: string[] = []
      const apiKeys = new Map(state.apiKeys)
      for (const { id } of this.select(selection)) {
        const key = apiKeys.get(id)
        if (key === undefined) continue
        if (key.invalidatedMs !== undefined) before.push(id)
        else {
          apiKeys.set(id, { ...key, invalidatedMs: nowMs })
          ended.push(id)
        }
      }
      return { state: ended.length === 0 ? state : { ...state, apiKeys }, result: { ended, before } }
    })
  }

  /** Returns whether anything changed. The current roles of the owner are stored in any case. */
  async update(caller: Caller, id: string, body: unknown): Promise<boolean> {
    checkUpdater(caller)
    const request = this.#parse(body ?? {}, ['role_descriptors', 'metadata', 'expiration'])
    return this.#options.store.update((state) => this.#updated(state, caller, id, request))
  }

  async bulkUpdate(caller: Caller, body: unknown) {
    checkUpdater(caller)
    const request = this.#parse(
      body,
      ['ids', 'role_descriptors', 'metadata', 'expiration'],
      'bulk_update_api_key_request',
    )
    const { ids } = body as { ids?: unknown }
    if (!Array.isArray(ids) || ids.some((id) => typeof id !== 'string')) throw illegalArgument('Required [ids]')
    if (ids.length === 0) throw validationFailed('Field [ids] cannot be empty')
    return this.#options.store.update((before) => {
      let state = before
      const updated: string[] = []
      const noops: string[] = []
      const failures: [string, ApiError][] = []
      for (const id of new Set(ids as string[])) {
        try {
          const { state: next, result } = this.#updated(state, caller, id, request)
          state = next
          if (result) updated.push(id)
          else noops.push(id)
        } catch (error) {
          if (!(error instanceof ApiError)) throw error
          failures.push([id, error])
        }
      }
      return { state, result: { updated, noops, failures } }
    })
  }

  #updated(state: SecurityState, caller: Caller, id: string, request: KeyRequest) {
    const nowMs = this.#options.nowMs()
    const key = state.apiKeys.get(id)
    if (key === undefined || !isOwn(key, caller) || isForgotten(key, nowMs)) {
      throw resourceNotFound(`no API key owned by requesting user found for ID [${id}]`)
    }
    if (key.invalidatedMs !== undefined) throw illegalArgument(`cannot update invalidated API key [${id}]`)
    if (isExpired(key, nowMs)) throw illegalArgument(`cannot update expired API key [${id}]`)
    const changed: ApiKey = {
      ...key,
      metadata: request.metadata ?? key.metadata,
      roleDescriptors: request.roleDescriptors ?? key.roleDescriptors,
      expiresMs: request.expirationMs === undefined ? key.expiresMs : nowMs + request.expirationMs,
      limitedBy: caller.descriptors,
    }
    if (JSON.stringify(changed) === JSON.stringify(key)) return { state, result: false }
    return { state: withMember(state, 'apiKeys', id, changed), result: true }
  }

  #parse(body: unknown, fields: readonly string[], request = 'api_key_request'): KeyRequest {
    if (!isObject(body)) throw illegalArgument('request body must be an object')
    const unknown = Object.keys(body).find((field) => !fields.includes(field))
    if (unknown !== undefined) throw xContentParse(`[1:2] [${request}] unknown field [${unknown}]`)
    const { role_descriptors: descriptors, metadata, expiration } = body
    if (metadata !== undefined && metadata !== null && !isObject(metadata)) {
      throw xContentParse(`[1:2] [${request}] metadata doesn't support values of type: ${typeof metadata}`)
    }
    if (Object.keys(metadata ?? {}).some((key) => key.startsWith('_'))) {
      throw validationFailed('API key metadata keys may not start with [_]')
    }
    const expirationMs = readExpiration(expiration)
    return {
      metadata: metadata ?? undefined,
      expirationMs,
      roleDescriptors: descriptors === undefined || descriptors === null ? undefined : this.#roles(descriptors),
    }
  }

  #roles(value: unknown): Record<string, RoleDescriptor> {
    if (!isObject(value)) throw illegalArgument('[role_descriptors] must be an object')
    const { checkQuery } = this.#options
    return Object.fromEntries(
      Object.entries(value).map(([name, role]) => [
        name,
        parseRole(name, role, { allowDescription: false, checkQuery }),
      ]),
    )
  }
}

function readExpiration(value: unknown): number | undefined {
  if (value === undefined || value === null) return undefined
  const ms = parseDuration(String(value), 'expiration')
  if (ms <= 0) throw validationFailed('API key expiration must be in the future')
  return ms
}

/** Checked after metadata, descriptors and expiration, in Elasticsearch's order. */
function readName({ name }: JsonObject): string {
  if (name === undefined) throw illegalArgument('Required [name]')
  if (typeof name !== 'string' || name === '') throw validationFailed('api key name is required')
  const problems: string[] = []
  if (name.length > NAME_LENGTH_MAX) problems.push('api key name may not be more than 256 characters long')
  if (name.trim() !== name) problems.push('api key name may not begin or end with whitespace')
  if (name.startsWith('_')) problems.push('api key name may not begin with an underscore')
  if (problems.length > 0) throw validationFailed(...problems)
  return name
}

const isEmptyRole = ({ cluster, indices, applications, runAs }: RoleDescriptor) =>
  cluster.length + indices.length + applications.length + runAs.length === 0

export const isOwn = ({ username, realm }: ApiKey, caller: Caller) =>
  username === caller.username && realm.name === caller.lookupRealm.name

function checkUpdater({ apiKey }: Caller): void {
  if (apiKey !== undefined) {
    throw illegalArgument('authentication via API key not supported: only the owner user can update an API key')
  }
}

/** `*` matches all names, and `prefix*` those with the prefix. */
function nameTest(pattern: string): (name: string) => boolean {
  if (!pattern.endsWith('*')) return (name) => name === pattern
  const prefix = pattern.slice(0, -1)
  return (name) => name.startsWith(prefix)
}

function isForgotten({ invalidatedMs, expiresMs }: ApiKey, nowMs: number): boolean {
  return Math.min(invalidatedMs ?? Infinity, expiresMs ?? Infinity) + RETENTION_MS < nowMs
}

function withoutOldKeys(state: SecurityState, nowMs: number): SecurityState {
  const kept = new Map([...state.apiKeys].filter(([, key]) => !isForgotten(key, nowMs)))
  return kept.size === state.apiKeys.size ? state : { ...state, apiKeys: kept }
}
