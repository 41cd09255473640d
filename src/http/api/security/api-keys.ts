/** `_security/api_key`: create, grant, get, query, update, invalidate. */
import { errorObject, illegalArgument, validationFailed } from '../../../base/api-error.ts'
import { type CreatedKey, isOwn, type KeySelection } from '../../../security/accounts/api-key-service.ts'
import type { Caller } from '../../../security/authorization/caller.ts'
import { denied } from '../../../security/authorization/denial.ts'
import { printApiKey } from '../../../security/model/api-key.ts'
import { isObject } from '../../../security/model/object-reader.ts'
import { forbidden } from '../../../security/model/security-errors.ts'
import type { Security } from '../../../security/security.ts'
import type { HttpRequest } from '../../request.ts'
import type { Routes } from '../../router.ts'
import { acceptRefresh, callerOf, requiredBody } from './security-request.ts'
import { selectPage } from './select-page.ts'

const PATH = '/_security/api_key'
const QUERY = 'cluster:admin/xpack/security/api_key/query'

export function apiKeyRoutes(routes: Routes, security: Security): void {
  const { apiKeys } = security
  routes.add(['PUT', 'POST'], PATH, (request) => {
    acceptRefresh(request)
    const body = requiredBody(request)
    return async () => ({ status: 200, body: printCreated(await apiKeys.create(callerOf(request), body)) })
  })
  routes.add(['PUT', 'POST'], `${PATH}/grant`, (request) => {
    acceptRefresh(request)
    const body = requiredBody(request)
    return async () => ({ status: 200, body: printCreated(await grant(security, callerOf(request), body)) })
  })
  routes.add('PUT', `${PATH}/{id}`, (request) => {
    const body = request.json()
    return async () => ({
      status: 200,
      body: { updated: await apiKeys.update(callerOf(request), request.params['id']!, body) },
    })
  })
  routes.add('POST', `${PATH}/_bulk_update`, (request) => {
    const body = requiredBody(request)
    return async () => {
      const { updated, noops, failures } = await apiKeys.bulkUpdate(callerOf(request), body)
      const details = Object.fromEntries(failures.map(([id, error]) => [id, errorObject(error)]))
      const errors = failures.length === 0 ? {} : { errors: { count: failures.length, details } }
      return { status: 200, body: { updated, noops, ...errors } }
    }
  })
  routes.add('GET', PATH, (request) => {
    const { query } = request
    query.boolean('with_profile_uid')
    const withLimitedBy = query.boolean('with_limited_by', false)
    const activeOnly = query.boolean('active_only', false)
    const selection = readGet(request)
    return () => {
      const found = apiKeys.select(selection).filter((key) => !activeOnly || apiKeys.isActive(key))
      const isMissing = found.length === 0 && selection.ids !== undefined
      return { status: isMissing ? 404 : 200, body: { api_keys: found.map((key) => printApiKey(key, withLimitedBy)) } }
    }
  })
  routes.add(['GET', 'POST'], '/_security/_query/api_key', (request) => {
    const { query } = request
    query.accept('with_profile_uid', 'typed_keys')
    const withLimitedBy = query.boolean('with_limited_by', false)
    const body = request.json()
    const caller = callerOf(request)
    return () => {
      // With `manage_own_api_key`, users find their own keys only, and an API key finds itself only.
      const visible = apiKeys.select({}).filter((key) => {
        if (caller.permission.allowsCluster(QUERY)) return true
        return caller.apiKey === undefined ? isOwn(key, caller) : key.id === caller.apiKey.id
      })
      const page = selectPage(
        visible.map((key) => queried(printApiKey(key, withLimitedBy))),
        body,
        KEY_FIELDS,
        'id',
        PROTECTED,
      )
      const shown = page.items.map(({ realm_name: _, _id: __, ...key }) => key)
      return { status: 200, body: { total: page.total, count: shown.length, api_keys: shown } }
    }
  })
  routes.add('DELETE', PATH, (request) => {
    const selection = readInvalidation(request)
    return async () => {
      const { ended, before } = await apiKeys.invalidate(selection)
      return {
        status: 200,
        body: { invalidated_api_keys: ended, previously_invalidated_api_keys: before, error_count: 0 },
      }
    }
  })
}

const KEY_FIELDS = [
  '_id',
  'type',
  'name',
  'creation',
  'expiration',
  'invalidated',
  'invalidation',
  'username',
  'realm_name',
  'metadata',
]
const PROTECTED = (field: string) => illegalArgument(`Field [${field}] is not allowed for querying or aggregation`)

/** Names of members in queries that differ from those in responses. */
const queried = (key: Record<string, unknown>): Record<string, unknown> => ({
  ...key,
  _id: key['id'],
  realm_name: key['realm'],
})

function printCreated({ key, secret }: CreatedKey): Record<string, unknown> {
  return {
    id: key.id,
    name: key.name,
    ...(key.expiresMs === undefined ? {} : { expiration: key.expiresMs }),
    api_key: secret,
    encoded: Buffer.from(`${key.id}:${secret}`).toString('base64'),
  }
}

interface Choice {
  readonly ids: readonly string[] | undefined
  readonly name: string | undefined
  readonly username: string | undefined
  readonly realmName: string | undefined
  readonly owner: boolean
}

function readGet(request: HttpRequest): KeySelection {
  const { query } = request
  const id = query.string('id')
  const choice = {
    ids: id === undefined ? undefined : [id],
    name: query.string('name'),
    username: query.string('username'),
    realmName: query.string('realm_name'),
    owner: query.boolean('owner', false),
  }
  checkChoice(choice, {
    both: 'only one of [api key id, api key name] can be specified',
    mixed: 'username or realm name must not be specified when the api key id or api key name is specified',
    owned: 'neither username nor realm-name may be specified when retrieving owned API keys',
  })
  return selectionOf(choice, callerOf(request))
}

function readInvalidation(request: HttpRequest): KeySelection {
  const body = requiredBody(request)
  if (!isObject(body)) throw illegalArgument('request body must be an object')
  const { id, ids, name, username, realm_name: realmName, owner, ...rest } = body
  const [unknown] = Object.keys(rest)
  if (unknown !== undefined) throw illegalArgument(`[invalidate_api_key] unknown field [${unknown}]`)
  const text = (value: unknown) => (value === undefined || value === null ? undefined : String(value))
  const named = ids ?? id
  const choice: Choice = {
    ids: named === undefined || named === null ? undefined : [named].flat().map(String),
    name: text(name),
    username: text(username),
    realmName: text(realmName),
    owner: owner === true,
  }
  const isNothing = [choice.ids, choice.name, choice.username, choice.realmName].every((value) => value === undefined)
  if (isNothing && !choice.owner) {
    throw validationFailed(
      'One of [api key id(s), api key name, username, realm name] must be specified if [owner] flag is false',
    )
  }
  checkChoice(choice, {
    both: 'only one of [api key id(s), api key name] can be specified',
    mixed: 'username or realm name must not be specified when the api key id(s) or api key name are specified',
    owned: 'neither username nor realm-name may be specified when invalidating owned API keys',
  })
  return selectionOf(choice, callerOf(request))
}

function checkChoice(choice: Choice, texts: { both: string; mixed: string; owned: string }): void {
  const { ids, name, username, realmName, owner } = choice
  const problems: string[] = []
  const isNamed = ids !== undefined || name !== undefined
  const isOfUser = username !== undefined || realmName !== undefined
  if (isNamed && isOfUser) problems.push(texts.mixed)
  if (owner && isOfUser) problems.push(texts.owned)
  if (ids !== undefined && name !== undefined) problems.push(texts.both)
  if (problems.length > 0) throw validationFailed(...problems)
}

function selectionOf({ owner, ...choice }: Choice, caller: Caller): KeySelection {
  if (!owner) return choice
  // An API key owns only itself.
  if (caller.apiKey !== undefined && !caller.permission.allowsCluster(QUERY))
    return { ...choice, ids: [caller.apiKey.id] }
  return {
    ...choice,
    username: caller.username,
    ...(caller.apiKey === undefined ? { realmName: caller.lookupRealm.name } : {}),
  }
}

/** Creates a key for a user whose password is in the request. */
async function grant(security: Security, caller: Caller, body: unknown): Promise<CreatedKey> {
  if (!isObject(body)) throw illegalArgument('request body must be an object')
  const { grant_type: type, username, password, access_token: token, run_as: runAs, api_key: key } = body
  const problems: string[] = []
  if (type === undefined) problems.push('[grant_type] is required')
  else if (type === 'password') {
    if (username === undefined) problems.push('[username] is required for grant_type [password]')
    if (password === undefined) problems.push('[password] is required for grant_type [password]')
    if (token !== undefined) problems.push('[access_token] is not supported for grant_type [password]')
  } else problems.push(`grant_type [${String(type)}] is not supported`)
  if (problems.length > 0) throw validationFailed(...problems)
  const { authenticator, apiKeys } = security
  const user = await authenticator.verify(String(username), String(password), `grant by ${caller.identity}`)
  if (user === undefined) throw forbidden('Failed to authenticate api key grant')
  const granted = authenticator.callers.ofUser(user)
  const owner = runAs === undefined ? granted : actingAs(security, granted, String(runAs))
  const { username: name, lookupRealm: realm, descriptors } = owner
  return apiKeys.createFromBody({ username: name, realm, descriptors }, key)
}

function actingAs({ authenticator }: Security, granted: Caller, username: string): Caller {
  const user = authenticator.user(username)
  if (user === undefined || !user.enabled || !granted.permission.canRunAs(username)) {
    throw denied(granted, 'cluster:admin/xpack/security/user/authenticate')
  }
  return authenticator.callers.runAs(granted, user)
}
